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

TEST_CASE("optimize: what the kernel gets is used behind the call, made elsewhere, or not what comes back") {
  auto stays = [](std::string_view parameters, std::string_view before, std::string_view body,
                  std::string_view behind) {
    check_unchanged(
        {optimize_orch_tensors},
        with_kernel("\n@pl.function(type=pl.FunctionType.Orchestration)\ndef main(" + std::string(parameters) +
                    ") -> TENSOR:\n    start = pl.tensor.create([64], dtype=pl.FP32)\n" + std::string(before) +
                    "    for i, (c,) in pl.range(4, init_values=(start,)):\n" + std::string(body) +
                    std::string(behind)));
  };
  const std::string make = "        t = pl.tensor.create([64], dtype=pl.FP32)\n";
  const std::string done = "        r = pl.yield_(c_1)\n";
  // The old content is looked at when the new one is there.
  stays("", "",
        make + "        c_1 = k(c, t)\n        u = pl.tensor.create([64], dtype=pl.FP32)\n        d = k(c, u)\n" + done,
        "    return r\n");
  stays("", "", make + "        c_1 = k(c, t)\n        v = pl.tensor.read(c, [0])\n" + done, "    return r\n");
  // One output for all rounds.
  stays("", "    t = pl.tensor.create([64], dtype=pl.FP32)\n", "        c_1 = k(c, t)\n" + done, "    return r\n");
  stays("t: pl.Out[TENSOR]", "", "        c_1 = k(c, t)\n" + done, "    return r\n");
  // The next round starts with the same tensor again.
  stays("", "", make + "        d = k(c, t)\n        r = pl.yield_(c)\n", "    return r\n");
  // What the loop starts with is touched before it.
  stays("x: TENSOR", "    other = k(x, start)\n", make + "        c_1 = k(c, t)\n" + done, "    return r\n");
}

TEST_CASE("optimize: an output of another type") {
  check_unchanged({optimize_orch_tensors}, R"(
@pl.function(type=pl.FunctionType.InCore)
def k(x: TENSOR, o: pl.Out[pl.Tensor[[64], pl.INT32]]) -> pl.Tensor[[64], pl.INT32]:
    y = pl.tensor.cast(x, pl.INT32)
    o_1 = pl.tensor.assemble(o, y, [0])
    return o_1

@pl.function(type=pl.FunctionType.Orchestration)
def main() -> TENSOR:
    start = pl.tensor.create([64], dtype=pl.FP32)
    for i, (c,) in pl.range(4, init_values=(start,)):
        t = pl.tensor.create([64], dtype=pl.INT32)
        c_1 = k(c, t)
        r = pl.yield_(c)
    return r
)");
}

}  // namespace
}  // namespace pyptoc::passes::testing
