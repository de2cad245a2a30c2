// SPDX-License-Identifier: Apache-2.0
// AutoDeriveTaskDependencies: task dependencies found at compile time, with --analyze-deps.
//
//   a = self.fill(a)                fill = pl.submit(self.fill, a); a = fill[0]; fill_tid = fill[1]
//   b = self.use(a, b)      ->      b = self.use(a, b)         waits for fill_tid
//
// Tasks of one automatic scope get explicit dependencies on each other wherever one writes elements of a buffer that
// the other reads or writes, unless a chain of explicit dependencies orders them already. The scopes are those that the
// runtime sees: the function's body, the bodies of loops and branches, and AUTO scopes, whose tasks also count for the
// scope around them. The argument directions stay, so that the runtime's tracking goes on beside it.
//
// A scope is left as it is where an access cannot be bounded: its buffer is not known for sure, or the part of it is
// not, or what conflicts with it lies in a loop, a branch or a manual scope, whose tasks have no fixed number. The
// scopes inside of it are looked at on their own then. Nothing is added inside of a manual scope.
//
// Requires: CallDirectionsResolved. Ensures: CallDirectionsResolved. Running it again changes nothing. Errors: none.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* auto_derive_task_dependencies(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
