// SPDX-License-Identifier: Apache-2.0
// Equality of types, expressions and programs.
#include "ir/equal.h"

#include <catch2/catch.hpp>
#include <limits>

#include "build.h"
#include "ir/depth_guard.h"
#include "ir/describe.h"

namespace pyptoc::ir::test {
namespace {

TEST_CASE("types are equal by their parts") {
  Build b;
  const Var* n = b.var("n", b.scalar());
  CHECK(type_equal(b.tensor({4, 8}), b.tensor({4, 8})));
  CHECK_FALSE(type_equal(b.tensor({4, 8}), b.tensor({8, 4})));
  CHECK_FALSE(type_equal(b.tensor({4}), b.tensor({4}, DType::Fp16)));
  CHECK_FALSE(type_equal(b.tensor({4}), b.window({4})));
  CHECK(type_equal(b.tensor_of({n}), b.tensor_of({n})));
  CHECK_FALSE(type_equal(b.tensor_of({n}), b.tensor_of({b.var("n", b.scalar())})));
  CHECK_FALSE(type_equal(b.tile({4}), b.tile({4}, DType::Fp32, MemorySpace::Acc)));
  CHECK(type_equal(b.tile({4}), b.tile({4}, DType::Fp32, MemorySpace::Acc), {.memory_space = false}));
  CHECK(type_equal(b.array(4), b.array(4)));
  CHECK_FALSE(type_equal(b.array(4), b.array(5)));
  CHECK(type_equal(b.c.tuple_type({b.scalar(), b.task()}), b.c.tuple_type({b.scalar(), b.task()})));
  CHECK_FALSE(type_equal(b.c.tuple_type({b.scalar()}), b.c.tuple_type({b.scalar(), b.task()})));
}

TEST_CASE("a valid shape that is the shape says nothing") {
  Build b;
  TensorView view;
  view.valid_shape = b.tensor({4})->shape;
  TensorType full = *b.tensor({4});
  full.view = b.c.copy(view);
  CHECK(type_equal(b.c.copy(full), b.tensor({4})));
  view.valid_shape = b.tensor({3})->shape;
  full.view = b.c.copy(view);
  CHECK_FALSE(type_equal(b.c.copy(full), b.tensor({4})));
  CHECK(type_equal(b.c.copy(full), b.tensor({4}), {.views = false}));
}

TEST_CASE("expressions are equal by structure and variables by identity") {
  Build b;
  const Var* n = b.var("n", b.scalar());
  auto sum = [&](const Expr* x, int64_t y) { return b.binary(NodeKind::Add, x, b.num(y)); };
  CHECK(expr_equal(sum(n, 1), sum(n, 1)));
  CHECK_FALSE(expr_equal(sum(n, 1), sum(n, 2)));
  CHECK_FALSE(expr_equal(sum(n, 1), sum(b.var("n", b.scalar()), 1)));
  CHECK_FALSE(expr_equal(b.num(1), b.num(1, DType::Int64)));
  CHECK(extent_equal(b.num(1), b.num(1, DType::Int64)));
  CHECK(expr_equal(b.op("tensor.dim", {n}, b.scalar()), b.op("tensor.dim", {n}, b.scalar())));
  CHECK_FALSE(
      expr_equal(b.op("a.b", {n}, b.scalar(), {b.integer("k", 1)}), b.op("a.b", {n}, b.scalar(), {b.integer("k", 2)})));
}

TEST_CASE("comparing expressions has a bounded cost") {
  Build b;
  const Expr* left = b.num(1);
  const Expr* right = b.num(1);
  for (int i = 0; i < 60; ++i) {  // 2^60 paths through shared nodes
    left = b.binary(NodeKind::Add, left, left);
    right = b.binary(NodeKind::Add, right, right);
  }
  CHECK_FALSE(expr_equal(left, right));
  CHECK(expr_equal(left, left));
}

// f(x: Tensor[4]) { loop { y = x + x }; return y } with choices for names, comment, operator and constant.
struct Choice {
  std::string_view function = "f";
  std::string_view param = "x";
  std::string_view local = "y";
  std::string_view comment = "why";
  std::string_view op = "tensor.add";
  int64_t stop = 4;
  bool same_operand = true;
  double fill = 1;
  std::vector<int64_t> shape = {4};
  std::optional<Level> level;
};
const Program* make(Build& b, const Choice& choice) {
  const Type* type = b.tensor(choice.shape);
  const Var* x = b.var(choice.param, type);
  const Var* z = b.var("z", type);
  const Var* y = b.var(choice.local, type);
  AssignStmt assign = b.stmt<AssignStmt>(NodeKind::AssignStmt);
  assign.var = y;
  assign.value = b.op(choice.op, {x, choice.same_operand ? x : z}, type, {{"fill", AttrValue::of_float(choice.fill)}});
  assign.leading_comments = b.c.list({choice.comment});
  ForStmt loop = b.stmt<ForStmt>(NodeKind::ForStmt);
  loop.loop_var = b.var("i", b.scalar());
  loop.start = b.num(0);
  loop.stop = b.num(choice.stop);
  loop.step = b.num(1);
  loop.body = b.c.make(assign);
  Function f = b.function(choice.function, {x, z}, b.seq({b.c.make(loop), b.ret({y})}), {type});
  f.level = choice.level;
  return b.program({f});
}
std::string difference(const Choice& left, const Choice& right, const EqualOptions& options = {}) {
  Build a;
  Build b;
  auto found = first_difference(make(a, left), make(b, right), options);
  return found.has_value() ? found->path + ": " + found->text : "";
}

TEST_CASE("programs are equal whatever their local variables are called") {
  CHECK(difference({}, {}) == "");
  Choice renamed;
  renamed.local = "other";
  CHECK(difference({}, renamed) == "");
  CHECK(difference({}, renamed, {.local_names = true}) ==
        "$.functions[0].value.body.stmts[0].body.var.name_hint: `y`, in the other `other`");
  Choice commented;
  commented.comment = "because";
  CHECK(difference({}, commented) ==
        "$.functions[0].value.body.stmts[0].body.leading_comments[0]: `why`, in the other `because`");
  CHECK(difference({}, commented, {.leading_comments = false}) == "");
}

TEST_CASE("what is different has a path") {
  auto with = [](auto change) {
    Choice choice;
    change(choice);
    return difference({}, choice);
  };
  CHECK(with([](Choice& c) { c.function = "g"; }) == "$.functions[0].value.name: `f`, in the other `g`");
  CHECK(with([](Choice& c) { c.param = "w"; }) == "$.functions[0].value.params[0]: `x`, in the other `w`");
  CHECK(with([](Choice& c) { c.op = "tensor.sub"; }) ==
        "$.functions[0].value.body.stmts[0].body.value.op: `tensor.add`, in the other `tensor.sub`");
  CHECK(with([](Choice& c) { c.stop = 5; }) == "$.functions[0].value.body.stmts[0].stop.value: 4, in the other 5");
  CHECK(with([](Choice& c) { c.same_operand = false; }) ==
        "$.functions[0].value.body.stmts[0].body.value.args[1]: `x`, which stands for `x`, in the other `z`");
  CHECK(with([](Choice& c) { c.fill = 2; }) ==
        "$.functions[0].value.body.stmts[0].body.value.kwargs[0].fill: 1, in the other 2");
  CHECK(with([](Choice& c) { c.shape = {5}; }) ==
        "$.functions[0].value.params[0].type.shape[0].value: 4, in the other 5");
  CHECK(with([](Choice& c) {
          c.shape = {4, 1};
        }) == "$.functions[0].value.params[0].type.shape: 1 entries, in the other 2 entries");
  CHECK(with([](Choice& c) { c.level = Level::Chip; }) == "$.functions[0].value.level: nothing, in the other given");
}

TEST_CASE("floats are compared by their bits") {
  Choice nan;
  nan.fill = std::numeric_limits<double>::quiet_NaN();
  CHECK(difference(nan, nan) == "");
  Choice zero;
  zero.fill = 0.0;
  Choice minus;
  minus.fill = -0.0;
  CHECK(difference(zero, minus) != "");
}

TEST_CASE("the difference knows the places of both nodes") {
  Build a;
  Build b;
  b.next();  // everything one line further down
  Choice other;
  other.stop = 5;
  const Program* right = make(b, other);
  auto found = first_difference(make(a, {}), right);
  REQUIRE(found.has_value());
  CHECK(found->place_a.begin_line + 1 == found->place_b.begin_line);
}

TEST_CASE("sharing does not count, and makes nothing slow") {
  auto build = [](Build& b, bool share) {
    const Expr* one = b.num(1);
    const Expr* sum = b.binary(NodeKind::Add, one, share ? one : b.num(1));
    for (int i = 0; i < 200; ++i) sum = b.c.binary(NodeKind::Add, sum, sum);
    return b.program({b.function("f", {}, b.ret({sum}))});
  };
  Build a;
  Build b;
  CHECK_FALSE(first_difference(build(a, true), build(b, false)).has_value());
}

TEST_CASE("two variables of one program are not one of the other") {
  auto build = [](Build& b, bool two) {
    const Var* x = b.var("x", b.scalar());
    const Var* y = b.var("x", b.scalar());
    return b.program({b.function("f", {}, b.seq({b.assign(x, b.num(1)), b.assign(two ? y : x, b.num(1))}))});
  };
  Build a;
  Build b;
  Build c;
  const Program* one = build(a, false);
  const Program* two = build(b, true);
  CHECK(first_difference(one, two).has_value());
  CHECK(first_difference(two, one).has_value());
  CHECK_FALSE(first_difference(two, build(c, true)).has_value());
}

TEST_CASE("too deep a program is no stack overflow") {
  Build b;
  const Expr* deep = b.num(1);
  for (int i = 0; i < 100000; ++i) deep = b.c.binary(NodeKind::Add, deep, b.c.const_int(1));
  const Program* program = b.program({b.function("f", {}, b.ret({deep}))});
  Build other;
  const Expr* deep2 = other.num(1);
  for (int i = 0; i < 100000; ++i) deep2 = other.c.binary(NodeKind::Add, deep2, other.c.const_int(1));
  CHECK_THROWS_AS(first_difference(program, other.program({other.function("f", {}, other.ret({deep2}))})),
                  NestingTooDeep);
}

TEST_CASE("descriptions are short whatever they describe") {
  Build b;
  const Expr* deep = b.var("n", b.scalar());
  for (int i = 0; i < 100000; ++i) deep = b.c.binary(NodeKind::Add, deep, b.c.const_int(1));
  CHECK(describe(deep).size() < 100);
  CHECK(describe(b.binary(NodeKind::Mul, b.binary(NodeKind::Add, b.var("n", b.scalar()), b.num(1)), b.num(2))) ==
        "(n + 1) * 2");
  CHECK(describe(b.binary(NodeKind::Min, b.num(1), b.num(2))) == "Min(1, 2)");
  CHECK(describe(b.tensor(std::vector<int64_t>(100, 2))).size() < 60);
  CHECK(describe(b.c.tuple_type({b.scalar(), b.array(4), b.plain(TypeKind::Ptr)})) ==
        "Tuple[Scalar[INDEX], Array[[4], TASK_ID], Ptr]");
  CHECK(describe(static_cast<const Expr*>(b.op("tensor.dim", {b.item(b.ints({7}), 0, b.scalar())}, b.scalar()))) ==
        "tensor.dim((7)[0])");
}

}  // namespace
}  // namespace pyptoc::ir::test
