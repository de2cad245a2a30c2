// SPDX-License-Identifier: Apache-2.0
// Signatures, returns, calls and submits: E0309 to E0314, E0342 to E0354, E0356, E0358.
#include <catch2/catch.hpp>

#include "build.h"

namespace pyptoc::ir::test {
namespace {

// A kernel `k(x: Tensor[4, 4] In, out: Tensor[4, 4] Out, n: INDEX In) -> Tensor[4, 4]`.
Function kernel(Build& b) {
  Vars params = {b.var("x", b.tensor({4, 4})), b.var("n", b.scalar()), b.var("out", b.tensor({4, 4}))};
  Function k = b.function("k", params, b.ret({params[2]}), {b.tensor({4, 4})});
  k.func_type = FunctionType::Aiv;
  k.param_directions = b.directions({ParamDirection::In, ParamDirection::In, ParamDirection::Out});
  return k;
}

// The faults of `f(x, out)` that evaluates one expression, next to the kernel.
template <class F>
Faults caller_faults(Build& b, F make) {
  Function k = kernel(b);
  Vars params = {b.var("x", b.tensor({4, 4})), b.var("out", b.tensor({4, 4}))};
  return faults(b.program({b.function("f", params, b.eval(make(params[0], params[1]))), k}));
}

AttrValue arg_directions(Build& b, std::initializer_list<int32_t> list) {
  return AttrValue::of_ints(AttrKind::ArgDirectionVector, b.c.list(list));
}

TEST_CASE("E0309: one direction for each parameter") {
  Build b;
  Function f = b.function("f", {b.var("x", b.scalar())}, b.ret({}));
  f.param_directions = b.directions({ParamDirection::In, ParamDirection::In});
  CHECK(faults(b.program({f})) == Faults{"E0309 function `f` has 1 parameters but 2 parameter directions"});
}

TEST_CASE("E0310: scalars come in only") {
  Build b;
  Function f = b.function("f", {b.var("n", b.scalar())}, b.ret({}));
  f.param_directions = b.directions({ParamDirection::InOut});
  CHECK(faults(b.program({f})) ==
        Faults{"E0310 parameter `n` of `f` has type `Scalar[INDEX]` and can only be In, found InOut"});
}

TEST_CASE("E0311: level and role follow from the type") {
  Build b;
  Function f = b.function("f", {}, b.ret({}));
  f.func_type = FunctionType::Aiv;
  f.level = Level::Chip;
  f.role = Role::Orchestrator;
  CHECK(faults(b.program({f})) == Faults{"E0311 level of `f` must be AIV for a function of type AIV, found CHIP",
                                         "E0311 role of `f` must be SubWorker for a function of type AIV, found "
                                         "Orchestrator"});
  f.func_type = FunctionType::Orchestration;
  f.level = Level::Host;
  CHECK(faults(b.program({f})).empty());
  f.func_type = FunctionType::Spmd;
  CHECK(faults(b.program({f})).empty());
}

TEST_CASE("E0312, E0313, W0314: returns against declared results") {
  Build b;
  const Var* x = b.var("x", b.tensor({4, 4}));
  auto with_results = [&](const Stmt* body, const std::vector<const Type*>& results) {
    return faults(b.program({b.function("f", {x}, body, results)}));
  };
  CHECK(with_results(b.ret({x, x}), {b.tensor({4, 4})}) == Faults{"E0312 `f` returns 1 values, found 2"});
  CHECK(with_results(b.ret({x}), {b.tensor({4, 4}, DType::Int32)}) ==
        Faults{"E0313 `f` returns `Tensor[[4, 4], INT32]`, found `Tensor[[4, 4], FP32]`"});
  CHECK(with_results(b.ret({x}), {b.tensor({8, 4})}) ==
        Faults{"W0314 `f` declares a result of `Tensor[[8, 4], FP32]` and returns `Tensor[[4, 4], FP32]`"});
  CHECK(with_results(b.ret({x}), {b.tensor({16})}).empty());  // the same elements
  CHECK(with_results(b.ret({x}), {}).empty());                // undeclared
  CHECK(with_results(b.ret({x, x}), {b.c.tuple_type({x->type, x->type})}).empty());
  CHECK(with_results(b.ret({b.tuple({x, x})}), {x->type, x->type}).empty());
}

TEST_CASE("calls and submits that fit") {
  Build b;
  CHECK(caller_faults(b, [&](const Expr* x, const Expr* out) {
          return b.call("k", {x, b.num(1, DType::Int32), out}, b.tensor({4, 4}),
                        {{"arg_directions", arg_directions(b, {0, 5, 3})}});
        }).empty());
  CHECK(caller_faults(b, [&](const Expr* x, const Expr*) {
          return b.c.make(b.submit("k", {x, b.num(1)}, {b.tensor({4, 4})}));
        }).empty());
}

TEST_CASE("a window may be passed where a tensor is due, not the other way round") {
  Build b;
  auto pass = [&](const Type* argument, const Type* parameter) {
    Function g = b.function("g", {b.var("p", parameter)}, b.ret({}));
    const Var* x = b.var("x", argument);
    return faults(b.program({b.function("f", {x}, b.eval(b.call("g", {x}, b.plain()))), g}));
  };
  CHECK(pass(b.window({4}), b.tensor({4})).empty());
  CHECK(pass(b.tensor({4}), b.window({4})) ==
        Faults{"E0344 parameter `p` of `g` has type `DistributedTensor[[4], FP32]`, found `Tensor[[4], FP32]`"});
}

TEST_CASE("E0342: the closest function is named") {
  Build b;
  const Stmt* body = b.eval(b.call("kernal", {}, b.plain()));
  CHECK(faults(b.program({b.function("kernel", {}, body), b.function("other", {}, b.ret({}))})) ==
        Faults{"E0342 unknown function `kernal`", "  help: the closest function is `kernel`"});
}

TEST_CASE("E0343: as many arguments as parameters") {
  Build b;
  CHECK(caller_faults(b, [&](const Expr* x, const Expr*) {
          return b.call("k", {x, b.num(1)}, b.tensor({4, 4}));
        }) == Faults{"E0343 function `k` takes 3 arguments, found 2"});
  CHECK(caller_faults(b, [&](const Expr* x, const Expr*) {
          return b.c.make(b.submit("k", {x}, {b.tensor({4, 4})}));
        }) == Faults{"E0343 function `k` takes 3 arguments, found 1"});
}

TEST_CASE("E0344: arguments of the parameters' kind and element type") {
  Build b;
  CHECK(caller_faults(b, [&](const Expr* x, const Expr* out) {
          return b.call("k", {x, x, out}, b.tensor({4, 4}));
        }) == Faults{"E0344 parameter `n` of `k` has type `Scalar[INDEX]`, found `Tensor[[4, 4], FP32]`"});
}

TEST_CASE("E0345, W0347: arguments of another size") {
  Build b;
  auto pass = [&](const Type* argument) {
    const Var* x = b.var("x", argument);
    Function g = b.function("g", {b.var("p", b.tensor({4, 4}))}, b.ret({}));
    return faults(b.program({b.function("f", {x}, b.eval(b.call("g", {x}, b.plain()))), g}));
  };
  CHECK(pass(b.tensor({2, 4})) == Faults{"E0345 parameter `p` of `g` has 16 elements, the argument `x` only 8"});
  CHECK(pass(b.tensor({8, 4})) == Faults{"W0347 parameter `p` of `g` has type `Tensor[[4, 4], FP32]`, the argument "
                                         "`Tensor[[8, 4], FP32]`"});
  CHECK(pass(b.tensor({16})).empty());
  CHECK(pass(b.tensor_of({b.num(4), b.num(4)})).empty());
}

TEST_CASE("E0348: the type of a call is that of the results") {
  Build b;
  CHECK(caller_faults(b, [&](const Expr* x, const Expr* out) {
          return b.call("k", {x, b.num(1), out}, b.scalar());
        }) == Faults{"E0348 call of `k` gives `Tensor[[4, 4], FP32]`, its type says `Scalar[INDEX]`"});
  CHECK(caller_faults(b,
                      [&](const Expr* x, const Expr*) {
                        return b.c.make(b.submit("k", {x, b.num(1)}, {}));
                      }) == Faults{"E0348 call of `k` gives `Tensor[[4, 4], FP32], Scalar[TASK_ID]`, its type says "
                                   "`Tuple[Scalar[TASK_ID]]`"});
}

TEST_CASE("E0349, E0350, E0341: the parts of a submit") {
  Build b;
  auto with = [&](auto change) {
    return caller_faults(b, [&](const Expr* x, const Expr* out) {
      Submit draft = b.submit("k", {x, b.num(1), out}, {b.tensor({4, 4})});
      change(draft);
      return b.c.make(draft);
    });
  };
  CHECK(with([&](Submit& s) { s.deps = b.c.list({b.num(3)}); }) ==
        Faults{"E0349 dependency of a submit of `k` must be a task id or an array of task ids, found `Scalar[INDEX]`"});
  CHECK(with([&](Submit& s) { s.core_num = b.flag(true); }) ==
        Faults{"E0350 number of blocks of a submit of `k` must be an integer scalar, found `Scalar[BOOL]`"});
  CHECK(with([&](Submit& s) { s.predicate = b.num(1); }) ==
        Faults{"E0350 predicate of a submit of `k` must be `Scalar[BOOL]`, found `Scalar[INDEX]`"});
  CHECK(with([&](Submit& s) { s.op = b.c.op("tensor.add", false); }) ==
        Faults{"E0341 operator `tensor.add` cannot be submitted"});
}

TEST_CASE("E0351, E0352: argument directions against the signature") {
  Build b;
  auto with = [&](std::initializer_list<int32_t> directions) {
    return caller_faults(b, [&](const Expr* x, const Expr* out) {
      return b.call("k", {x, b.num(1), out}, b.tensor({4, 4}), {{"arg_directions", arg_directions(b, directions)}});
    });
  };
  CHECK(with({0, 5}) == Faults{"E0351 call of `k` has 3 arguments but 2 argument directions"});
  CHECK(with({3, 5, 3}) == Faults{"E0352 argument direction OutputExisting for parameter `x` of `k`, which is In"});
  CHECK(with({0, 5, 0}) == Faults{"E0352 argument direction Input for parameter `out` of `k`, which is Out"});
  CHECK(with({5, 5, 2}) == Faults{"E0352 argument direction Scalar for parameter `x` of `k`, which is In"});
  CHECK(with({0, 2, 2}) == Faults{"E0352 argument direction InOut for parameter `n` of `k`, which is Scalar[INDEX]"});
  CHECK(with({4, 5, 4}).empty());  // NoDep goes with everything
}

TEST_CASE("E0353: functions have no keywords") {
  Build b;
  CHECK(caller_faults(b, [&](const Expr* x, const Expr* out) {
          return b.call("k", {x, b.num(1), out}, b.tensor({4, 4}), {}, {b.integer("depth", 2)});
        }) == Faults{"E0353 call of function `k` has keyword `depth`"});
}

TEST_CASE("E0354, E0356: attributes that are known") {
  Build b;
  Function f = b.function("f", {}, b.ret({}));
  f.attrs =
      b.c.list({b.integer("auto_scope", 1), b.integer("my_own", 1), b.integer("split", 1), b.integer("split", 2)});
  CHECK(faults(b.program({f})) == Faults{"E0354 attribute `auto_scope` of a function must be bool, found int",
                                         "E0356 attribute `split` of a function is given twice"});
}

// A `deps=[x]` of a scope named a tensor, and the emitted C++ took it for an id.
TEST_CASE("E0358: what a task waits for is a task") {
  Build b;
  auto of_call = [&](const char* key) {
    return caller_faults(b, [&](const Expr* x, const Expr* out) {
      return b.call("k", {x, b.num(1), out}, b.tensor({4, 4}),
                    {{key, AttrValue::of_vars(b.c.list<const Var*>({as<Var>(x), nullptr}))}});
    });
  };
  CHECK(of_call("manual_dep_edges") ==
        Faults{"E0358 `manual_dep_edges` of a call names `x`, which is no task id but `Tensor[[4, 4], FP32]`"});
  CHECK(of_call("compiler_manual_dep_edges") == Faults{});
  const Vars given = {b.var("x", b.tensor({4, 4})), b.var("t", b.task()), b.var("a", b.array(4))};
  const Stmt* waits = b.scope<InCoreScopeStmt>(NodeKind::InCoreScopeStmt, b.ret({}),
                                               {{"manual_dep_edges", AttrValue::of_vars(b.c.list(given))}});
  CHECK(faults(b.program({b.function("f", given, waits)})) ==
        Faults{"E0358 `manual_dep_edges` of a scope names `x`, which is no task id but `Tensor[[4, 4], FP32]`"});
}

TEST_CASE("E0300: attributes use variables too") {
  Build b;
  const Var* task = b.var("t", b.task());
  const Stmt* waits = b.scope<InCoreScopeStmt>(
      NodeKind::InCoreScopeStmt, b.ret({}),
      {{"manual_dep_edges", AttrValue::of_vars(b.c.list({task, static_cast<const Var*>(nullptr)}))}});
  CHECK(body_faults(b, {waits}) == Faults{"E0300 variable `t` in `f` has no definition"});
}

}  // namespace
}  // namespace pyptoc::ir::test
