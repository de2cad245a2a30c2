// SPDX-License-Identifier: Apache-2.0
// Folds what is known while compiling, and drops scalars that nobody reads.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

// - Integer arithmetic on constants, exact in 64 bits with floor division and modulo; x + 0, x * 1, x * 0, x - x,
//   (x + 1) + 2; comparisons, minimum, maximum, division and modulo that known bounds decide; logic on constants.
//   Casts of constants and floating-point arithmetic stay as they are.
// - A scalar that is assigned a constant outside of branches and loops becomes that constant at its uses. One that is
//   assigned elsewhere, or another value, keeps its name; its bounds are known.
// - An if of constant condition becomes the branch that runs; a loop of zero iterations assigns its initial values to
//   its results; a plain sequential loop of one iteration becomes its body.
// - `t = (a, b); x = t[0]` makes x another name of a; no statement is left of either.
// - Scalar assignments and if results that are not used go, unless their value has a call; TaskIds stay.
//
//     n = 4                                 for i in pl.range(4):
//     for i in pl.range(n):          ->         body(i)
//         if i < 16:
//             body(i)
//
// Expressions in types are folded too. Whatever does not change keeps its node, the window buffers in types above all.
// Running it again changes nothing.
//
// Requires: SSAForm, which it keeps. Errors: E0411, E0425 to E0427.
const ir::Program* simplify(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
