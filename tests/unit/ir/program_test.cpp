// SPDX-License-Identifier: Apache-2.0
// Functions are found by name, whether the program is large enough for an index or not.
#include "ir/program.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "build.h"

namespace pyptoc::ir {
namespace {

TEST_CASE("a program finds each of its functions by name, and no other") {
  for (int count : {0, 1, 15, 16, 17, 300}) {
    test::Build b;
    std::vector<const Function*> functions;
    for (int i = 0; i < count; ++i)
      functions.push_back(b.c.make(b.function("f" + std::to_string(i * 7919 % 1000), {}, b.c.seq({}, b.next()))));
    const Program* program = b.c.program("p", functions, b.next());
    INFO(count << " functions");
    CHECK(program->functions.size() == functions.size());
    for (const Function* f : functions) CHECK(program->find(f->name) == f);
    CHECK(program->find("f") == nullptr);
    CHECK(program->find("") == nullptr);
    CHECK(program->find("f1001") == nullptr);
    CHECK(std::is_sorted(program->functions.begin(), program->functions.end(),
                         [](const Function* x, const Function* y) { return x->name < y->name; }));
  }
}

}  // namespace
}  // namespace pyptoc::ir
