// SPDX-License-Identifier: Apache-2.0
// Types, scalar expressions and operator calls: E0326 to E0341, E0346, E0355.
#include <catch2/catch.hpp>

#include "build.h"

namespace pyptoc::ir::test {
namespace {

const TensorType* with_view(Build& b, std::vector<int64_t> shape, Exprs valid, Exprs strides) {
  TensorView view;
  view.valid_shape = b.c.list(valid);
  view.stride = b.c.list(strides);
  TensorType type = *b.tensor(std::move(shape));
  type.view = b.c.copy(view);
  return b.c.copy(type);
}

Faults type_faults(Build& b, const Type* type) {
  return body_faults(b, {b.ret({})}, {b.var("x", type)});
}
Faults expr_faults(Build& b, const Expr* e, const VerifyOptions& options = {}) {
  return body_faults(b, {b.eval(e)}, {}, options);
}

TEST_CASE("E0326: extents are integers, not negative, and hold the valid part") {
  Build b;
  CHECK(type_faults(b, b.tensor({-4})) == Faults{"E0326 extent of `Tensor[[-4], FP32]` must be 0 or more, found `-4`"});
  CHECK(type_faults(b, b.tensor_of({b.flag(true)})) ==
        Faults{"E0326 extent of `Tensor[[True], FP32]` must be an integer scalar, found `Scalar[BOOL]`"});
  CHECK(type_faults(b, with_view(b, {4}, {b.num(5)}, {})) ==
        Faults{"E0326 valid extent of `Tensor[[4], FP32]` must be at most 4, found `5`"});
}

TEST_CASE("E0327: views have an entry for each axis") {
  Build b;
  CHECK(type_faults(b, with_view(b, {4, 4}, {b.num(4)}, {})) ==
        Faults{"E0327 valid shape of `Tensor[[4, 4], FP32]` has 1 entries for 2 axes"});
  CHECK(type_faults(b, with_view(b, {4}, {}, {b.num(4), b.num(1)})) ==
        Faults{"E0327 stride list of `Tensor[[4], FP32]` has 2 entries for 1 axes"});
}

TEST_CASE("E0328: operands of scalar expressions") {
  Build b;
  const Var* x = b.var("x", b.tensor({4}));
  CHECK(body_faults(b, {b.eval(b.binary(NodeKind::Add, x, x))}, {x}) ==
        Faults{"E0328 operand of Add must be a scalar, found `Tensor[[4], FP32]`"});
  CHECK(expr_faults(b, b.binary(NodeKind::And, b.num(1), b.flag(true))) ==
        Faults{"E0328 operand of And must be BOOL, found `Scalar[INDEX]`"});
  CHECK(expr_faults(b, b.binary(NodeKind::BitXor, b.c.const_float(1, DType::Fp32), b.num(1))) ==
        Faults{"E0328 operand of BitXor must be an integer scalar, found `Scalar[FP32]`"});
  CHECK(expr_faults(b, b.binary(NodeKind::Mul, b.num(1), b.c.const_float(1, DType::Fp32))) ==
        Faults{"E0328 operand of Mul must be Scalar[INDEX], found `Scalar[FP32]`"});
  CHECK(expr_faults(b, b.unary(NodeKind::Not, b.num(1), b.scalar())) ==
        Faults{"E0328 operand of Not must be BOOL, found `Scalar[INDEX]`"});
}

TEST_CASE("E0329: results of scalar expressions") {
  Build b;
  CHECK(expr_faults(b, b.binary(NodeKind::Lt, b.num(1), b.num(2), b.scalar())) ==
        Faults{"E0329 Lt of `Scalar[INDEX]` and `Scalar[INDEX]` has type `Scalar[INDEX]`, expected `Scalar[BOOL]`"});
  CHECK(expr_faults(b, b.binary(NodeKind::Add, b.num(1), b.num(2), b.scalar(DType::Int32))) ==
        Faults{"E0329 Add of `Scalar[INDEX]` and `Scalar[INDEX]` has type `Scalar[INT32]`, expected `Scalar[INDEX]`"});
  CHECK(expr_faults(b, b.binary(NodeKind::Mul, b.num(1), b.num(2, DType::Int64), b.scalar(DType::Int64))).empty());
  CHECK(expr_faults(b, b.binary(NodeKind::FloatDiv, b.num(1), b.num(2), b.scalar(DType::Fp32))).empty());
}

TEST_CASE("E0330: constants fit their types") {
  Build b;
  CHECK(expr_faults(b, b.num(128, DType::Int8)) == Faults{"E0330 constant `128` does not fit type `Scalar[INT8]`"});
  CHECK(expr_faults(b, b.num(-1, DType::UInt64)) == Faults{"E0330 constant `-1` does not fit type `Scalar[UINT64]`"});
  CHECK(expr_faults(b, b.num(1, DType::Fp32)) == Faults{"E0330 constant `1` does not fit type `Scalar[FP32]`"});
  CHECK(expr_faults(b, b.c.const_float(1.5, DType::Int32)) ==
        Faults{"E0330 constant `1.5` does not fit type `Scalar[INT32]`"});
  CHECK(expr_faults(b, b.num(-128, DType::Int8)).empty());
  CHECK(expr_faults(b, b.num(255, DType::UInt8)).empty());
  CHECK(expr_faults(b, b.num(INT64_MIN)).empty());
}

TEST_CASE("E0331, E0332: tuples and their elements") {
  Build b;
  const Expr* pair = b.ints({1, 2});
  CHECK(expr_faults(b, b.item(pair, 2, b.scalar())) ==
        Faults{"E0331 element 2 of a value of type `Tuple[Scalar[INDEX], Scalar[INDEX]]`"});
  CHECK(expr_faults(b, b.item(b.num(1), 0, b.scalar())) ==
        Faults{"E0331 element 0 of a value of type `Scalar[INDEX]`"});
  CHECK(expr_faults(b, b.item(pair, 1, b.scalar(DType::Bool))) ==
        Faults{"E0332 element 1 has type `Scalar[BOOL]`, expected `Scalar[INDEX]`"});
  CHECK(expr_faults(b, b.tuple({b.num(1)}, b.c.tuple_type({}))) ==
        Faults{"E0332 tuple has type `Tuple[]`, expected `Tuple[Scalar[INDEX]]`"});
  CHECK(expr_faults(b, b.unary(NodeKind::Neg, b.num(1), b.scalar(DType::Bool))) ==
        Faults{"E0332 Neg has type `Scalar[BOOL]`, expected `Scalar[INDEX]`"});
}

TEST_CASE("E0333: the closest operator is named") {
  Build b;
  CHECK(expr_faults(b, b.op("tensor.crate", {}, b.plain())) ==
        Faults{"E0333 unknown operator `tensor.crate`", "  help: the closest operator is `tensor.create`"});
  CHECK(expr_faults(b, b.op("quite.another_thing", {}, b.plain())) ==
        Faults{"E0333 unknown operator `quite.another_thing`"});
}

TEST_CASE("E0334: numbers of arguments") {
  Build b;
  CHECK(expr_faults(b, b.op("system.fence", {b.num(1)}, b.plain())) ==
        Faults{"E0334 operator `system.fence` takes 0 arguments, found 1"});
  CHECK(expr_faults(b, b.op("tensor.slice", {b.num(1)}, b.plain())) ==
        Faults{"E0334 operator `tensor.slice` takes 3 to 5 arguments, found 1"});
  CHECK(expr_faults(b, b.op("dist.submit_worker", {}, b.plain())) ==
        Faults{"E0334 operator `dist.submit_worker` takes at least 1 arguments, found 0"});
}

TEST_CASE("E0335: kinds of arguments") {
  Build b;
  auto kind_fault = [&](std::string_view op, const Exprs& args) {
    Faults all = expr_faults(b, b.op(op, args, b.plain()));
    REQUIRE_FALSE(all.empty());
    return all.front();
  };
  CHECK(kind_fault("tile.add", {b.num(1), b.num(2)}) ==
        "E0335 argument `lhs` of `tile.add` must be a tile, found `Scalar[INDEX]`");
  CHECK(kind_fault("tensor.abs", {b.num(1)}) ==
        "E0335 argument `source` of `tensor.abs` must be a tensor, found `Scalar[INDEX]`");
  CHECK(kind_fault("pld.tensor.barrier", {b.num(1)}) ==
        "E0335 argument `signal` of `pld.tensor.barrier` must be a window (a distributed tensor), found "
        "`Scalar[INDEX]`");
  CHECK(kind_fault("array.create", {b.flag(true)}) ==
        "E0335 argument `extent` of `array.create` must be an integer scalar, found `Scalar[BOOL]`");
  CHECK(kind_fault("tensor.create", {b.tuple({b.flag(true)})}) ==
        "E0335 argument `shape` of `tensor.create` must be a tuple of integer scalars, found `Tuple[Scalar[BOOL]]`");
  CHECK(kind_fault("array.get_element", {b.num(1), b.num(1)}) ==
        "E0335 argument `source` of `array.get_element` must be an array, found `Scalar[INDEX]`");
  CHECK(kind_fault("pld.system.rank", {b.num(1)}) ==
        "E0335 argument `context` of `pld.system.rank` must be a communication context, found `Scalar[INDEX]`");
  CHECK(kind_fault("system.task_is_valid", {b.num(1)}) ==
        "E0335 argument `task` of `system.task_is_valid` must be a task id, found `Scalar[INDEX]`");
  CHECK(kind_fault("pld.tensor.window", {b.num(1), b.ints({1})}) ==
        "E0335 argument `buffer` of `pld.tensor.window` must be a buffer, found `Scalar[INDEX]`");
}

TEST_CASE("E0336 to E0339: keywords") {
  Build b;
  auto create = [&](const Attrs& kwargs) {
    return expr_faults(b, b.op("tensor.full", {b.ints({4}), b.c.const_float(0, DType::Fp32)}, b.tensor({4}), kwargs));
  };
  CHECK(create({b.dtype(DType::Fp32)}).empty());
  CHECK(create({b.dtype(DType::Fp32), b.integer("dtyp", 1)}) ==
        Faults{"E0336 operator `tensor.full` has no keyword `dtyp`", "  help: the closest one is `dtype`"});
  CHECK(create({b.integer("dtype", 52)}) ==
        Faults{"E0337 keyword `dtype` of `tensor.full` must be a DataType, found 52"});
  CHECK(create({}) == Faults{"E0338 operator `tensor.full` needs keyword `dtype`"});
  CHECK(create({b.dtype(DType::Fp32), b.dtype(DType::Fp32)}) ==
        Faults{"E0339 keyword `dtype` of `tensor.full` is given twice"});

  const Var* x = b.var("x", b.window({4}));
  const Call* reduce = b.op("pld.tensor.allreduce", {x}, x->type, {b.integer("op", 4)});
  CHECK(body_faults(b, {b.eval(reduce)}, {x}) ==
        Faults{"E0337 keyword `op` of `pld.tensor.allreduce` must be a ReduceOp, found 4",
               "  help: the values are 0 Sum, 1 Max, 2 Min, 3 Prod"});
}

TEST_CASE("E0340: internal operators only where asked for") {
  Build b;
  const Var* x = b.var("x", b.window({4}, DType::Int32));
  const Stmt* body = b.eval(b.op("builtin.tensor.barrier", {x}, x->type));
  CHECK(body_faults(b, {body}, {x}) == Faults{"E0340 operator `builtin.tensor.barrier` is internal"});
  VerifyOptions options;
  options.allow_builtin = true;
  CHECK(body_faults(b, {body}, {x}, options) ==
        Faults{"E0643 `builtin.tensor.barrier` has no attribute `device`",
               "E0643 `builtin.tensor.barrier` has no attribute `arg_directions`"});
  const int32_t directions[] = {static_cast<int32_t>(ArgDirection::InOut)};
  const Attrs attrs = {{"device", AttrValue::of_expr(b.c.const_int(0))},
                       {"arg_directions", AttrValue::of_ints(AttrKind::ArgDirectionVector, directions)}};
  const Stmt* whole = b.eval(b.op("builtin.tensor.barrier", {x}, x->type, {}, attrs));
  CHECK(body_faults(b, {whole}, {x}, options).empty());
}

TEST_CASE("E0346: operands that contradict each other") {
  Build b;
  const Var* x = b.var("x", b.tensor({4, 4}));
  CHECK(body_faults(b, {b.eval(b.op("tensor.reshape", {x, b.ints({3, 5})}, b.tensor({3, 5})))}, {x}) ==
        Faults{"E0346 operands of `tensor.reshape` do not fit together: 16 elements of `Tensor[[4, 4], FP32]` do not "
               "make 15 of [3, 5]"});
}

TEST_CASE("E0357: constant regions lie inside") {
  Build b;
  const Var* x = b.var("x", b.tensor({4, 8}));
  auto slice = [&](std::vector<int64_t> shape, std::vector<int64_t> offsets, const Attrs& kwargs = {}) {
    const Expr* call = b.op("tensor.slice", {x, b.ints(shape), b.ints(offsets)}, b.tensor(shape), kwargs);
    return body_faults(b, {b.eval(call)}, {x});
  };
  CHECK(slice({4, 4}, {0, 4}).empty());
  CHECK(slice({4, 4}, {0, 5}) ==
        Faults{"E0357 `tensor.slice` of 4 elements from 5 on axis 1 of `Tensor[[4, 8], FP32]`"});
  CHECK(slice({4, 4}, {-1, 0}) ==
        Faults{"E0357 `tensor.slice` of 4 elements from -1 on axis 0 of `Tensor[[4, 8], FP32]`"});
  CHECK(slice({4, 4}, {0, 5}, {{"clamp", AttrValue::of_bool(true)}}).empty());
  CHECK(slice({4, 4}, {0, INT64_MAX}).size() == 1);
  const Expr* read = b.op("tensor.read", {x, b.ints({4, 0})}, b.scalar(DType::Fp32));
  CHECK(body_faults(b, {b.eval(read)}, {x}) ==
        Faults{"E0357 `tensor.read` of element 4 on axis 0 of `Tensor[[4, 8], FP32]`"});
  const Expr* write = b.op("tensor.assemble", {x, b.var("y", b.tensor({4, 4})), b.ints({0, 8})}, x->type);
  CHECK(body_faults(b, {b.eval(write)}, {x}).front() == "E0300 variable `y` in `f` has no definition");
  CHECK(body_faults(b, {b.eval(write)}, {x}).back() ==
        "E0357 `tensor.assemble` of 4 elements from 8 on axis 1 of `Tensor[[4, 8], FP32]`");
}

TEST_CASE("E0338: a tensor.create that gives a shape gives a type") {
  Build b;
  CHECK(expr_faults(b, b.op("tensor.create", {b.ints({4})}, b.tensor({4}))) ==
        Faults{"E0338 operator `tensor.create` needs keyword `dtype`"});
  CHECK(expr_faults(b, b.op("tensor.create", {}, b.tensor({4}))).empty());
}

TEST_CASE("E0355: the type of an operator call follows from its arguments") {
  Build b;
  const Var* x = b.var("x", b.tensor({4, 4}));
  const Stmt* body = b.eval(b.op("tensor.abs", {x}, b.tensor({4, 8})));
  CHECK(body_faults(b, {body}, {x}) ==
        Faults{"E0355 `tensor.abs` gives `Tensor[[4, 4], FP32]`, its type says `Tensor[[4, 8], FP32]`"});
  VerifyOptions options;
  options.type_rules = false;
  CHECK(body_faults(b, {body}, {x}, options).empty());
}

TEST_CASE("notes point at the other place") {
  Build b;
  const Var* x = b.var("x", b.scalar());
  const Stmt* use = b.ret({x});
  const Stmt* definition = b.assign(x, b.num(1));
  diag::Engine engine;
  CHECK_FALSE(verify(b.program({b.function("f", {}, b.seq({use, definition}))}), engine));
  auto all = engine.sorted();
  REQUIRE(all.size() == 1);
  CHECK(all[0].place.begin_line == place_of(use).begin_line);
  REQUIRE(all[0].notes.size() == 1);
  CHECK(all[0].notes[0].text == "it is defined here");
  CHECK(all[0].notes[0].place.value().begin_line == place_of(definition).begin_line);
}

}  // namespace
}  // namespace pyptoc::ir::test
