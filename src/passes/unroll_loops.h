// SPDX-License-Identifier: Apache-2.0
// Replaces unroll loops by copies of their bodies.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

// The statements that all unroll loops of a function may make.
inline constexpr int64_t kMaxUnrolledStatements = 65536;

// Each iteration of an unroll loop becomes a copy of its body, in which the loop variable is a constant.
//
//     for i in pl.unroll(0, 6, 2):        x = tensor.adds(x, 0)
//         x = tensor.adds(x, i)    ->     x = tensor.adds(x, 2)
//                                         x = tensor.adds(x, 4)
//
// Outer loops first, so that the bounds of an inner one may depend on the variable of an outer one. What the loop
// carries is assigned to its result variables, first the initial values and then what each copy yields. A body that
// assigns the loop variable starts with an assignment of the constant. Variables keep their identity: the result is in
// general not SSA.
//
// Ensures: no Unroll loop. Errors: E0410 to E0413.
const ir::Program* unroll_loops(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
