// SPDX-License-Identifier: Apache-2.0
// Statements: E0315 to E0325.
#include <catch2/catch.hpp>

#include "build.h"

namespace pyptoc::ir::test {
namespace {

TEST_CASE("a loop that carries a value and an if with a result verify") {
  Build b;
  const Var* i = b.var("i", b.scalar());
  const IterArg* sum = b.iter_arg("sum", b.num(0), b.scalar());
  const Var* total = b.var("total", b.scalar());
  const Var* pick = b.var("pick", b.scalar());
  const Stmt* body = b.yield({b.binary(NodeKind::Add, sum, i)});
  Stmts all = {b.loop(i, body, {sum}, {total}),
               b.branch(b.binary(NodeKind::Lt, total, b.num(3)), b.yield({total}), b.yield({b.num(3)}), {pick}),
               b.ret({pick})};
  VerifyOptions ssa;
  ssa.ssa = true;
  CHECK(body_faults(b, all, {}, ssa).empty());
}

TEST_CASE("E0315: conditions are BOOL") {
  Build b;
  CHECK(body_faults(b, {b.branch(b.num(1), b.ret({}), nullptr)}) ==
        Faults{"E0315 condition of if must be `Scalar[BOOL]`, found `Scalar[INDEX]`"});
  CHECK(body_faults(b, {b.while_loop(b.num(1), b.ret({}))}) ==
        Faults{"E0315 condition of while must be `Scalar[BOOL]`, found `Scalar[INDEX]`"});
}

TEST_CASE("E0316: loop bounds are integers") {
  Build b;
  auto draft = b.stmt<ForStmt>(NodeKind::ForStmt);
  draft.loop_var = b.var("i", b.scalar(DType::Fp32));
  draft.start = b.num(0);
  draft.stop = b.flag(true);
  draft.step = b.num(1);
  draft.body = b.ret({});
  auto spmd = b.stmt<SpmdScopeStmt>(NodeKind::SpmdScopeStmt);
  spmd.core_num = b.flag(true);
  spmd.body = b.ret({});
  CHECK(body_faults(b, {b.c.make(spmd)}) ==
        Faults{"E0316 number of blocks of a scope must be an integer scalar, found `Scalar[BOOL]`"});
  CHECK(body_faults(b, {b.c.make(draft)}) ==
        Faults{"E0316 variable of a loop must be an integer scalar, found `Scalar[FP32]`",
               "E0316 stop of a loop must be an integer scalar, found `Scalar[BOOL]`"});
}

TEST_CASE("E0317: break and continue belong to loops") {
  Build b;
  const Stmt* stop = b.c.make(b.stmt<BreakStmt>(NodeKind::BreakStmt));
  const Stmt* skip = b.c.make(b.stmt<ContinueStmt>(NodeKind::ContinueStmt));
  CHECK(body_faults(b, {stop, skip}) ==
        Faults{"E0317 `break` stands outside a loop", "E0317 `continue` stands outside a loop"});
  CHECK(body_faults(b, {b.loop(b.var("i", b.scalar()), b.branch(b.flag(true), stop, skip))}).empty());
}

TEST_CASE("E0318: a yield is the last statement of a body") {
  Build b;
  const Var* r = b.var("r", b.scalar());
  CHECK(body_faults(b, {b.yield({b.num(1)})}) ==
        Faults{"E0318 yield is not the last statement of the body of a loop or branch"});
  const Stmt* early = b.seq({b.yield({b.num(1)}), b.yield({b.num(2)})});
  CHECK(body_faults(b, {b.branch(b.flag(true), early, b.yield({b.num(3)}), {r})}) ==
        Faults{"E0318 yield is not the last statement of the body of a loop or branch"});
  // Scopes only group statements.
  const Stmt* inside = b.scope<RuntimeScopeStmt>(NodeKind::RuntimeScopeStmt, b.yield({b.num(1)}));
  CHECK(body_faults(b, {b.branch(b.flag(true), inside, b.yield({b.num(3)}), {r})}).empty());
}

TEST_CASE("E0319: results need yields") {
  Build b;
  const Var* r = b.var("r", b.scalar());
  const Var* i = b.var("i", b.scalar());
  CHECK(body_faults(b, {b.branch(b.flag(true), b.yield({b.num(1)}), b.ret({}), {r})}) ==
        Faults{"E0319 else branch must end with a yield of 1 values"});
  CHECK(body_faults(b, {b.branch(b.flag(true), b.yield({b.num(1)}), nullptr, {r})}) ==
        Faults{"E0319 else branch must end with a yield of 1 values"});
  CHECK(body_faults(b, {b.loop(i, b.ret({}), {b.iter_arg("a", b.num(0), b.scalar())}, {r})}) ==
        Faults{"E0319 for loop must end with a yield of 1 values"});
}

TEST_CASE("E0320: as many yielded values as variables") {
  Build b;
  const Var* r = b.var("r", b.scalar());
  CHECK(body_faults(b, {b.branch(b.flag(true), b.yield({b.num(1), b.num(2)}), b.yield({b.num(1)}), {r})}) ==
        Faults{"E0320 then branch yields 2 values for 1 variables"});
  CHECK(body_faults(b, {b.loop(b.var("i", b.scalar()), b.yield({b.num(1)}))}) ==
        Faults{"E0320 for loop yields 1 values for 0 variables"});
}

TEST_CASE("E0321: as many results as carried variables") {
  Build b;
  const Stmt* loop = b.while_loop(b.flag(true), b.yield({b.num(1)}), {b.iter_arg("a", b.num(0), b.scalar())});
  CHECK(body_faults(b, {loop}) == Faults{"E0321 while loop has 1 carried variables but 0 results"});
}

TEST_CASE("E0322: what is carried keeps its type") {
  Build b;
  const Var* i = b.var("i", b.scalar());
  const Type* real = b.scalar(DType::Fp32);
  auto carry = [&](const Expr* init, const Type* type, const Expr* value, const Type* result) {
    return body_faults(b, {b.loop(i, b.yield({value}), {b.iter_arg("a", init, type)}, {b.var("r", result)})});
  };
  const Expr* one = b.c.const_float(1, DType::Fp32);
  CHECK(carry(one, b.scalar(), b.num(1), b.scalar()) ==
        Faults{"E0322 initial value of `a` has type `Scalar[INDEX]`, found `Scalar[FP32]`"});
  CHECK(carry(b.num(1), b.scalar(), one, b.scalar()) ==
        Faults{"E0322 value yielded for `a` has type `Scalar[INDEX]`, found `Scalar[FP32]`"});
  CHECK(carry(b.num(1), b.scalar(), b.num(1), real) ==
        Faults{"E0322 result `r` has type `Scalar[FP32]`, found `Scalar[INDEX]`"});
}

TEST_CASE("E0323: assignments do not convert") {
  Build b;
  CHECK(body_faults(b, {b.assign(b.var("x", b.scalar(DType::Int32)), b.num(1))}) ==
        Faults{"E0323 `x` has type `Scalar[INT32]`, its value has type `Scalar[INDEX]`"});
  CHECK(body_faults(b, {b.assign(b.var("x", b.scalar(DType::Int64)), b.num(1))}).empty());
}

TEST_CASE("E0324: inline code is the body of a HOST sub-worker") {
  Build b;
  auto draft = b.stmt<InlineStmt>(NodeKind::InlineStmt);
  draft.body = "pass";
  const Stmt* code = b.c.make(draft);
  CHECK(body_faults(b, {code}) == Faults{"E0324 inline code stands in `f`, which is no HOST sub-worker"});
  Function worker = b.function("w", {}, code);
  worker.level = Level::Host;
  worker.role = Role::SubWorker;
  CHECK(faults(b.program({worker})).empty());
}

TEST_CASE("E0325: nesting has a limit that no stack sees") {
  Build b;
  const Expr* deep = b.num(1);
  for (int i = 0; i < 100000; ++i) deep = b.c.binary(NodeKind::Add, deep, b.c.const_int(1));
  CHECK(body_faults(b, {b.ret({deep})}) ==
        Faults{"E0325 statements and expressions of `f` are nested deeper than 1000 levels"});
  const Stmt* stmt = b.ret({});
  for (int i = 0; i < 100000; ++i) stmt = b.branch(b.flag(true), stmt, nullptr);
  CHECK(body_faults(b, {stmt}) == Faults{"E0325 statements and expressions of `f` are nested deeper than 1000 levels"});
}

TEST_CASE("shared expressions are looked at once") {
  Build b;
  const Expr* shared = b.num(1);
  for (int i = 0; i < 300; ++i) shared = b.c.binary(NodeKind::Add, shared, shared);  // 2^300 paths
  CHECK(body_faults(b, {b.ret({shared}), b.ret({shared})}).empty());
}

}  // namespace
}  // namespace pyptoc::ir::test
