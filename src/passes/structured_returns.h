// SPDX-License-Identifier: Apache-2.0
// Leaves a function exactly one return, at its end.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

// A return inside of branches becomes assignments of result variables, and what follows the branch moves into the
// other one:
//
//     if c:                   if c:
//         return a                result = a
//     b = f(x)         ->     else:
//     return b                    b = f(x)
//                                 result = b
//                             return result
//
// The function itself when its only return stands at the end already, also inside of transparent scopes there. Not SSA
// afterwards. Errors: E0418 for a return in a loop or in a scope that is not at the end, E0419.
const ir::Function* structure_returns(const ir::Function* function, PassContext& context);

}  // namespace pyptoc::passes
