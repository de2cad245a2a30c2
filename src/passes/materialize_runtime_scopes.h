// SPDX-License-Identifier: Apache-2.0
// MaterializeRuntimeScopes: the implicit scopes of a chip orchestration become statements.
//
//   body                                with pl.scope():            (the body)
//     for i in ...:            ->         for i in ...:
//       t = self.f(...)                     with pl.scope():        (each for and if body)
//                                             t = self.f(...)
//
// A body that yields a buffer made in it gets none: the runtime may reuse a buffer's memory once the scope that made it
// has closed and its tasks are done, although the next iteration or what follows still names it. Such buffers belong to
// the scope around. Bodies of while loops get none, nothing inside a manual scope gets one, and what is one already is
// not wrapped again. A function whose attribute auto_scope is False is left alone; the others are marked auto_scope
// False afterwards. HOST functions get none.
//
// Requires: SplitIncoreOrch, CallDirectionsResolved. Ensures: RuntimeScopesMaterialized.
// Errors: E0564, an AUTO scope of the user inside a manual one.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* materialize_runtime_scopes(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
