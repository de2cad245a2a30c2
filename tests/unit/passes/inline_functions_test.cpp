// SPDX-License-Identifier: Apache-2.0
// Inline functions: each rule of the contract before and after, and every error.
#include "passes/inline_functions.h"

#include "front_fixture.h"

namespace pyptoc::passes::testing {
namespace {

TEST_CASE("inline: the body takes the place of the call, each with variables of its own") {
  check_pass({inline_functions}, R"(
@pl.inline
def square(x: TENSOR) -> TENSOR:
    y = pl.mul(x, x)
    return y
@pl.function
def main(a: TENSOR, b: TENSOR) -> TENSOR:
    a2 = square(a)
    b2 = square(b)
    return pl.add(a2, b2)
)",
             R"(
@pl.function
def main(a: TENSOR, b: TENSOR) -> TENSOR:
    y = pl.mul(a, a)
    a2 = y
    y_1 = pl.mul(b, b)
    b2 = y_1
    return pl.add(a2, b2)
)");
}

TEST_CASE("inline: functions that nobody calls go, others stay the same node") {
  PassRun run(R"(
@pl.inline
def unused(x: TENSOR) -> TENSOR:
    return x
@pl.function
def main(a: TENSOR) -> TENSOR:
    return a
)",
              {inline_functions});
  REQUIRE(run.after()->functions.size() == 1);
  CHECK(run.after()->functions[0] == run.before()->find("main"));
  check_unchanged({inline_functions}, R"(
@pl.function
def main(a: TENSOR) -> TENSOR:
    return a
)");
}

TEST_CASE("inline: chains of Inline functions") {
  check_pass({inline_functions}, R"(
@pl.inline
def quad(x: TENSOR) -> TENSOR:
    s = square(x)
    q = square(s)
    return q
@pl.inline
def square(x: TENSOR) -> TENSOR:
    y = pl.mul(x, x)
    return y
@pl.function
def main(a: TENSOR) -> TENSOR:
    r = quad(a)
    return r
)",
             R"(
@pl.function
def main(a: TENSOR) -> TENSOR:
    y = pl.mul(a, a)
    s = y
    y_1 = pl.mul(s, s)
    q = y_1
    r = q
    return r
)");
}

TEST_CASE("inline: several values come back as a tuple, a return takes them apart") {
  check_pass({inline_functions}, R"(
@pl.inline
def two(x: TENSOR) -> tuple[TENSOR, TENSOR]:
    y = pl.add(x, x)
    z = pl.mul(x, x)
    return y, z
@pl.function
def main(a: TENSOR) -> tuple[TENSOR, TENSOR]:
    p, q = two(a)
    return p, q
@pl.function
def direct(a: TENSOR) -> tuple[TENSOR, TENSOR]:
    return two(a)
)",
             R"(
@pl.function
def main(a: TENSOR) -> tuple[TENSOR, TENSOR]:
    y = pl.add(a, a)
    z = pl.mul(a, a)
    both = (y, z)
    p = both[0]
    q = both[1]
    return p, q
@pl.function
def direct(a: TENSOR) -> tuple[TENSOR, TENSOR]:
    y = pl.add(a, a)
    z = pl.mul(a, a)
    return y, z
)");
}

TEST_CASE("inline: a parameter that is updated in place is the caller's variable") {
  check_pass({inline_functions}, R"(
@pl.inline
def fill(x: TENSOR, out: TENSOR) -> TENSOR:
    for i in pl.range(4):
        out = pl.tensor.assemble(out, x, [0])
    return out
@pl.function
def main(a: TENSOR, ext: pl.Out[TENSOR]) -> TENSOR:
    fill(a, ext)
    return ext
)",
             R"(
@pl.function
def main(a: TENSOR, ext: pl.Out[TENSOR]) -> TENSOR:
    for i in pl.range(4):
        ext = pl.tensor.assemble(ext, a, [0])
    return ext
)");
}

TEST_CASE("inline: a kernel's output counts as updated in place, also through a tuple") {
  check_pass({inline_functions}, R"(
@pl.function(type=pl.FunctionType.InCore)
def kernel(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    return out
@pl.inline
def step(x: TENSOR, out: TENSOR):
    out = kernel(x, out)
    out, t = pl.submit(kernel, x, out)
@pl.function
def main(a: TENSOR, ext: pl.Out[TENSOR]) -> TENSOR:
    step(a, ext)
    return ext
)",
             R"(
@pl.function(type=pl.FunctionType.InCore)
def kernel(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    return out
@pl.function
def main(a: TENSOR, ext: pl.Out[TENSOR]) -> TENSOR:
    ext = kernel(a, ext)
    ext, t = pl.submit(kernel, a, ext)
    return ext
)");
}

TEST_CASE("inline: another assignment of a parameter does not reach the caller") {
  check_pass({inline_functions}, R"(
@pl.inline
def helper(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    n = n + 1
    x = pl.add(x, x)
    y = pl.tensor.slice(x, [64], [n])
    return y
@pl.function
def main(a: TENSOR, k: pl.Scalar[pl.INDEX]) -> TENSOR:
    r = helper(a, k)
    s = pl.add(r, a)
    return s
)",
             R"(
@pl.function
def main(a: TENSOR, k: pl.Scalar[pl.INDEX]) -> TENSOR:
    x = a
    n = k
    n = n + 1
    x = pl.add(x, x)
    y = pl.tensor.slice(x, [64], [n])
    r = y
    s = pl.add(r, a)
    return s
)");
}

TEST_CASE("inline: arguments that are expressions are evaluated once, before the body") {
  check_pass({inline_functions}, R"(
@pl.inline
def helper(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    y = pl.tensor.slice(x, [64], [n])
    z = pl.add(y, x)
    return z
@pl.function
def main(a: TENSOR, k: pl.Scalar[pl.INDEX]) -> TENSOR:
    r = helper(pl.add(a, a), k + 1)
    s = helper(r, 3)
    return s
)",
             R"(
@pl.function
def main(a: TENSOR, k: pl.Scalar[pl.INDEX]) -> TENSOR:
    x = pl.add(a, a)
    n = k + 1
    y = pl.tensor.slice(x, [64], [n])
    z = pl.add(y, x)
    r = z
    y_1 = pl.tensor.slice(r, [64], [3])
    z_1 = pl.add(y_1, r)
    s = z_1
    return s
)");
}

TEST_CASE("inline: a scalar argument of another type is converted") {
  check_pass({inline_functions}, R"(
@pl.inline
def helper(x: TENSOR, n: pl.Scalar[pl.INT32]) -> TENSOR:
    y = pl.tensor.slice(x, [64], [n])
    return y
@pl.function
def main(a: TENSOR, k: pl.Scalar[pl.INDEX]) -> TENSOR:
    r = helper(a, k)
    s = helper(r, 3)
    return s
)",
             R"(
@pl.function
def main(a: TENSOR, k: pl.Scalar[pl.INDEX]) -> TENSOR:
    n = pl.cast(k, pl.INT32)
    y = pl.tensor.slice(a, [64], [n])
    r = y
    y_1 = pl.tensor.slice(r, [64], [pl.const(3, pl.INT32)])
    s = y_1
    return s
)");
}

// DeepSeekV4Decode passes `pl.cast(1, pl.INT32)` for the epoch of its first layer: bound to a variable, it was one scalar
// more in each task whose kernel waits for that epoch.
TEST_CASE("inline: casts and arithmetic of integers are a constant, unless the type does not hold it") {
  check_pass({inline_functions}, R"(
@pl.inline
def helper(x: TENSOR, n: pl.Scalar[pl.INT32]) -> TENSOR:
    y = pl.tensor.slice(x, [64], [n])
    return y
@pl.function
def main(a: TENSOR) -> TENSOR:
    r = helper(a, pl.cast(1, pl.INT32))
    s = helper(r, pl.cast(2 + 5, pl.INT32))
    t = helper(s, pl.cast(pl.cast(300, pl.INT8), pl.INT32))
    return t
)",
             R"(
@pl.function
def main(a: TENSOR) -> TENSOR:
    y = pl.tensor.slice(a, [64], [pl.const(1, pl.INT32)])
    r = y
    y_1 = pl.tensor.slice(r, [64], [pl.const(7, pl.INT32)])
    s = y_1
    n = pl.cast(pl.cast(300, pl.INT8), pl.INT32)
    y_2 = pl.tensor.slice(s, [64], [n])
    t = y_2
    return t
)");
}

TEST_CASE("inline: calls inside of expressions keep the order of evaluation") {
  check_pass({inline_functions}, R"(
@pl.inline
def helper(x: TENSOR) -> TENSOR:
    y = pl.mul(x, x)
    return y
@pl.function
def main(a: TENSOR) -> TENSOR:
    r = pl.add(pl.exp(a), pl.add(helper(a), a))
    return r
)",
             R"(
@pl.function
def main(a: TENSOR) -> TENSOR:
    t0 = pl.exp(a)
    y = pl.mul(a, a)
    t1 = y
    t2 = pl.add(t1, a)
    r = pl.add(t0, t2)
    return r
)");
}

TEST_CASE("inline: calls in conditions, bounds and scopes") {
  check_pass({inline_functions}, R"(
@pl.inline
def twice(n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
    m = n * 2
    return m
@pl.function
def main(a: TENSOR, k: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(twice(k)):
        if twice(i) < 4:
            with pl.at(level=pl.Level.CORE_GROUP):
                b = pl.tensor.slice(a, [64], [twice(i)])
    return a
)",
             R"(
@pl.function
def main(a: TENSOR, k: pl.Scalar[pl.INDEX]) -> TENSOR:
    m = k * 2
    t = m
    for i in pl.range(t):
        m_1 = i * 2
        t_1 = m_1
        if t_1 < 4:
            with pl.at(level=pl.Level.CORE_GROUP):
                m_2 = i * 2
                t_2 = m_2
                b = pl.tensor.slice(a, [64], [t_2])
    return a
)");
}

TEST_CASE("inline: dynamic extents become those of the argument") {
  check_pass({inline_functions}, R"(
N = pl.dynamic("N")
@pl.inline
def helper(x: pl.Tensor[[N, 4], pl.FP32]) -> pl.Tensor[[N, 4], pl.FP32]:
    y = pl.add(x, x)
    z = pl.tensor.reshape(y, [N * 4])
    return y
@pl.function
def main(a: pl.Tensor[[8, 4], pl.FP32]) -> pl.Tensor[[8, 4], pl.FP32]:
    r: pl.Tensor[[8, 4], pl.FP32] = helper(a)
    return r
)",
             R"(
@pl.function
def main(a: pl.Tensor[[8, 4], pl.FP32]) -> pl.Tensor[[8, 4], pl.FP32]:
    y = pl.add(a, a)
    z: pl.Tensor[[8 * 4], pl.FP32] = pl.tensor.reshape(y, [8 * 4])
    r = y
    return r
)");
}

TEST_CASE("inline: attributes and comments come along") {
  check_pass({inline_functions}, R"(
@pl.inline
def helper(x: TENSOR, t: pl.Scalar[pl.TASK_ID]):
    # inside
    with pl.at(level=pl.Level.CORE_GROUP, deps=[t]):
        y = pl.add(x, x)
@pl.function
def main(a: TENSOR, id: pl.Scalar[pl.TASK_ID]) -> TENSOR:
    # outside
    helper(a, id)
    return a
)",
             R"(
@pl.function
def main(a: TENSOR, id: pl.Scalar[pl.TASK_ID]) -> TENSOR:
    # outside
    # inside
    with pl.at(level=pl.Level.CORE_GROUP, deps=[id]):
        y = pl.add(a, a)
    return a
)");
}

TEST_CASE("inline: dump marks of the call go to what runs") {
  check_pass({inline_functions}, R"(
@pl.function(type=pl.FunctionType.InCore)
def kernel(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    return out
@pl.inline
def helper(x: TENSOR, y: TENSOR):
    with pl.at(level=pl.Level.CORE_GROUP):
        z = pl.add(x, x)
    with pl.at(level=pl.Level.CORE_GROUP):
        w = pl.add(y, y)
    x = kernel(y, x)
@pl.function
def main(a: TENSOR, b: TENSOR) -> TENSOR:
    helper(a, b, attrs={"dump_vars": [a]})
    return a
)",
             R"(
@pl.function(type=pl.FunctionType.InCore)
def kernel(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    return out
@pl.function
def main(a: TENSOR, b: TENSOR) -> TENSOR:
    with pl.at(level=pl.Level.CORE_GROUP, attrs={"dump_vars": [a]}):
        z = pl.add(a, a)
    with pl.at(level=pl.Level.CORE_GROUP):
        w = pl.add(b, b)
    a = kernel(b, a, attrs={"dump_vars": [a]})
    return a
)");
}

TEST_CASE("inline: early returns become branches") {
  check_pass({inline_functions}, R"(
@pl.inline
def pick(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    if n < 4:
        return x
    y = pl.add(x, x)
    return y
@pl.function
def main(a: TENSOR, k: pl.Scalar[pl.INDEX]) -> TENSOR:
    r = pick(a, k)
    return r
)",
             R"(
@pl.function
def main(a: TENSOR, k: pl.Scalar[pl.INDEX]) -> TENSOR:
    if k < 4:
        result = a
    else:
        y = pl.add(a, a)
        result = y
    r = result
    return r
)");
}

}  // namespace
}  // namespace pyptoc::passes::testing
