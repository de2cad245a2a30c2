// SPDX-License-Identifier: Apache-2.0
// The kernels of the test programs: their text, and what they compute in C++.
#pragma once

#include <string>

#include "orchestration/interpreter.h"

namespace pyptoc::orchestration {

// A program in full. In `text`
// - F64, F4x16, I4, FMx64 are tensor types of FP32 and INT32; M and N are dynamic extents;
// - `kernel NAME(x: F64, y: Out F64, z: InOut F64, k: INT) -> y, z` is a vector kernel that returns y and z, `cube` one
//   for the cube core;
// - `orchestration NAME(...)` begins an orchestration. Without one, `text` is the body of `main` over
// kDefaultParameters.
std::string full_text(std::string_view text);

inline constexpr std::string_view kDefaultParameters =
    "x: InOut F64, y: InOut F64, z: InOut F64, big: InOut F256, out: InOut F256, flag: InOut I4, n: INT";

// The body of a kernel by its name up to the first `_`; none for names that have none.
KernelBody reference_kernel(std::string_view name);

}  // namespace pyptoc::orchestration
