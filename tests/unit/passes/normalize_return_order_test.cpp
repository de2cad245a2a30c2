// SPDX-License-Identifier: Apache-2.0
// NormalizeReturnOrder: identity, order, callers.
#include "passes/normalize_return_order.h"

#include "front_fixture.h"
#include "passes/property_checks.h"

namespace pyptoc::passes::testing {
namespace {

constexpr std::string_view kSwapped = R"(
@pl.function(type=pl.FunctionType.AIV)
def k(x: TENSOR, a: pl.Out[TENSOR], b: pl.Out[TENSOR]) -> tuple[TENSOR, TENSOR]:
    b_1 = pl.tensor.assemble(b, x, [0])
    a_1 = pl.tensor.assemble(a, x, [0])
    return b_1, a_1
)";
constexpr std::string_view kOrdered = R"(
@pl.function(type=pl.FunctionType.AIV)
def k(x: TENSOR, a: pl.Out[TENSOR], b: pl.Out[TENSOR]) -> tuple[TENSOR, TENSOR]:
    b_1 = pl.tensor.assemble(b, x, [0])
    a_1 = pl.tensor.assemble(a, x, [0])
    return a, b
)";

void check_with_caller(std::string_view before, std::string_view after) {
  PassRun run(std::string(kSwapped) + std::string(before), {normalize_return_order});
  CHECK(run.difference_to(std::string(kOrdered) + std::string(after)) == "");
  CHECK(run.messages() == "");
  Findings findings;
  check_ReturnParamsExplicit(run.after(), findings);
  CHECK(findings.empty());
  check_ReturnParamsExplicit(run.before(), findings);
  CHECK(!findings.empty());
}

TEST_CASE("returns: parameters by identity and in order, indices of callers follow") {
  check_with_caller(R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, p: pl.Out[TENSOR], q: pl.Out[TENSOR]) -> tuple[TENSOR, TENSOR]:
    r = k(x, p, q)
    s = r[0]
    t = r[1]
    return s, t
)",
                    R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, p: pl.Out[TENSOR], q: pl.Out[TENSOR]) -> tuple[TENSOR, TENSOR]:
    r = k(x, p, q)
    s = r[1]
    t = r[0]
    return s, t
)");
}

TEST_CASE("returns: the task id of a submit stays last") {
  check_with_caller(R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, p: pl.Out[TENSOR], q: pl.Out[TENSOR]) -> TENSOR:
    r = pl.submit(k, x, p, q)
    s = r[0]
    t = r[2]
    u = pl.submit(k, x, s, q, deps=[t])
    v = u[1]
    return v
)",
                    R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, p: pl.Out[TENSOR], q: pl.Out[TENSOR]) -> TENSOR:
    r = pl.submit(k, x, p, q)
    s = r[1]
    t = r[2]
    u = pl.submit(k, x, s, q, deps=[t])
    v = u[0]
    return v
)");
}

TEST_CASE("returns: a wrapper that hands the tuple on") {
  check_with_caller(R"(
@pl.function(type=pl.FunctionType.Spmd)
def w(x: TENSOR, p: pl.Out[TENSOR], q: pl.Out[TENSOR]) -> tuple[TENSOR, TENSOR]:
    r = k(x, p, q)
    s = r[0]
    t = r[1]
    return s, t
)",
                    R"(
@pl.function(type=pl.FunctionType.Spmd)
def w(x: TENSOR, p: pl.Out[TENSOR], q: pl.Out[TENSOR]) -> tuple[TENSOR, TENSOR]:
    r = k(x, p, q)
    s = r[1]
    t = r[0]
    return p, q
)");
}

TEST_CASE("returns: through loops and branches; written parameters that are not returned are skipped") {
  check_pass({normalize_return_order}, R"(
@pl.function(type=pl.FunctionType.AIV)
def k(x: TENSOR, a: pl.Out[TENSOR], b: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]) -> tuple[TENSOR, pl.Scalar[pl.INDEX]]:
    a_1 = pl.tensor.assemble(a, x, [0])
    for i, (c,) in pl.range(4, init_values=(b,)):
        c_1 = pl.tensor.assemble(c, x, [0])
        b_1 = pl.yield_(c_1)
    if n > 0:
        b_2 = pl.tensor.write(b_1, [0], 1.0)
        b_3 = pl.yield_(b_2)
    else:
        b_3 = pl.yield_(b_1)
    return b_3, n
)",
             R"(
@pl.function(type=pl.FunctionType.AIV)
def k(x: TENSOR, a: pl.Out[TENSOR], b: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]) -> tuple[TENSOR, pl.Scalar[pl.INDEX]]:
    a_1 = pl.tensor.assemble(a, x, [0])
    for i, (c,) in pl.range(4, init_values=(b,)):
        c_1 = pl.tensor.assemble(c, x, [0])
        b_1 = pl.yield_(c_1)
    if n > 0:
        b_2 = pl.tensor.write(b_1, [0], 1.0)
        b_3 = pl.yield_(b_2)
    else:
        b_3 = pl.yield_(b_1)
    return b, n
)");
}

TEST_CASE("returns: what may be one of two parameters, and a view, stay") {
  check_unchanged({normalize_return_order}, R"(
@pl.function(type=pl.FunctionType.AIV)
def k(a: pl.Out[TENSOR], b: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]) -> tuple[TENSOR, pl.Tensor[[8, 8], pl.FP32]]:
    if n > 0:
        c = pl.yield_(a)
    else:
        c = pl.yield_(b)
    v = pl.tensor.reshape(a, [8, 8])
    return c, v
)");
}

TEST_CASE("returns: a tuple that a caller hands back whole is put together again in the old order") {
  check_pass({normalize_return_order}, R"(
@pl.function(type=pl.FunctionType.AIV)
def k(x: TENSOR, a: pl.Out[TENSOR], b: pl.Out[TENSOR]) -> tuple[TENSOR, TENSOR]:
    b_1 = pl.tensor.assemble(b, x, [0])
    a_1 = pl.tensor.assemble(a, x, [0])
    return b_1, a_1

@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, p: pl.Out[TENSOR], q: pl.Out[TENSOR]) -> pl.Tuple[TENSOR, TENSOR]:
    r = k(x, p, q)
    return r
)",
             R"(
@pl.function(type=pl.FunctionType.AIV)
def k(x: TENSOR, a: pl.Out[TENSOR], b: pl.Out[TENSOR]) -> tuple[TENSOR, TENSOR]:
    b_1 = pl.tensor.assemble(b, x, [0])
    a_1 = pl.tensor.assemble(a, x, [0])
    return a, b

@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, p: pl.Out[TENSOR], q: pl.Out[TENSOR]) -> pl.Tuple[TENSOR, TENSOR]:
    r = k(x, p, q)
    return [r[1], r[0]]
)");
}

}  // namespace
}  // namespace pyptoc::passes::testing
