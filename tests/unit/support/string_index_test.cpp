// SPDX-License-Identifier: Apache-2.0
#include "support/string_index.h"

#include <catch2/catch.hpp>
#include <deque>
#include <string>

namespace pyptoc::support {
namespace {

std::string_view same(std::string_view text) {
  return text;
}

TEST_CASE("strings are numbered in the order of first use") {
  StringIndex index;
  CHECK(index.number("a", same) == 0);
  CHECK(index.number("", same) == 1);
  CHECK(index.number("b", same) == 2);
  CHECK(index.number("a", same) == 0);
  CHECK(index.number("", same) == 1);
  CHECK(index.text(2) == "b");
  CHECK(index.size() == 3);
}

TEST_CASE("strings keep their numbers while the table grows, and a held one is not kept again") {
  StringIndex index;
  std::deque<std::string> held;
  auto keep = [&held](std::string_view text) -> std::string_view { return held.emplace_back(text); };
  for (const int round : {0, 1}) {
    for (uint32_t i = 0; i < 5000; ++i) REQUIRE(index.number("name_" + std::to_string(i * 7919), keep) == i);
    INFO(round);
    REQUIRE(held.size() == 5000);
  }
  CHECK(index.text(4999) == "name_" + std::to_string(4999 * 7919));
}

TEST_CASE("strings with a zero byte or with eight equal bytes first are told apart") {
  using namespace std::string_view_literals;
  StringIndex index;
  CHECK(index.number("a\0"sv, same) == 0);
  CHECK(index.number("a"sv, same) == 1);
  CHECK(index.number("12345678"sv, same) == 2);
  CHECK(index.number("123456789"sv, same) == 3);
  CHECK(index.number("12345678\0"sv, same) == 4);
}

}  // namespace
}  // namespace pyptoc::support
