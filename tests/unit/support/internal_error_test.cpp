// SPDX-License-Identifier: Apache-2.0
// Broken invariants throw, and say where without telling where pyptoc was built.
#include "support/internal_error.h"

#include <catch2/catch.hpp>
#include <string>

namespace pyptoc::support {
namespace {

std::string counted_text(int& calls) {
  ++calls;
  return "text";
}

TEST_CASE("an assertion that holds does not make its text") {
  int calls = 0;
  PYPTOC_ASSERT(1 + 1 == 2, counted_text(calls));
  CHECK(calls == 0);
}

TEST_CASE("a broken assertion carries text, file and line") {
  int line = 0;
  try {
    line = __LINE__ + 1;
    PYPTOC_ASSERT(1 + 1 == 3, "sums differ");
    FAIL("no exception");
  } catch (const InternalError& error) {
    CHECK(error.text() == "sums differ");
    CHECK(error.file() == "tests/unit/support/internal_error_test.cpp");
    CHECK(error.line() == line);
    CHECK(std::string(error.what()) ==
          "sums differ (tests/unit/support/internal_error_test.cpp:" + std::to_string(line) + ")");
  }
}

TEST_CASE("unreachable code throws when it is reached") {
  CHECK_THROWS_AS(PYPTOC_UNREACHABLE("kind " + std::to_string(7)), InternalError);
}

TEST_CASE("files are named from the source root on") {
  CHECK(InternalError("t", "/a/src/b/src/ir/arena.cpp", 1).file() == "src/ir/arena.cpp");
  CHECK(InternalError("t", "src/ir/arena.cpp", 1).file() == "src/ir/arena.cpp");
  CHECK(InternalError("t", "/elsewhere/arena.cpp", 1).file() == "arena.cpp");
  CHECK(InternalError("t", "arena.cpp", 1).file() == "arena.cpp");
}

}  // namespace
}  // namespace pyptoc::support
