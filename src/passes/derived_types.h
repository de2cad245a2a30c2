// SPDX-License-Identifier: Apache-2.0
// Result types that follow the operands again after those changed.
#pragma once

#include "ir/context.h"

namespace pyptoc::passes {

// The call with the type that the operator's rule gives for its present operands, where that is a type with a shape and
// another one than the call has; else the call itself. Storage is no part of these types.
const ir::Call* with_derived_type(ir::Context& context, const ir::Call* call);

}  // namespace pyptoc::passes
