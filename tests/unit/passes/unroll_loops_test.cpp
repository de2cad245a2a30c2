// SPDX-License-Identifier: Apache-2.0
// Unroll loops: each rule of the contract before and after, and every error.
#include "passes/unroll_loops.h"

#include "front_fixture.h"

namespace pyptoc::passes::testing {
namespace {

TEST_CASE("unroll: each iteration is a copy") {
  check_pass({unroll_loops}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    # three times
    for i in pl.unroll(0, 6, 2):
        x = pl.tensor.slice(x, [64], [i])
    return x
)",
             R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    # three times
    x = pl.tensor.slice(x, [64], [0])
    x = pl.tensor.slice(x, [64], [2])
    x = pl.tensor.slice(x, [64], [4])
    return x
)");
}

TEST_CASE("unroll: downwards, not at all, and other loops as they are") {
  check_pass({unroll_loops}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    for i in pl.unroll(6, 0, -3):
        x = pl.tensor.slice(x, [64], [i])
    for i in pl.unroll(4, 4):
        x = pl.exp(x)
    return x
)",
             R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    x = pl.tensor.slice(x, [64], [6])
    x = pl.tensor.slice(x, [64], [3])
    return x
)");
  check_unchanged({unroll_loops}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    for i in pl.range(4):
        x = pl.tensor.slice(x, [64], [i])
    return x
)");
}

TEST_CASE("unroll: inner bounds may depend on outer variables") {
  check_pass({unroll_loops}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    for i in pl.unroll(2):
        for j in pl.unroll(i * 2, 3):
            x = pl.tensor.slice(x, [64], [i + j])
    return x
)",
             R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    x = pl.tensor.slice(x, [64], [0 + 0])
    x = pl.tensor.slice(x, [64], [0 + 1])
    x = pl.tensor.slice(x, [64], [0 + 2])
    x = pl.tensor.slice(x, [64], [1 + 2])
    return x
)");
}

TEST_CASE("unroll: extents of types follow the variable") {
  check_pass({unroll_loops}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    for i in pl.unroll(1, 3):
        y = pl.tensor.slice(x, [i], [0])
    return x
)",
             R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    y: pl.Tensor[[1], pl.FP32] = pl.tensor.slice(x, [1], [0])
    y_1: pl.Tensor[[2], pl.FP32] = pl.tensor.slice(x, [2], [0])
    return x
)");
}

TEST_CASE("unroll: what the loop carries is assigned to its results") {
  check_pass({unroll_loops}, R"(
@pl.function
def main(x: TENSOR, y: TENSOR) -> TENSOR:
    for i, (a, b) in pl.unroll(2, init_values=(x, y)):
        c = pl.add(a, b)
        r, s = pl.yield_(b, c)
    return s
)",
             R"(
@pl.function
def main(x: TENSOR, y: TENSOR) -> TENSOR:
    r = x
    s = y
    c = pl.add(r, s)
    r_1 = s
    s_1 = c
    r = r_1
    s = s_1
    c = pl.add(r, s)
    r_2 = s
    s_2 = c
    r = r_2
    s = s_2
    return s
)");
}

TEST_CASE("unroll: a body that assigns the loop variable") {
  check_pass({unroll_loops}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    for i in pl.unroll(2):
        i = i + 1
        x = pl.tensor.slice(x, [64], [i])
    return x
)",
             R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    i = 0
    i = i + 1
    x = pl.tensor.slice(x, [64], [i])
    i = 1
    i = i + 1
    x = pl.tensor.slice(x, [64], [i])
    return x
)");
}

TEST_CASE("unroll: errors") {
  check_error({unroll_loops}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.unroll(n):
        x = pl.exp(x)
    return x
)",
              "E0410", 3);
  check_error({unroll_loops}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    for i in pl.unroll(0, 4, 2 - 2):
        x = pl.exp(x)
    return x
)",
              "E0411", 3);
  check_error({unroll_loops}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    for i in pl.unroll(1000):
        for j in pl.unroll(1000):
            x = pl.exp(x)
    return x
)",
              "E0412", 4);
  check_error({unroll_loops}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    for i in pl.unroll(9000000000000000000):
        x = pl.exp(x)
    return x
)",
              "E0412", 3);
  check_error({unroll_loops}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    for i in pl.unroll(4):
        if i > 2:
            break
    return x
)",
              "E0413", 5);
}

}  // namespace
}  // namespace pyptoc::passes::testing
