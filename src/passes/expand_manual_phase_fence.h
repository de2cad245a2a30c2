// SPDX-License-Identifier: Apache-2.0
// ExpandManualPhaseFence: many tasks that wait for the same many tasks wait for one barrier instead.
//
//   with pl.manual_scope():                         with pl.manual_scope():
//     for p in pl.parallel(4):                        fence = pl.system.task_dummy(deps=[tids])
//       a, _ = pl.submit(self.k, deps=[tids])   ->    for p in pl.parallel(4):
//                                                       a, _ = pl.submit(self.k, deps=[fence])
//
// For each array of N TaskIds that is the only dependency of submits in a loop of a manual scope: M is how often the
// loop submits them, with the known trip counts of the loops in it. Where N * M edges are more than N + M the barrier
// is put before the outermost loop for which that holds. The array must be the same throughout that loop: defined
// before it, and nothing that shares its storage (another name, a carry, a result of a branch) is updated in it. A
// parallel loop needs a known trip count; a sequential one of unknown count counts as one iteration.
//
// Requires: CallDirectionsResolved. Ensures: TasksOrdered. Running it again changes nothing. Errors: none.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* expand_manual_phase_fence(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
