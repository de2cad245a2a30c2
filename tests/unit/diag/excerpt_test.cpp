// SPDX-License-Identifier: Apache-2.0
// Whatever the line, the mark and the width: the excerpt fits, and the carets stand below the marked character.
#include "diag/excerpt.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "diag/terminal_text.h"
#include "support/utf8.h"

namespace pyptoc::diag {
namespace {

constexpr const char* kPieces[] = {"a", "b", "_", ".", " ", "\t", "\u6f22", "e\u0301", "\x1b", "\xff", "\u202e", "("};

// The text in terminal columns, one entry per column; a wide character fills two.
std::vector<char32_t> columns_of(std::string_view text) {
  std::vector<char32_t> columns;
  while (!text.empty()) {
    const support::DecodedCharacter next = support::decode_utf8(text);
    columns.insert(columns.end(), static_cast<std::size_t>(display_width(next.code_point)), next.code_point);
    text.remove_prefix(next.length);
  }
  return columns;
}

TEST_CASE("excerpts fit their width and have their carets inside") {
  std::mt19937 random(20240607);
  const auto below = [&random](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  for (int round = 0; round < 4000; ++round) {
    MarkedLine line;
    const std::uint32_t pieces = below(300);
    for (std::uint32_t i = 0; i < pieces; ++i) {
      line.text += kPieces[below(std::size(kPieces))];
    }
    line.text_column = 1 + below(3) * 50;
    line.cut_before = line.text_column > 1;
    line.cut_after = below(2) == 1;
    line.begin = static_cast<std::int64_t>(below(400)) - 10;
    line.end = line.begin + below(40) - 5;
    line.to_line_end = below(5) == 0;
    const int width = 24 + static_cast<int>(below(100));
    const Excerpt excerpt = make_excerpt(line, width);
    INFO("round " << round << " width " << width << "\n" << excerpt.text << "\n" << excerpt.carets);
    REQUIRE(columns_of(excerpt.text).size() <= static_cast<std::size_t>(width));
    REQUIRE(excerpt.carets.size() <= static_cast<std::size_t>(width));
    REQUIRE(excerpt.carets.empty() == (line.begin < 1));
    REQUIRE(excerpt.text.find('\x1b') == std::string::npos);
  }
}

TEST_CASE("the first caret stands below the marked character wherever it is") {
  for (std::int64_t column = 1; column <= 300; ++column) {
    MarkedLine line;
    line.text = std::string(300, '-');
    line.text[static_cast<std::size_t>(column - 1)] = '!';
    line.begin = column;
    line.end = column + 1;
    for (const int width : {24, 37, 80, 299, 300, 301}) {
      const Excerpt excerpt = make_excerpt(line, width);
      INFO("column " << column << " width " << width << "\n" << excerpt.text << "\n" << excerpt.carets);
      REQUIRE(excerpt.carets.find('^') == excerpt.text.find('!'));
      REQUIRE(excerpt.carets.size() == excerpt.carets.find('^') + 1);
    }
  }
}

}  // namespace
}  // namespace pyptoc::diag
