// SPDX-License-Identifier: Apache-2.0
// Short texts of types and expressions for diagnostics. For whole programs there is the DSL printer of `text`.
#pragma once

#include <string>

#include "ir/expr.h"

namespace pyptoc::ir {

// `Tensor[[16, n], FP32]`, `Scalar[INDEX]`; views and memory are left out. Long ones are cut with `...`.
std::string describe(const Type* type);
// `n`, `16`, `n + 1`; deep or long ones are cut with `...`.
std::string describe(const Expr* expr);

}  // namespace pyptoc::ir
