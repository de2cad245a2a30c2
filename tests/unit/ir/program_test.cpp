// SPDX-License-Identifier: Apache-2.0
// Functions are found by name and by the operator of their calls.
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
    for (const Function* f : functions) CHECK(program->find(b.c.op(f->name, true)) == f);
    CHECK(program->find(b.c.op("f1001", true)) == nullptr);  // newer than the program
    CHECK(std::is_sorted(program->functions.begin(), program->functions.end(),
                         [](const Function* x, const Function* y) { return x->name < y->name; }));
  }
}

TEST_CASE("an operator of the name of a function is no call of it") {
  test::Build b;
  const Program* program = b.program({b.function("tensor.adds", {}, b.c.seq({}, b.next()))});
  CHECK(program->find(b.c.op("tensor.adds", true)) == program->functions[0]);
  CHECK(program->find(b.c.op("tensor.adds", false)) == nullptr);
}

TEST_CASE("a function under a new name is called by a new operator") {
  test::Build b;
  const Program* program = b.program({b.function("f", {}, b.c.seq({}, b.next()))});
  Function draft = *program->functions[0];
  draft.name = b.c.intern("g");
  const Function* renamed = b.c.make(draft);
  CHECK(renamed->op == b.c.op("g", true));
  const Program* after = b.c.program("P", {renamed}, b.next());
  CHECK(after->find(b.c.op("g", true)) == renamed);
  CHECK(after->find(b.c.op("f", true)) == nullptr);
  CHECK(program->find(b.c.op("f", true)) == program->functions[0]);
}

}  // namespace
}  // namespace pyptoc::ir
