// SPDX-License-Identifier: Apache-2.0
// Functions over several kernels that programs of more than one test have.
#pragma once

namespace pyptoc::orchestration {

// The kernels for the two cores of a cluster.
inline constexpr const char* kClusterKernels = R"(
cube product_first(x: F64, mid: InOut F64, out: InOut F64)
kernel add_last(x: F64, mid: InOut F64, out: InOut F64) -> out
)";

// The Group of these two; behind kClusterKernels.
inline constexpr const char* kBoth = R"(
@pl.function(type=pl.FunctionType.Group)
def both(x: F64, mid: pl.InOut[F64], out: pl.InOut[F64]) -> F64:
    product_first(x, mid, out)
    r = add_last(x, mid, out)
    return r
)";

// A Group of one kernel for both vector lanes.
inline constexpr const char* kPair = R"(
@pl.function(type=pl.FunctionType.Group)
def pair(x: F64, out: pl.InOut[F64]) -> F64:
    r = lanes(x, out)
    return r
)";

}  // namespace pyptoc::orchestration
