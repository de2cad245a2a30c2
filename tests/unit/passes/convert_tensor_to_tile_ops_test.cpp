// SPDX-License-Identifier: Apache-2.0
// ConvertTensorToTileOps: new Out parameters, who creates them, directions.
#include "passes/convert_tensor_to_tile_ops.h"

#include "front_fixture.h"
#include "passes/outline_incore_scopes.h"

namespace pyptoc::passes::testing {
namespace {

TEST_CASE("convert: a tensor made by a kernel is stored to a new Out parameter, created by the caller") {
  check_pass({convert_tensor_to_tile_ops}, R"(
@pl.function(type=pl.FunctionType.InCore)
def k(x: TENSOR) -> TENSOR:
    y = pl.tensor.add(x, x)
    return y

@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR) -> TENSOR:
    for i, (c,) in pl.range(4, init_values=(x,)):
        y = k(c)
        r = pl.yield_(y)
    return r
)",
             R"(
@pl.function(type=pl.FunctionType.InCore)
def k(x: TENSOR, k_out0: pl.Out[TENSOR]) -> TENSOR:
    y = pl.tensor.add(x, x)
    k_out0_stored = pl.tensor.assemble(k_out0, y, [0])
    return k_out0_stored

@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR) -> TENSOR:
    for i, (c,) in pl.range(4, init_values=(x,)):
        k_out0 = pl.tensor.create([64], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        y = k(c, k_out0)
        r = pl.yield_(y)
    return r
)");
}

TEST_CASE("convert: wrappers hand the parameter on; shapes are those of the call") {
  check_pass({convert_tensor_to_tile_ops}, R"(
M = pl.dynamic("M")

@pl.function(type=pl.FunctionType.InCore)
def k(x: pl.Tensor[[M, 64], pl.FP32]) -> pl.Tensor[[M, 64], pl.FP32]:
    y = pl.tensor.add(x, x)
    return y

@pl.function(type=pl.FunctionType.Orchestration)
def main(x: pl.Tensor[[32, 64], pl.FP32]) -> pl.Tensor[[32, 64], pl.FP32]:
    y = wrapper(x, attrs={"core_num": 4})
    return y

@pl.function(type=pl.FunctionType.Spmd)
def wrapper(x: pl.Tensor[[32, 64], pl.FP32]) -> pl.Tensor[[32, 64], pl.FP32]:
    y = k(x)
    return y
)",
             R"(
M = pl.dynamic("M")

@pl.function(type=pl.FunctionType.InCore)
def k(x: pl.Tensor[[M, 64], pl.FP32], k_out0: pl.Out[pl.Tensor[[M, 64], pl.FP32]]) -> pl.Tensor[[M, 64], pl.FP32]:
    y = pl.tensor.add(x, x)
    k_out0_stored = pl.tensor.assemble(k_out0, y, [0, 0])
    return k_out0_stored

@pl.function(type=pl.FunctionType.Orchestration)
def main(x: pl.Tensor[[32, 64], pl.FP32]) -> pl.Tensor[[32, 64], pl.FP32]:
    k_out0 = pl.tensor.create([32, 64], dtype=pl.FP32, layout=pl.TensorLayout.ND)
    y = wrapper(x, k_out0, attrs={"core_num": 4})
    return y

@pl.function(type=pl.FunctionType.Spmd)
def wrapper(x: pl.Tensor[[32, 64], pl.FP32], k_out0: pl.Out[pl.Tensor[[32, 64], pl.FP32]]) -> pl.Tensor[[32, 64], pl.FP32]:
    y = k(x, k_out0)
    return y
)");
}

TEST_CASE("convert: what a kernel hands back of its parameters needs no new one; a view does") {
  PassRun run(R"(
@pl.function(type=pl.FunctionType.InCore)
def k(x: TENSOR, out: pl.Out[TENSOR]) -> tuple[TENSOR, pl.Tensor[[8, 8], pl.FP32]]:
    out_1 = pl.tensor.assemble(out, x, [0])
    v = pl.tensor.reshape(x, [8, 8])
    return out_1, v
)",
              {convert_tensor_to_tile_ops});
  CHECK(run.messages() == "");
  const ir::Function* k = run.after()->find("k");
  REQUIRE(k->params.size() == 3);
  CHECK(k->params[2]->name_hint == "k_out1");
}

TEST_CASE("convert: In parameters that are written become Out or InOut, declared ones stay") {
  check_pass({convert_tensor_to_tile_ops}, R"(
@pl.function(type=pl.FunctionType.InCore)
def k(x: TENSOR, a: TENSOR, b: TENSOR, c: pl.InOut[TENSOR]):
    a_1 = pl.tensor.assemble(a, x, [0])
    t = pl.tensor.add(b, x)
    b_1 = pl.tensor.assemble(b, t, [0])
    c_1 = pl.tensor.assemble(c, t, [0])
)",
             R"(
@pl.function(type=pl.FunctionType.InCore)
def k(x: TENSOR, a: pl.Out[TENSOR], b: pl.InOut[TENSOR], c: pl.InOut[TENSOR]):
    a_1 = pl.tensor.assemble(a, x, [0])
    t = pl.tensor.add(b, x)
    b_1 = pl.tensor.assemble(b, t, [0])
    c_1 = pl.tensor.assemble(c, t, [0])
)");
}

TEST_CASE("convert: an accumulating write reads") {
  PassRun run(R"(
@pl.function(type=pl.FunctionType.InCore)
def k(x: TENSOR, a: TENSOR):
    a_1 = pl.tensor.assemble(a, x, [0], atomic=pl.AtomicType.Add)
)",
              {convert_tensor_to_tile_ops});
  CHECK(run.messages() == "");
  CHECK(run.after()->find("k")->param_directions[1] == ir::ParamDirection::InOut);
}

TEST_CASE("convert: a shape that only the kernel knows is an error") {
  check_error({outline_incore_scopes, convert_tensor_to_tile_ops}, R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(n: pl.Scalar[pl.INDEX]):
    with pl.at(level=pl.Level.CORE_GROUP):
        m = n + 1
        y = pl.tensor.full([m], 0.0, dtype=pl.FP32)
    z = pl.tensor.slice(y, [1], [0])
)",
              "E0451", 4);
}

TEST_CASE("convert: a submit that leaves an output to the runtime leaves the new one to it as well") {
  check_pass({convert_tensor_to_tile_ops}, R"(
@pl.function(type=pl.FunctionType.InCore)
def k(x: TENSOR, out: pl.Out[TENSOR]) -> tuple[TENSOR, TENSOR]:
    out_1 = pl.tensor.assemble(out, x, [0])
    y = pl.tensor.add(x, x)
    return out_1, y

@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, o: pl.Out[TENSOR]):
    a, b, t = pl.submit(k, x)
    c, d, u = pl.submit(k, x, o)
)",
             R"(
@pl.function(type=pl.FunctionType.InCore)
def k(x: TENSOR, out: pl.Out[TENSOR], k_out1: pl.Out[TENSOR]) -> tuple[TENSOR, TENSOR]:
    out_1 = pl.tensor.assemble(out, x, [0])
    y = pl.tensor.add(x, x)
    k_out1_stored = pl.tensor.assemble(k_out1, y, [0])
    return out_1, k_out1_stored

@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, o: pl.Out[TENSOR]):
    a, b, t = pl.submit(k, x)
    k_out1 = pl.tensor.create([64], dtype=pl.FP32, layout=pl.TensorLayout.ND)
    c, d, u = pl.submit(k, x, o, k_out1)
)");
}

}  // namespace
}  // namespace pyptoc::passes::testing
