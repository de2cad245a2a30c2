// SPDX-License-Identifier: Apache-2.0
// Values for variables that a lowered jump seems to leave without one.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

// Lowering a jump to a flag (exit_lowering.h) hides from the structure of the program that what follows is skipped:
//
//     if a:                              left = False
//         if b: continue                 if a:
//         y = 1                              if b: left = True
//     else:                     ->           else: y = 1
//         y = 2                          else:
//     use(y)                                 y = 2
//                                        if not left: use(y)
//
// Each variable that has a value on every path of `before`, but not of `after` as far as the structure tells, is
// assigned one at the beginning of the function, which is never read: a parameter of its type, or a placeholder.
// `after` itself when there is none.
const ir::Function* with_placeholders(const ir::Function* before, const ir::Function* after, PassContext& context);

}  // namespace pyptoc::passes
