// SPDX-License-Identifier: Apache-2.0
// Makes break, continue and early returns structured conditions.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

// continue: the rest of the body moves into the branch that stays; the loop keeps its form.
//
//     for i in pl.range(n):             for i in pl.range(n):
//         if c: continue                    if c:
//         rest                    ->        else:
//                                               rest
//
// break: a flag, false before the loop, says that the loop was left. A sequential for loop whose number of iterations
// is not known becomes a while loop; one of constant bounds (or of a step of unknown sign, or a pipeline) stays, and
// its body is guarded by the flag.
//
//     for i in pl.range(n):             stopped = False
//         a                             i = 0
//         if c: break             ->    while i < n and not stopped:
//         b                                 a
//                                           if c:
//                                               stopped = True
//                                           else:
//                                               b
//                                           i = i + 1
//
// The bounds are evaluated once, before the loop. What such a loop carries in iter_args becomes plain variables, those
// that hold its results: an iteration that is left does not change them. Early returns: structured_returns.h; variables
// that have no value where they are skipped: exit_placeholders.h.
//
// Ensures: StructuredCtrlFlow. The result is in general not SSA. Errors: E0415 to E0419.
const ir::Program* ctrl_flow_transform(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
