// SPDX-License-Identifier: Apache-2.0
// Gives every nested call a variable.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

// Calls stand alone in an assignment or a statement of their own; everything else uses variables, constants, tuples
// and scalar arithmetic of these.
//
//     y = tensor.mul(tensor.adds(x, 1), z)    ->    t0 = tensor.adds(x, 1)
//                                                   y = tensor.mul(t0, z)
//
// The new assignment stands directly before the statement, inside of the same scope, in the order of evaluation. A call
// in a condition, in the bounds of a loop, in initial values or in a width stands before the if, loop or scope; one in
// a return or yield before that. A while loop that calls in its condition carries the value of the call: it is
// evaluated before the loop and at the end of each iteration. Calls in predicates stay, since the runtime evaluates
// them; so do calls in types, and pld.system.world_size(), which is a constant of the run (plain_value.h).
//
// No two statements share a call: copies of a body that was inlined or unrolled share what names none of its variables,
// and each evaluates it anew.
//
// Requires: SSAForm. Ensures: NoNestedCalls.
const ir::Program* flatten_call_expr(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
