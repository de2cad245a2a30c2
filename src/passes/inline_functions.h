// SPDX-License-Identifier: Apache-2.0
// Puts the bodies of Inline functions in place of their calls.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

// Every call of an Inline function becomes a copy of its body with variables of its own, and the functions go.
//
//     def helper(x):                    y = tensor.mul(a, a)
//         y = tensor.mul(x, x)    ->    z = y
//         return y
//     ... z = helper(a)
//
// - A parameter becomes its argument where that is a variable, a constant, or integers and casts that make one; another
//   argument is bound to a variable before the body. A parameter that the body assigns becomes the caller's variable
//   where each assignment updates the tensor in place (`out = tensor.assemble(out, ...)`), and a variable of its own
//   otherwise.
// - A dynamic extent in a parameter's type becomes the extent of the argument, in the types of the body too.
// - Several returned values are a tuple; a return of the caller takes them apart again.
// - A call inside of an expression is expanded before the statement, as are the calls to its left.
//
// Requires: a verified program. Ensures: no Inline function, no call of one.
// Errors: E0401 to E0407 and E0418, E0419 about the bodies; warning W0408.
const ir::Program* inline_functions(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
