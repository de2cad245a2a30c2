// SPDX-License-Identifier: Apache-2.0
// Nested calls: each rule of the contract before and after, and the check of the result.
#include "passes/flatten_call_expr.h"

#include "front_fixture.h"
#include "passes/convert_to_ssa.h"
#include "passes/property_checks.h"
#include "passes/unroll_loops.h"

namespace pyptoc::passes::testing {
namespace {

TEST_CASE("flatten: nothing to do") {
  check_unchanged({flatten_call_expr}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    y = pl.tensor.slice(x, [64], [n * 2 + 1])
    if n < 4:
        z = pl.exp(y)
    return x
)");
}

TEST_CASE("flatten: arguments, innermost and leftmost first") {
  check_pass({flatten_call_expr}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    # deep
    y = pl.add(pl.mul(pl.exp(x), x), pl.sqrt(x))
    return y
)",
             R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    # deep
    t0 = pl.exp(x)
    t1 = pl.mul(t0, x)
    t2 = pl.sqrt(x)
    y = pl.add(t1, t2)
    return y
)");
}

TEST_CASE("flatten: tuples, arithmetic, returns") {
  check_pass({flatten_call_expr}, R"(
@pl.function
def main(x: TENSOR, ints: pl.Tensor[[4], pl.INT32]) -> TENSOR:
    n = pl.cast(pl.tensor.read(ints, [0]), pl.INDEX) + 1
    y = pl.tensor.slice(x, [64], [pl.cast(pl.tensor.read(ints, [1]), pl.INDEX)])
    return pl.add(y, x)
)",
             R"(
@pl.function
def main(x: TENSOR, ints: pl.Tensor[[4], pl.INT32]) -> TENSOR:
    t0 = pl.tensor.read(ints, [0])
    n = pl.cast(t0, pl.INDEX) + 1
    t1 = pl.tensor.read(ints, [1])
    y = pl.tensor.slice(x, [64], [pl.cast(t1, pl.INDEX)])
    t2 = pl.add(y, x)
    return t2
)");
}

TEST_CASE("flatten: before branches and loops, inside of bodies and scopes") {
  check_pass({flatten_call_expr}, R"(
@pl.function
def main(x: TENSOR, ints: pl.Tensor[[4], pl.INT32]) -> TENSOR:
    if pl.tensor.read(ints, [0]) < 4:
        y = pl.exp(pl.sqrt(x))
    for i, (a,) in pl.range(pl.tensor.dim(x, 0), init_values=(pl.exp(x),)):
        b = pl.yield_(pl.add(a, pl.exp(a)))
    with pl.spmd(pl.tensor.dim(x, 0)):
        with pl.at(level=pl.Level.CORE_GROUP):
            z = pl.exp(pl.sqrt(b))
    return b
)",
             R"(
@pl.function
def main(x: TENSOR, ints: pl.Tensor[[4], pl.INT32]) -> TENSOR:
    t0 = pl.tensor.read(ints, [0])
    if t0 < 4:
        t1 = pl.sqrt(x)
        y = pl.exp(t1)
    t2 = pl.tensor.dim(x, 0)
    t3 = pl.exp(x)
    for i, (a,) in pl.range(t2, init_values=(t3,)):
        t4 = pl.exp(a)
        t5 = pl.add(a, t4)
        b = pl.yield_(t5)
    t6 = pl.tensor.dim(x, 0)
    with pl.spmd(t6):
        with pl.at(level=pl.Level.CORE_GROUP):
            t7 = pl.sqrt(b)
            z = pl.exp(t7)
    return b
)");
}

TEST_CASE("flatten: the condition of a while loop is evaluated again in each iteration") {
  check_pass({flatten_call_expr}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX], ints: pl.Tensor[[4], pl.INT32]) -> pl.Scalar[pl.INDEX]:
    for (k,) in pl.while_(init_values=(n,)):
        pl.cond(pl.tensor.read(ints, [k]) < 4)
        m = pl.yield_(k + 1)
    return m
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX], ints: pl.Tensor[[4], pl.INT32]) -> pl.Scalar[pl.INDEX]:
    t0 = pl.tensor.read(ints, [n])
    for (k, more) in pl.while_(init_values=(n, t0 < 4)):
        pl.cond(more)
        t1 = pl.tensor.read(ints, [k + 1])
        m, done = pl.yield_(k + 1, t1 < 4)
    return m
)");
}

TEST_CASE("flatten: predicates and the world size stay") {
  check_unchanged({flatten_call_expr}, R"(
@pl.function(type=pl.FunctionType.InCore)
def kernel(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    return out
@pl.function
def main(x: TENSOR, out: pl.Out[TENSOR], ints: pl.Tensor[[4], pl.INT32]) -> TENSOR:
    y, t = pl.submit(kernel, x, out, predicate=pl.tensor.read(ints, [0]) > 0)
    return y
)");
  check_unchanged({flatten_call_expr}, R"(
@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def main(x: TENSOR) -> TENSOR:
    for r in pl.range(pld.system.world_size()):
        y = pl.tensor.slice(x, [pld.system.world_size()], [r])
    return x
)");
}

TEST_CASE("flatten: the check finds what is left") {
  PassRun run(R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    y = pl.add(pl.exp(x), x)
    return pl.exp(y)
)",
              {});
  Findings findings;
  check_NoNestedCalls(run.before(), findings);
  CHECK(findings.size() == 2);
}

TEST_CASE("flatten: copies of a body get calls of their own") {
  constexpr std::string_view kUnrolled = R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(n: pl.Scalar[pl.INDEX]):
    for r in pl.unroll(2):
        for i in pl.range(n):
            t = pl.tensor.create([64], dtype=pl.FP32)
)";
  Findings findings;
  PassRun shared(kUnrolled, {unroll_loops, convert_to_ssa});
  check_NoNestedCalls(shared.after(), findings);
  CHECK(findings.size() == 1);
  findings.clear();
  PassRun run(kUnrolled, {unroll_loops, convert_to_ssa, flatten_call_expr});
  check_NoNestedCalls(run.after(), findings);
  CHECK(findings == Findings());
  check_unchanged({flatten_call_expr}, run.text());
}

}  // namespace
}  // namespace pyptoc::passes::testing
