// SPDX-License-Identifier: Apache-2.0
// Distances against hand-made values, and the choice of the closest name.
#include "support/edit_distance.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace pyptoc::support {
namespace {

std::string closest_of(std::string_view name, const std::vector<std::string_view>& candidates) {
  return std::string(closest(name, candidates).value_or("(none)"));
}

TEST_CASE("edit distance counts insertions, deletions, replacements and swaps") {
  CHECK(edit_distance("", "", 5) == 0);
  CHECK(edit_distance("", "abc", 5) == 3);
  CHECK(edit_distance("abc", "abc", 5) == 0);
  CHECK(edit_distance("abc", "ab", 5) == 1);
  CHECK(edit_distance("abc", "axc", 5) == 1);
  CHECK(edit_distance("abc", "acb", 5) == 1);
  CHECK(edit_distance("ca", "abc", 5) == 3);  // each place changes once
  CHECK(edit_distance("kitten", "sitting", 5) == 3);
}

TEST_CASE("edit distance stops beyond its bound") {
  CHECK(edit_distance("kitten", "sitting", 3) == 3);
  CHECK(edit_distance("kitten", "sitting", 2) == 3);
  CHECK(edit_distance("a", "abcdefgh", 2) == 3);
  CHECK(edit_distance("abcdefgh", "hgfedcba", 2) == 3);
}

TEST_CASE("a swap across the last row is found at the tightest bound") {
  CHECK(edit_distance("ab", "ba", 1) == 1);
  CHECK(edit_distance("xxab", "xxba", 1) == 1);
}

TEST_CASE("the closest name wins, the first of equals") {
  CHECK(closest_of("init_valu", {"name_hint", "initValue", "init_value"}) == "init_value");
  CHECK(closest_of("init_value", {"name_hint", "initValue"}) == "initValue");
  CHECK(closest_of("allreduce", {"allgather", "all_reduce", "reduce"}) == "all_reduce");
  CHECK(closest_of("bat", {"cat", "hat"}) == "cat");
}

TEST_CASE("case and dashes hardly count, an exact name always wins") {
  CHECK(closest_of("fp32", {"FP16", "FP32"}) == "FP32");
  CHECK(closest_of("unknown-field", {"unknown_field"}) == "unknown_field");
  CHECK(closest_of("abc", {"ABC", "abc"}) == "abc");
}

TEST_CASE("nothing is closest when nothing is near") {
  CHECK(closest_of("stmts", {"condition", "then_body"}) == "(none)");
  CHECK(closest_of("x", {"y", "z"}) == "(none)");
  CHECK(closest_of("", {"a"}) == "(none)");
  CHECK(closest_of("abc", {}) == "(none)");
  CHECK(closest_of(std::string(100000, 'a'), {"a"}) == "(none)");
}

}  // namespace
}  // namespace pyptoc::support
