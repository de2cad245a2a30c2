// SPDX-License-Identifier: Apache-2.0
// OptimizeOrchTensors: when the buffer of a carry is written in place, and when not.
#include "passes/optimize_orch_tensors.h"

#include "front_fixture.h"

namespace pyptoc::passes::testing {
namespace {

constexpr std::string_view kKernel = R"(
@pl.function(type=pl.FunctionType.InCore)
def k(x: TENSOR, o: pl.Out[TENSOR]) -> TENSOR:
    y = pl.tensor.add(x, x)
    o_1 = pl.tensor.assemble(o, y, [0])
    return o_1
)";
std::string with_kernel(std::string_view rest) {
  return std::string(kKernel) + std::string(rest);
}

constexpr std::string_view kLoop = R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main() -> TENSOR:
    start = pl.tensor.create([64], dtype=pl.FP32)
    for i, (c,) in pl.range(4, init_values=(start,)):
        t = pl.tensor.create([64], dtype=pl.FP32)
        c_1 = k(c, t)
        r = pl.yield_(c_1)
    return r
)";

TEST_CASE("optimize: the carry's buffer is written in place") {
  check_pass({optimize_orch_tensors}, with_kernel(kLoop), R"(
@pl.function(type=pl.FunctionType.InCore)
def k(x: pl.InOut[TENSOR]) -> TENSOR:
    y = pl.tensor.add(x, x)
    o_1 = pl.tensor.assemble(x, y, [0])
    return o_1

@pl.function(type=pl.FunctionType.Orchestration)
def main() -> TENSOR:
    start = pl.tensor.create([64], dtype=pl.FP32)
    for i, (c,) in pl.range(4, init_values=(start,)):
        c_1 = k(c)
        r = pl.yield_(c_1)
    return r
)");
}

TEST_CASE("optimize: the carry starts with a tensor of the caller") {
  check_unchanged({optimize_orch_tensors}, with_kernel(R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(start: TENSOR) -> TENSOR:
    for i, (c,) in pl.range(4, init_values=(start,)):
        t = pl.tensor.create([64], dtype=pl.FP32)
        c_1 = k(c, t)
        r = pl.yield_(c_1)
    return r
)"));
}

TEST_CASE("optimize: what the loop starts with is used behind it") {
  check_unchanged({optimize_orch_tensors}, with_kernel(R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main() -> tuple[TENSOR, TENSOR]:
    start = pl.tensor.create([64], dtype=pl.FP32)
    for i, (c,) in pl.range(4, init_values=(start,)):
        t = pl.tensor.create([64], dtype=pl.FP32)
        c_1 = k(c, t)
        r = pl.yield_(c_1)
    return r, start
)"));
}

TEST_CASE("optimize: another call of the kernel has no carry") {
  check_unchanged({optimize_orch_tensors}, with_kernel(std::string(kLoop) + R"(
@pl.function(type=pl.FunctionType.Orchestration)
def other(x: TENSOR, o: pl.Out[TENSOR]) -> TENSOR:
    o_1 = k(x, o)
    return o_1
)"));
}

TEST_CASE("optimize: a kernel that reads on after it wrote keeps both") {
  check_unchanged({optimize_orch_tensors}, R"(
@pl.function(type=pl.FunctionType.InCore)
def k(x: TENSOR, o: pl.Out[TENSOR]) -> TENSOR:
    for i, (p,) in pl.range(64, init_values=(o,)):
        y = pl.tensor.slice(x, [1], [63 - i])
        p_1 = pl.tensor.assemble(p, y, [i])
        q = pl.yield_(p_1)
    return q
)" + std::string(kLoop));
}

}  // namespace
}  // namespace pyptoc::passes::testing
