// SPDX-License-Identifier: Apache-2.0
// What the random programs in random_constructs.cpp are made of.
#pragma once

#include <string>
#include <vector>

namespace pyptoc::orchestration {

// Wrappers and inlined functions over the kernels that all programs have and those of groups.h.
inline constexpr const char* kConstructHelpers = R"(
@pl.function(type=pl.FunctionType.Spmd)
def spread(out: pl.InOut[F64], x: F64, mid: pl.InOut[F64]) -> F64:
    r = both(x, mid, out)
    return r

@pl.function(type=pl.FunctionType.Spmd)
def turned(out: pl.InOut[F64], x: F64) -> F64:
    r = pair(x, out)
    return r

@pl.inline
def crossed(a: F64, b: pl.InOut[F64], c: pl.InOut[F64], k: INT) -> tuple[F64, F64]:
    b = scale(b, k)
    c = join(a, c)
    return c, b

@pl.inline
def stepped(a: F64, b: pl.InOut[F64], k: INT, t: pl.Scalar[pl.TASK_ID]) -> tuple[F64, INT, pl.Scalar[pl.TASK_ID]]:
    b, u = pl.submit(join, a, b, deps=[t])
    if k > 1:
        b, u = pl.submit(scale, b, k, deps=[t, u])
    return b, (k + 1) % 5, u

@pl.inline
def twice(a: F64, b: pl.InOut[F64], c: pl.InOut[F64], k: INT) -> tuple[F64, F64]:
    p, q = crossed(a, b, c, k)
    p, q = crossed(a, q, p, k + 1)
    return p, q
)";

// A tensor of a program that grows.
struct NamedTensor {
  std::string name;
  std::vector<int> shape;
  std::string root;  // empty: one buffer or another
  bool dense = true;
  bool turned = false;  // transposed: what a kernel makes of it has another type

  int volume() const {
    int n = 1;
    for (int extent : shape) n *= extent;
    return n;
  }
  std::string text(const char* between) const {
    std::string out;
    for (int extent : shape) out += (out.empty() ? "" : between) + std::to_string(extent);
    return out;
  }
  bool is_line() const { return shape == std::vector<int>{64}; }
};

}  // namespace pyptoc::orchestration
