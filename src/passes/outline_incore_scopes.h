// SPDX-License-Identifier: Apache-2.0
// OutlineIncoreScopes: each scope that runs on a core group becomes an InCore function.
//
//   with pl.at(level=CORE_GROUP, name_hint="k"):    @pl.function(type=InCore)
//     o = tensor.assemble(out, tensor.add(a, a))    def k(out: Out, a): o = tensor.assemble(out, ..); return o
//   return o                                        o = k(out, a); return o
//
// An Opaque function that had such a scope becomes the Orchestration of a chip; its reads of parameter extents become
// the extents' symbols (outline_extents.h). The scope's split mode, slot_num and windowize go to the function, which
// also gets split_aiv (and the common split mode) when it holds split-AIV regions, and deferred_completion_waiter when
// it waits for a peer by system.defer_wait. The rest of the scope's attributes go to the call or submit.
//
// Requires: SSAForm, NoNestedCalls. Ensures: SSAForm, SplitIncoreOrch.
// Errors: E0440 to E0445, E0447 (outline_scopes.h).
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* outline_incore_scopes(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
