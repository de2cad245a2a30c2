// SPDX-License-Identifier: Apache-2.0
// Uses and definitions of variables: E0300 to E0307.
#include <catch2/catch.hpp>

#include "build.h"

namespace pyptoc::ir::test {
namespace {

TEST_CASE("a straight-line function verifies") {
  Build b;
  const Var* x = b.var("x", b.tensor({4, 4}));
  const Var* y = b.var("y", b.tensor({4, 4}));
  Stmts body = {b.assign(y, b.op("tensor.add", {x, x}, b.tensor({4, 4}))), b.ret({y})};
  CHECK(faults(b.program({b.function("f", {x}, b.seq(body), {b.tensor({4, 4})})})).empty());
}

TEST_CASE("E0300: a variable without a definition") {
  Build b;
  CHECK(body_faults(b, {b.ret({b.var("x", b.tensor({4}))})}) == Faults{"E0300 variable `x` in `f` has no definition"});
}

TEST_CASE("E0301: a variable of another function") {
  Build b;
  const Var* x = b.var("x", b.scalar());
  const Program* program = b.program({b.function("f", {}, b.ret({x})), b.function("g", {x}, b.ret({x}))});
  diag::Engine engine;
  CHECK_FALSE(verify(program, engine));
  auto all = engine.sorted();
  REQUIRE(all.size() == 1);
  CHECK(all[0].code->id == "E0301");
  CHECK(all[0].message == "variable `x` in `f` belongs to function `g`");
  REQUIRE(all[0].notes.size() == 1);
  CHECK(all[0].notes[0].place.value().begin_line == place_of(program->functions[1]).begin_line);
}

TEST_CASE("a variable that two functions have as their parameter belongs to both") {
  Build b;
  const Var* x = b.var("x", b.scalar());
  CHECK(faults(b.program({b.function("f", {x}, b.ret({x})), b.function("g", {x}, b.ret({x}))})).empty());
}

TEST_CASE("E0302: a use before the definition, in a statement and in its own value") {
  Build b;
  const Var* x = b.var("x", b.scalar());
  const Var* y = b.var("y", b.scalar());
  CHECK(body_faults(b, {b.assign(y, x), b.assign(x, b.num(1))}) ==
        Faults{"E0302 variable `x` in `f` is used before its definition"});
  const Var* z = b.var("z", b.scalar());
  CHECK(body_faults(b, {b.assign(z, b.binary(NodeKind::Add, z, b.num(1)))}) ==
        Faults{"E0302 variable `z` in `f` is used before its definition"});
}

TEST_CASE("E0303: blocks with results keep their variables to themselves") {
  Build b;
  const Var* inner = b.var("inner", b.scalar());
  const Var* result = b.var("result", b.scalar());
  const Stmt* then_body = b.seq({b.assign(inner, b.num(1)), b.yield({inner})});
  Stmts body = {b.branch(b.flag(true), then_body, b.yield({b.num(2)}), {result}), b.ret({result}), b.ret({inner})};
  CHECK(body_faults(b, body) == Faults{"E0303 variable `inner` in `f` is used outside the block that defines it"});
}

TEST_CASE("E0303: a loop variable ends with the loop") {
  Build b;
  const Var* i = b.var("i", b.scalar());
  const Var* x = b.var("x", b.scalar());
  CHECK(body_faults(b, {b.loop(i, b.assign(x, i)), b.ret({i})}) ==
        Faults{"E0303 variable `i` in `f` is used outside the block that defines it"});
}

TEST_CASE("blocks without results hand their variables on, as in Python") {
  Build b;
  const Var* i = b.var("i", b.scalar());
  const Var* x = b.var("x", b.scalar());
  const Var* y = b.var("y", b.scalar());
  Stmts body = {b.branch(b.flag(true), b.assign(x, b.num(1)), b.assign(x, b.num(2))), b.loop(i, b.assign(y, x)),
                b.ret({x, y})};
  CHECK(body_faults(b, body).empty());
}

TEST_CASE("E0303: a branch does not see the other one's variables") {
  Build b;
  const Var* x = b.var("x", b.scalar());
  CHECK(body_faults(b, {b.branch(b.flag(true), b.assign(x, b.num(1)), b.ret({x}))}) ==
        Faults{"E0303 variable `x` in `f` is used outside the block that defines it"});
}

TEST_CASE("E0303: a shared expression is judged at each of its uses") {
  Build b;
  const Var* i = b.var("i", b.scalar());
  const Var* x = b.var("x", b.scalar());
  const Expr* sum = b.binary(NodeKind::Add, i, b.num(1));
  CHECK(body_faults(b, {b.loop(i, b.assign(x, sum)), b.ret({sum})}) ==
        Faults{"E0303 variable `i` in `f` is used outside the block that defines it"});
}

TEST_CASE("E0304: definitions that may be only once") {
  Build b;
  const Var* x = b.var("x", b.scalar());
  Stmts twice = {b.assign(x, b.num(1)), b.assign(x, b.num(2))};
  CHECK(body_faults(b, twice).empty());
  VerifyOptions ssa;
  ssa.ssa = true;
  CHECK(body_faults(b, twice, {}, ssa) == Faults{"E0304 variable `x` in `f` is defined a second time"});
  CHECK(body_faults(b, {b.branch(b.flag(true), b.yield({b.num(1)}), b.yield({b.num(2)}), {x})}, {x}) ==
        Faults{"E0304 variable `x` in `f` is defined a second time"});
  CHECK(body_faults(b, {b.ret({x})}, {x, x}) == Faults{"E0304 variable `x` in `f` is defined a second time"});
}

TEST_CASE("E0305: a dynamic extent is a value only where a parameter binds it") {
  Build b;
  const Var* n = b.var("N", b.scalar());
  const Var* x = b.var("x", b.tensor_of({n}));
  const Var* y = b.var("y", b.tensor({4}));
  const Var* z = b.var("z", b.tensor_of({n}));
  // In the type of z it may stand anywhere.
  const Stmt* body =
      b.seq({b.assign(z, b.op("tensor.create", {b.tuple({n})}, b.tensor_of({n}), {b.dtype(DType::Fp32)})), b.ret({})});
  CHECK(faults(b.program({b.function("f", {x}, b.ret({n})), b.function("g", {y}, body)})) ==
        Faults{"E0305 dynamic extent `N` is used as a value in `g`, but no parameter there has it in its shape"});
}

TEST_CASE("E0306: variables of a kind that does not belong there") {
  Build b;
  const Var* i = b.var("i", b.scalar());
  const Var* plain = b.var("a", b.scalar());
  const Var* result = b.var("r", b.scalar());
  CHECK(body_faults(b, {b.loop(i, b.yield({b.num(1)}), {plain}, {result})}) ==
        Faults{"E0306 `a` must be an IterArg, found Var"});

  auto domain = b.stmt<CommDomainScopeStmt>(NodeKind::CommDomainScopeStmt);
  const Var* slot = b.var("w", b.plain(TypeKind::WindowBufferType));
  domain.slots = b.c.list({slot});
  domain.body = b.ret({});
  CHECK(body_faults(b, {b.c.make(domain)}) == Faults{"E0306 `w` must be a WindowBuffer, found Var"});

  MemRefInfo memref;
  memref.base_node = b.var("base", b.scalar());
  memref.byte_offset = b.num(0);
  TensorType placed = *b.tensor({4});
  placed.memref = b.c.copy(memref);
  CHECK(body_faults(b, {b.ret({})}, {b.var("x", b.c.copy(placed))}) ==
        Faults{"E0306 `base` must be of type Ptr, found Scalar[INDEX]"});
}

TEST_CASE("the base of a memory reference needs no definition") {
  Build b;
  MemRefInfo memref;
  memref.base_node = b.var("base", b.plain(TypeKind::Ptr));
  memref.byte_offset = b.num(0);
  TensorType placed = *b.tensor({4});
  placed.memref = b.c.copy(memref);
  CHECK(body_faults(b, {b.ret({})}, {b.var("x", b.c.copy(placed))}).empty());
}

TEST_CASE("E0307, E0308: names of parameters and functions differ") {
  Build b;
  CHECK(body_faults(b, {b.ret({})}, {b.var("x", b.scalar()), b.var("x", b.scalar())}) ==
        Faults{"E0307 function `f` has two parameters named `x`"});
  CHECK(faults(b.program({b.function("f", {}, b.ret({})), b.function("f", {}, b.ret({}))})) ==
        Faults{"E0308 function `f` is defined twice"});
}

TEST_CASE("scopes define the variable of their task's id") {
  Build b;
  const Var* task = b.var("t", b.task());
  const Stmt* scope =
      b.scope<InCoreScopeStmt>(NodeKind::InCoreScopeStmt, b.ret({}), {{"task_id_var", AttrValue::of_var(task)}});
  CHECK(body_faults(b, {scope, b.ret({task})}).empty());
}

}  // namespace
}  // namespace pyptoc::ir::test
