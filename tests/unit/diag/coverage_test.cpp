// SPDX-License-Identifier: Apache-2.0
// Every code is triggered by a test: its number or `codes::its_name` occurs in a test source or an expected output.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "diag/code_table.h"
#include "paths.h"

namespace pyptoc::diag {
namespace {

namespace fs = std::filesystem;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word(char c) {
  return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Adds every `E0104`-like word and every NAME of `codes::NAME`, the latter as `unknown-field`.
void collect_mentions(std::string_view text, std::set<std::string>& mentions) {
  constexpr std::string_view kPrefix = "codes::";
  for (std::size_t begin = 0; begin < text.size();) {
    if (!is_word(text[begin])) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < text.size() && is_word(text[end])) {
      ++end;
    }
    std::string word(text.substr(begin, end - begin));
    if (word.size() == 5 && (word[0] == 'E' || word[0] == 'W')) {
      mentions.insert(word);
    } else if (begin >= kPrefix.size() && text.substr(begin - kPrefix.size(), kPrefix.size()) == kPrefix) {
      std::ranges::replace(word, '_', '-');
      mentions.insert(word);
    }
    begin = end;
  }
}

// The tests of this module mention codes without triggering them.
bool scanned(const fs::path& path) {
  static constexpr std::string_view kBinary[] = {".msgpack", ".bin", ".png"};
  return path.string().find("/unit/diag/") == std::string::npos &&
         std::ranges::find(kBinary, path.extension().string()) == std::end(kBinary);
}

std::set<std::string> mentions_below(const fs::path& folder) {
  std::set<std::string> mentions;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || !scanned(entry.path())) {
      continue;
    }
    std::ifstream file(entry.path(), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    collect_mentions(text.str(), mentions);
  }
  return mentions;
}

TEST_CASE("mentions of codes are recognized") {
  std::set<std::string> mentions;
  collect_mentions("error[E0104]: x; report(diag::codes::unknown_field, ABE0105, E01066 codes::W", mentions);
  CHECK(mentions == std::set<std::string>{"E0104", "unknown-field", "W"});
}

TEST_CASE("every code is triggered by a test", "[coverage]") {
  const std::set<std::string> mentions = mentions_below(test_support::source_dir() / "tests");
  std::string missing;
  for (const CodeInfo* code : all_codes()) {
    if (!mentions.contains(std::string(code->id)) && !mentions.contains(std::string(code->name()))) {
      missing += std::string(code->id) + " " + std::string(code->name()) + "\n";
    }
  }
  INFO("codes that no test mentions:\n" << missing);
  CHECK(missing.empty());
}

}  // namespace
}  // namespace pyptoc::diag
