// SPDX-License-Identifier: Apache-2.0
// Lines and columns of offsets, compared with a slow count on texts that cross the index's marks.
#include "diag/source.h"

#include <catch2/catch.hpp>
#include <string>

#include "support/utf8.h"

namespace pyptoc::diag {
namespace {

TEST_CASE("lines and columns start at one") {
  const std::string text = "ab\n\ncd\r\ne";
  TextIndex index(text);
  CHECK(index.position(0).line == 1);
  CHECK(index.position(0).column == 1);
  CHECK(index.position(0).text == "ab");
  CHECK(index.position(2).column == 3);  // the line end belongs to its line
  CHECK(index.position(3).line == 2);
  CHECK(index.position(3).text.empty());
  CHECK(index.position(4).text == "cd");
  CHECK(index.position(8).line == 4);
  CHECK(index.position(9).column == 2);
  CHECK(index.position(4000000000U).column == 2);
}

TEST_CASE("an empty text has one place") {
  TextIndex index("");
  CHECK(index.position(0).line == 1);
  CHECK(index.position(0).column == 1);
  CHECK(index.position(0).text.empty());
}

TEST_CASE("columns count characters, and an offset inside one means that one") {
  const std::string text = "\u00e9\u6f22x";
  TextIndex index(text);
  CHECK(index.position(2).column == 2);
  CHECK(index.position(3).column == 2);
  CHECK(index.position(5).column == 3);
}

TEST_CASE("the index agrees with counting from the start") {
  std::string text;
  for (int i = 0; i < 9000; ++i) {
    text += i % 7 == 0 ? "\u6f22" : i % 11 == 0 ? "\xff" : i % 1013 == 0 ? "\n" : "a";
  }
  TextIndex index(text);
  std::int64_t line = 1;
  std::int64_t column = 1;
  for (std::size_t offset = 0; offset < text.size();) {
    const InputPosition position = index.position(static_cast<std::uint32_t>(offset));
    if (position.line != line || position.column != column) {
      FAIL("offset " << offset << " is at " << position.line << ":" << position.column << ", not " << line << ":"
                     << column);
    }
    if (text[offset] == '\n') {
      ++line;
      column = 0;
    }
    ++column;
    offset += support::decode_utf8(std::string_view(text).substr(offset)).length;
  }
}

TEST_CASE("of a long line only the part around the offset is given") {
  const std::string text = "x\n" + std::string(5000, 'a') + "!" + std::string(5000, 'b') + "\n";
  TextIndex index(text);
  const InputPosition position = index.position(5002);
  CHECK(position.line == 2);
  CHECK(position.column == 5001);
  CHECK(position.cut_before);
  CHECK(position.cut_after);
  REQUIRE(position.text_column > 1);
  CHECK(position.text.at(static_cast<std::size_t>(position.column - position.text_column)) == '!');
  CHECK(position.text.size() < 2000);
  const InputPosition start = index.position(2);
  CHECK_FALSE(start.cut_before);
  CHECK(start.text_column == 1);
}

TEST_CASE("a provider that can read nothing says so") {
  SourceProvider none;
  CHECK_FALSE(none.origin_line("a.py", 1));
  CHECK(none.locate(3).line == -1);
  CHECK(none.input_name().empty());
}

}  // namespace
}  // namespace pyptoc::diag
