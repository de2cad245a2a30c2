// SPDX-License-Identifier: Apache-2.0
// The table of codes: lookup, order, and the style that every row keeps.
#include "diag/code_table.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "diag/codes.h"

namespace pyptoc::diag {
namespace {

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

// `message` without what stands in backticks, which is quoted and not ours.
std::string prose_of(std::string_view message) {
  std::string out;
  bool quoted = false;
  for (const char c : message) {
    quoted = quoted != (c == '`');
    out += quoted ? "" : std::string(1, c);
  }
  return out;
}

TEST_CASE("codes are found by number and by name") {
  const CodeInfo* code = find_code("E0104");
  REQUIRE(code != nullptr);
  CHECK(code == &codes::unknown_field);
  CHECK(code->name() == "unknown-field");
  CHECK(find_code("e0104") == code);
  CHECK(find_code("unknown-field") == code);
  CHECK(find_code("unknown_field") == code);
  CHECK(find_code("E9999") == nullptr);
  CHECK(find_code("") == nullptr);
}

TEST_CASE("the table is in order of number") {
  REQUIRE(all_codes().size() > 10);
  CHECK(std::ranges::is_sorted(all_codes(), {}, [](const CodeInfo* code) { return code->id.substr(1); }));
  CHECK(code_ids_and_names().size() == 2 * all_codes().size());
  for (const std::string_view name : warning_names()) {
    CHECK(find_code(name)->severity == Severity::Warning);
  }
}

TEST_CASE("every code has an explanation worth reading") {
  for (const CodeInfo* code : all_codes()) {
    INFO(code->id << ' ' << code->name());
    CHECK(code->explanation.size() >= 80);
    CHECK(std::ranges::count(code->explanation, '.') >= 2);
    CHECK((code->explanation.ends_with(".") || code->explanation.ends_with("`")));
    CHECK(code->explanation.find("  ") == std::string_view::npos);
    CHECK(std::ranges::count(code->explanation, '`') % 2 == 0);
  }
}

TEST_CASE("every message keeps the wording rules") {
  for (const CodeInfo* code : all_codes()) {
    INFO(code->id << ": " << code->format);
    const std::string_view message = code->format;
    const bool sentence_case = is_upper(message[0]) && message.size() > 1 && message[1] >= 'a' && message[1] <= 'z';
    CHECK_FALSE(sentence_case);
    CHECK_FALSE(message.ends_with("."));
    CHECK_FALSE(message.ends_with("!"));
    CHECK(std::ranges::count(message, '`') % 2 == 0);
    const std::string prose = " " + prose_of(message) + " ";
    for (const char* word : {" illegal ", " invalid ", " please ", " failed to ", " not allowed ", "'", "\n"}) {
      INFO(word);
      CHECK(prose.find(word) == std::string::npos);
    }
  }
}

}  // namespace
}  // namespace pyptoc::diag
