// SPDX-License-Identifier: Apache-2.0
// FuseCreateAssembleToSlice: what fuses, what goes with it, what stays and why.
#include "passes/fuse_create_assemble_to_slice.h"

#include "front_fixture.h"

namespace pyptoc::passes::testing {
namespace {

constexpr std::string_view kKernel = R"(
@pl.function(type=pl.FunctionType.AIV)
def fill(x: pl.Tensor[[4, 8], pl.FP32], o: pl.Out[pl.Tensor[[1, 8], pl.FP32]]) -> pl.Tensor[[1, 8], pl.FP32]:
    t = pl.tensor.slice(x, [1, 8], [0, 0])
    o_1 = pl.tensor.assemble(o, t, [0, 0])
    return o

@pl.function(type=pl.FunctionType.AIV)
def look(x: pl.Tensor[[4, 8], pl.FP32]):
    v = pl.tensor.read(x, [0, 0])
)";

// An orchestration whose parameters are x and out, and what becomes of it.
std::string orchestration(std::string_view body) {
  return std::string(kKernel) + R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: pl.Tensor[[4, 8], pl.FP32], out: pl.Out[pl.Tensor[[4, 8], pl.FP32]], n: pl.Scalar[pl.INDEX]) -> pl.Tensor[[4, 8], pl.FP32]:
)" + std::string(body);
}
void check_fused(std::string_view before, std::string_view after) {
  check_pass({fuse_create_assemble_to_slice}, orchestration(before), orchestration(after));
  check_unchanged({fuse_create_assemble_to_slice}, orchestration(after));
}
void check_stays(std::string_view body) {
  check_unchanged({fuse_create_assemble_to_slice}, orchestration(body));
}

TEST_CASE("fuse: a carry that became pass-through goes") {
  check_fused(R"(
    for r, (c,) in pl.range(4, init_values=(out,)):
        row = pl.tensor.create([1, 8], dtype=pl.FP32)
        row_1 = fill(x, row)
        c_1 = pl.tensor.assemble(c, row_1, [r, 0])
        out_1 = pl.yield_(c_1)
    return out_1
)",
              R"(
    for r in pl.range(4):
        row = pl.tensor.slice(out, [1, 8], [r, 0])
        row_1 = fill(x, row)
    return out
)");
}

TEST_CASE("fuse: nested loops, a while, another carry stays") {
  check_fused(R"(
    for r, (c, k) in pl.range(2, init_values=(out, n)):
        for s, (d,) in pl.range(2, init_values=(c,)):
            row = pl.tensor.create([1, 8], dtype=pl.FP32)
            row_1 = fill(x, row)
            d_1 = pl.tensor.assemble(d, row_1, [r * 2 + s, 0])
            c_1 = pl.yield_(d_1)
        k_1 = k + 1
        out_1, k_2 = pl.yield_(c_1, k_1)
    return out_1
)",
              R"(
    for r, (k,) in pl.range(2, init_values=(n,)):
        for s in pl.range(2):
            row = pl.tensor.slice(out, [1, 8], [r * 2 + s, 0])
            row_1 = fill(x, row)
        k_1 = k + 1
        k_2 = pl.yield_(k_1)
    return out
)");
}

TEST_CASE("fuse: the results of an if that both branches fuse") {
  check_fused(R"(
    if n > 0:
        a = pl.tensor.create([1, 8], dtype=pl.FP32)
        a_1 = fill(x, a)
        p = pl.tensor.assemble(out, a_1, [0, 0])
        out_1 = pl.yield_(p)
    else:
        out_1 = pl.yield_(out)
    return out_1
)",
              R"(
    if n > 0:
        a = pl.tensor.slice(out, [1, 8], [0, 0])
        a_1 = fill(x, a)
    else:
        pass
    return out
)");
}

TEST_CASE("fuse: where ranks differ the slice has leading ones") {
  PassRun run(R"(
@pl.function(type=pl.FunctionType.AIV)
def fill(o: pl.Out[pl.Tensor[[8], pl.FP32]]) -> pl.Tensor[[8], pl.FP32]:
    o_1 = pl.tensor.write(o, [0], 1.0)
    return o

@pl.function(type=pl.FunctionType.Orchestration)
def main(out: pl.Out[pl.Tensor[[4, 8], pl.FP32]]) -> pl.Tensor[[4, 8], pl.FP32]:
    row = pl.tensor.create([8], dtype=pl.FP32)
    row_1 = fill(row)
    out_1 = pl.tensor.assemble(out, row_1, [2, 0])
    return out_1
)",
              {fuse_create_assemble_to_slice});
  CHECK(run.messages() == "");
  CHECK(run.text().find("row: pl.Tensor[[1, 8], pl.FP32] = pl.tensor.slice(out, [1, 8], [2, 0])") != std::string::npos);
}

TEST_CASE("fuse: stays where somebody could tell") {
  SECTION("assembled twice") {
    check_stays(R"(
    row = pl.tensor.create([1, 8], dtype=pl.FP32)
    row_1 = fill(x, row)
    out_1 = pl.tensor.assemble(out, row_1, [0, 0])
    out_2 = pl.tensor.assemble(out_1, row_1, [1, 0])
    return out_2
)");
  }
  SECTION("the target is read in between") {
    check_stays(R"(
    row = pl.tensor.create([1, 8], dtype=pl.FP32)
    row_1 = fill(x, row)
    look(out)
    out_1 = pl.tensor.assemble(out, row_1, [0, 0])
    return out_1
)");
  }
  SECTION("the temporary is written again behind the assemble") {
    check_stays(R"(
    row = pl.tensor.create([1, 8], dtype=pl.FP32)
    row_1 = fill(x, row)
    out_1 = pl.tensor.assemble(out, row_1, [0, 0])
    row_2 = fill(x, row_1)
    return out_1
)");
  }
  SECTION("the offsets are not known yet") {
    check_stays(R"(
    row = pl.tensor.create([1, 8], dtype=pl.FP32)
    row_1 = fill(x, row)
    m = n + 1
    out_1 = pl.tensor.assemble(out, row_1, [m, 0])
    return out_1
)");
  }
  SECTION("created once, assembled in every round") {
    check_stays(R"(
    row = pl.tensor.create([1, 8], dtype=pl.FP32)
    for r, (c,) in pl.range(4, init_values=(out,)):
        row_1 = fill(x, row)
        c_1 = pl.tensor.assemble(c, row_1, [0, 0])
        out_1 = pl.yield_(c_1)
    return out_1
)");
  }
  SECTION("assembled under a condition") {
    check_stays(R"(
    row = pl.tensor.create([1, 8], dtype=pl.FP32)
    row_1 = fill(x, row)
    if n > 0:
        p = pl.tensor.assemble(out, row_1, [0, 0])
        out_1 = pl.yield_(p)
    else:
        out_1 = pl.yield_(out)
    return out_1
)");
  }
  SECTION("the target is made behind the temporary") {
    check_stays(R"(
    row = pl.tensor.create([1, 8], dtype=pl.FP32)
    row_1 = fill(x, row)
    big = pl.tensor.create([4, 8], dtype=pl.FP32)
    big_1 = pl.tensor.assemble(big, row_1, [1, 0])
    return out
)");
  }
  SECTION("another element type than the target") {
    check_stays(R"(
    row = pl.tensor.create([1, 8], dtype=pl.INT32)
    out_1 = pl.tensor.assemble(out, row, [0, 0])
    return out_1
)");
  }
  SECTION("a temporary that the user tracks") {
    check_stays(R"(
    row = pl.tensor.create([1, 8], dtype=pl.FP32, manual_dep=True)
    row_1 = fill(x, row)
    out_1 = pl.tensor.assemble(out, row_1, [0, 0])
    return out_1
)");
  }
  SECTION("an atomic assemble, an initial value, a part of the temporary") {
    check_stays(R"(
    row = pl.tensor.create([1, 8], dtype=pl.FP32)
    row_1 = fill(x, row)
    out_1 = pl.tensor.assemble(out, row_1, [0, 0], atomic=pl.AtomicType.Add)
    zero = pl.tensor.create([1, 8], dtype=pl.FP32, init_value=0.0)
    out_2 = pl.tensor.assemble(out_1, zero, [1, 0])
    rows = pl.tensor.create([2, 8], dtype=pl.FP32)
    part = pl.tensor.slice(rows, [1, 8], [1, 0])
    part_1 = fill(x, part)
    out_3 = pl.tensor.assemble(out_2, part_1, [2, 0])
    return out_3
)");
  }
}

}  // namespace
}  // namespace pyptoc::passes::testing
