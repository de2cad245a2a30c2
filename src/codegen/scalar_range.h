// SPDX-License-Identifier: Apache-2.0
// Which integer arithmetic can leave the range of its type.
#pragma once

#include "ir/expr.h"

namespace pyptoc::codegen {

// False only when the exact result of this operation, given the ranges of its operands, is always a value of its type.
// Known are constants, conversions from narrower types, and arithmetic of these. Requires a unary or binary expression
// of an integer type.
bool may_overflow(const ir::Expr* e);

}  // namespace pyptoc::codegen
