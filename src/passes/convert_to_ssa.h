// SPDX-License-Identifier: Apache-2.0
// Gives every variable one definition.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

// Every assignment defines a variable of its own; what a loop assigns and needs again goes through iter_args and
// return_vars, what branches assign and later statements need through the return_vars of the if.
//
//     s = 0                            s = 0
//     for i in pl.range(10):           for i, (s1 = s) in pl.range(10):
//         s = s + i              ->        s2 = s1 + i
//     return s                             yield s2  -> s3
//                                      return s3
//
// - All versions of a variable have its name hint; the first definition keeps the variable itself.
// - Nothing is merged that nobody needs: a variable that one branch assigns and no later statement uses needs no
// result.
// - Scopes are transparent. Variables in attributes and types become the versions of that place; the attributes of a
//   scope are those of its beginning.
// - Existing iter_args, return_vars and yields are kept, new ones follow them, sorted by name.
// - A version has the type of the value that is assigned where that has a shape, with the storage of the variable; a
//   merged one the type of the first branch, a carried one that of the initial value.
// - A variable that a loop assigns for the first time and that is used behind it starts as the tensor that the loop
//   writes, else as an Out parameter of the same type; where the loop surely runs, as a value that is never read. Where
//   its name has a value before the loop, that of a variable of another type, only the last is possible.
//
// Requires: StructuredCtrlFlow. Ensures: SSAForm. Errors: E0420, E0421, at the use.
const ir::Program* convert_to_ssa(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
