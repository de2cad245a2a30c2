// SPDX-License-Identifier: Apache-2.0
// Buffers that outlive the scope that allocates them.
//
//   with pl.scope():                                t = pl.tensor.create([64], dtype=pl.FP32)
//     t = pl.tensor.create([64], dtype=pl.FP32)     with pl.scope():
//     y = self.f(x, t)                         ->     y = self.f(x, t)
//   z = self.g(y)                                   z = self.g(y)
//
// A name reaches behind the scope in which it is defined, the memory of a buffer does not: the runtime may reuse it
// once the scope that allocated it has closed. What is used behind a scope, be it under another name, as a view, in a
// tuple, or carried by a loop or a branch, is therefore allocated before the outermost scope that closes before such a
// use, together with the scalars that its shape needs; an output that a Submit leaves to the runtime becomes an
// argument. What a loop hands to its next iteration is used behind every scope of the body.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

// Only scopes of the user are there so early: the implicit ones are put where nothing leaves them
// (materialize_runtime_scopes.h). Before calls get directions and dependencies, because an output that the runtime
// makes is ordered behind the task that makes it, unlike an argument.
//
// Linear in each chip orchestration times the nesting of its statements. Errors: E0563, at the use: the buffer is made
// anew in each iteration of a loop inside of the scope, or its shape needs a value that only the scope has.
const ir::Program* allocate_before_scopes(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
