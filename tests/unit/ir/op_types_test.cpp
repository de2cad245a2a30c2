// SPDX-License-Identifier: Apache-2.0
// Type rules on small examples; that they hold on real programs is tested in tests/unit/verify.
#include "ir/op_types.h"

#include <catch2/catch.hpp>

#include "build.h"
#include "ir/describe.h"
#include "ir/equal.h"

namespace pyptoc::ir::test {
namespace {

class Rules : public Build {
 public:
  const Type* of(OpId id, const Exprs& args, const Attrs& kwargs = {}) {
    return deduce_type(c, id, c.list(args), c.list(kwargs), nullptr, {});
  }
  std::string text(OpId id, const Exprs& args, const Attrs& kwargs = {}) {
    const Type* type = of(id, args, kwargs);
    return type != nullptr ? describe(type) : "unknown";
  }
  // What it reports.
  std::string misfit(OpId id, const Exprs& args, const Attrs& kwargs = {}) {
    diag::Engine engine;
    CHECK(deduce_type(c, id, c.list(args), c.list(kwargs), &engine, {}) == nullptr);
    auto all = engine.sorted();
    return all.size() == 1 ? all[0].message : "reports " + std::to_string(all.size());
  }
};

TEST_CASE("scalars, arrays, handles and windows") {
  Rules r;
  CHECK(r.text(OpId::PldSystemWorldSize, {}) == "Scalar[INT64]");
  CHECK(r.text(OpId::SystemTaskInvalid, {}) == "Scalar[TASK_ID]");
  CHECK(r.text(OpId::SystemTaskDummy, {}) == "Scalar[TASK_ID]");
  CHECK(r.text(OpId::SystemTaskIsValid, {r.var("t", r.task())}) == "Scalar[BOOL]");
  CHECK(r.text(OpId::SystemAvailableAivCount, {}) == "Scalar[INT32]");
  CHECK(r.text(OpId::PldTensorAllocWindowBuffer, {r.num(64)}) == "Ptr");
  CHECK(r.text(OpId::PldSystemGetCommCtx, {r.var("w", r.window({4}))}) == "CommCtxType");
  CHECK(r.text(OpId::ArrayCreate, {r.num(4)}, {r.dtype(DType::TaskId)}) == "Array[[4], TASK_ID]");
  CHECK(r.text(OpId::ArrayGetElement, {r.var("a", r.array(4, DType::Int32)), r.num(0)}) == "Scalar[INT32]");
  const Var* a = r.var("a", r.array(4));
  CHECK(r.of(OpId::ArrayUpdateElement, {a, r.num(0), r.var("t", r.task())}) == a->type);
  const Var* buffer = r.var("buf", r.plain(TypeKind::Ptr));
  CHECK(r.text(OpId::PldTensorWindow, {buffer, r.ints({4, 8})}, {r.dtype(DType::Int32)}) ==
        "DistributedTensor[[4, 8], INT32]");
  CHECK(r.text(OpId::SystemFence, {}) == "UnknownType");
}

TEST_CASE("creation, elements and extents") {
  Rules r;
  const Var* x = r.var("x", r.tensor({4, 8}, DType::Int8));
  CHECK(r.text(OpId::TensorCreate, {r.ints({4, 8})}, {r.dtype(DType::Bf16)}) == "Tensor[[4, 8], BF16]");
  CHECK(r.text(OpId::TensorCreate, {}, {}) == "unknown");
  CHECK(r.text(OpId::TensorRead, {x, r.ints({0, 0})}) == "Scalar[INT8]");
  CHECK(r.misfit(OpId::TensorRead, {x, r.ints({0})}) ==
        "operands of `tensor.read` do not fit together: 1 indices for `Tensor[[4, 8], INT8]`");
  CHECK(r.of(OpId::TensorWrite, {x, r.ints({0, 0}), r.num(1, DType::Int8)}) == x->type);
  CHECK(r.misfit(OpId::TensorWrite, {x, r.ints({0, 0}), r.num(1)}) ==
        "operands of `tensor.write` do not fit together: a value of `Scalar[INDEX]` does not go into "
        "`Tensor[[4, 8], INT8]`");
  CHECK(r.text(OpId::TensorDim, {x, r.num(0)}) == "Scalar[INDEX]");
}

TEST_CASE("slices") {
  Rules r;
  const Var* x = r.var("x", r.window({4, 1, 8}));
  CHECK(r.text(OpId::TensorSlice, {x, r.ints({1, 1, 8}), r.ints({2, 0, 0})}) == "DistributedTensor[[1, 1, 8], FP32]");
  CHECK(r.text(OpId::TensorSlice, {x, r.ints({1, 1, 8}), r.ints({2, 0, 0}), r.ints({}), r.ints({0, 1})}) ==
        "DistributedTensor[[8], FP32]");
  const Type* narrow = r.of(OpId::TensorSlice, {x, r.ints({1, 1, 8}), r.ints({0, 0, 0}), r.ints({1, 1, 5})});
  REQUIRE(as_tensor(narrow)->view != nullptr);
  CHECK(const_int(as_tensor(narrow)->view->valid_shape[2]) == 5);
  CHECK(r.misfit(OpId::TensorSlice, {x, r.ints({2, 1, 8}), r.ints({0, 0, 0}), r.ints({}), r.ints({0})}) ==
        "operands of `tensor.slice` do not fit together: axis `0` of [2, 1, 8] cannot be dropped");
  CHECK(r.misfit(OpId::TensorSlice, {x, r.ints({1, 1, 8}), r.ints({0, 0, 0}), r.ints({1, 5})}) ==
        "operands of `tensor.slice` do not fit together: a valid shape of 2 extents for a shape of 3");
}

TEST_CASE("views") {
  Rules r;
  const Var* x = r.var("x", r.tensor({16, 8}));
  CHECK(r.text(OpId::TensorReshape, {x, r.ints({128})}) == "Tensor[[128], FP32]");
  const Type* turned = r.of(OpId::TensorTranspose, {x, r.num(0), r.num(-1)});
  CHECK(describe(turned) == "Tensor[[8, 16], FP32]");
  REQUIRE(as_tensor(turned)->view != nullptr);
  CHECK(as_tensor(turned)->view->layout == TensorLayout::Dn);
  CHECK(const_int(as_tensor(turned)->view->stride[0]) == 1);
  CHECK(const_int(as_tensor(turned)->view->stride[1]) == 8);
  CHECK(r.misfit(OpId::TensorTranspose, {x, r.num(0), r.num(2)}) ==
        "operands of `tensor.transpose` do not fit together: axes 0 and 2 of `Tensor[[16, 8], FP32]`");
  const Type* valid = r.of(OpId::TensorSetValidshape, {x, r.num(16), r.num(4)});
  CHECK(const_int(as_tensor(valid)->view->valid_shape[1]) == 4);
  CHECK(as_tensor(r.of(OpId::TensorSetValidshape, {x, r.num(16), r.num(8)}))->view == nullptr);
  CHECK(as_tensor(r.of(OpId::TensorView, {x, r.ints({8, 16})}))->view->stride.size() == 2);
}

TEST_CASE("elementwise operators broadcast and promote") {
  Rules r;
  const Var* x = r.var("x", r.tensor({4, 8}, DType::Bf16));
  const Var* row = r.var("row", r.tensor({8}, DType::Fp32));
  const Var* n = r.var("n", r.tensor({4, 8}, DType::UInt32));
  CHECK(r.text(OpId::TensorAdd, {x, row}) == "Tensor[[4, 8], FP32]");
  CHECK(r.text(OpId::TensorMul, {row, x}) == "Tensor[[4, 8], FP32]");
  CHECK(r.text(OpId::TensorSub, {n, x}) == "Tensor[[4, 8], BF16]");
  CHECK(r.text(OpId::TensorMaximum, {n, r.num(1, DType::Int32)}) == "Tensor[[4, 8], INT32]");
  CHECK(r.text(OpId::TensorAdds, {x, r.num(1)}) == "Tensor[[4, 8], BF16]");
  CHECK(r.text(OpId::TensorExp, {n}) == "Tensor[[4, 8], FP32]");
  CHECK(r.text(OpId::TensorCast, {x}, {{"target_type", AttrValue::of_dtype(DType::Int8)}}) == "Tensor[[4, 8], INT8]");
  CHECK(r.misfit(OpId::TensorAdd, {x, r.var("y", r.tensor({5, 8}))}) ==
        "operands of `tensor.add` do not fit together: shapes of `Tensor[[4, 8], BF16]` and `Tensor[[5, 8], FP32]` do "
        "not agree");
}

TEST_CASE("reductions, expansions, products") {
  Rules r;
  const Var* x = r.var("x", r.tensor({4, 8}));
  CHECK(r.text(OpId::TensorRowSum, {x}) == "Tensor[[4, 1], FP32]");
  CHECK(r.text(OpId::TensorColMax, {x}) == "Tensor[[1, 8], FP32]");
  CHECK(r.text(OpId::TensorRowSum, {x}, {{"keep_dim", AttrValue::of_bool(false)}}) == "Tensor[[4], FP32]");
  CHECK(r.misfit(OpId::TensorRowSum, {x}, {r.integer("axis", 2)}) ==
        "operands of `tensor.row_sum` do not fit together: no such axis in `Tensor[[4, 8], FP32]`");
  CHECK(r.text(OpId::TensorRowExpandMul, {x, r.var("v", r.tensor({4, 1}))}) == "Tensor[[4, 8], FP32]");
  const Var* y = r.var("y", r.tensor({16, 8}));
  CHECK(r.text(OpId::TensorMatmul, {x, y}, {{"b_trans", AttrValue::of_bool(true)}}) == "Tensor[[4, 16], FP32]");
  CHECK(r.misfit(OpId::TensorMatmul, {x, y}) ==
        "operands of `tensor.matmul` do not fit together: inner extents 8 of `Tensor[[4, 8], FP32]` and 16 of "
        "`Tensor[[16, 8], FP32]` do not agree");
  CHECK(r.text(OpId::TensorConcat, {x, x}) == "Tensor[[4, 16], FP32]");
}

TEST_CASE("tiles in vector memory, and products in the accumulator") {
  Rules r;
  const Var* v = r.var("v", r.tile({16, 16}, DType::Bf16));
  const Var* a = r.var("a", r.tile({16, 32}, DType::Bf16, MemorySpace::Left));
  const Var* b = r.var("b", r.tile({32, 8}, DType::Bf16, MemorySpace::Right));
  CHECK(r.text(OpId::TileAdd, {v, v}) == "Tile[[16, 16], BF16]");
  CHECK(r.text(OpId::TileRowSum, {v, v}) == "Tile[[16, 1], BF16]");
  const Type* product = r.of(OpId::TileMatmul, {a, b});
  CHECK(describe(product) == "Tile[[16, 8], FP32]");
  CHECK(as_tile(product)->memory_space == MemorySpace::Acc);
  CHECK(r.misfit(OpId::TileMatmul, {a, a}) ==
        "operands of `tile.matmul` do not fit together: inner extents of `Tile[[16, 32], BF16]` and "
        "`Tile[[16, 32], BF16]` do not agree");
  CHECK(r.text(OpId::TileTpopFromAic, {}) == "unknown");
}

TEST_CASE("the target of a collective is its result") {
  Rules r;
  const Var* in = r.var("in", r.tensor({1, 8}));
  const Var* target = r.var("target", r.window({4, 8}));
  const Var* signal = r.var("signal", r.window({4, 1}, DType::Int32));
  CHECK(r.of(OpId::PldTensorAllreduce, {target, signal}, {r.integer("op", 0)}) == target->type);
  CHECK(r.of(OpId::PldTensorAllgather, {in, target, signal}) == target->type);
  CHECK(r.of(OpId::PldTensorBarrier, {signal}) == signal->type);
}

TEST_CASE("common types of two element types") {
  Rules r;
  auto both = [&](DType a, DType b) {
    return r.text(OpId::TensorAdd, {r.var("a", r.tensor({4}, a)), r.var("b", r.tensor({4}, b))});
  };
  CHECK(both(DType::Int64, DType::Fp16) == "Tensor[[4], FP16]");
  CHECK(both(DType::Int8, DType::Int32) == "Tensor[[4], INT32]");
  CHECK(both(DType::UInt32, DType::Int32) == "Tensor[[4], INT32]");
  CHECK(both(DType::Int32, DType::UInt32) == "Tensor[[4], INT32]");
  CHECK(both(DType::Bf16, DType::Fp16) == "Tensor[[4], BF16]");
}

}  // namespace
}  // namespace pyptoc::ir::test
