// SPDX-License-Identifier: Apache-2.0
// OrderAntiDependencies: no task overwrites what another one may still read.
//
//   t = self.use(x, t)                read = pl.submit(self.use, x, t); t = read[0]; use_tid = read[1]
//   x = self.change(y, x)       ->    x = self.change(y, x)        waits for use_tid
//
//   for i in pl.range(n):             for i, (use_tid = no_task) in pl.range(n):
//     x = self.change(y, x)             x = self.change(y, x)      waits for use_tid, of the iteration before
//     t = self.use(x, t)        ->      read = pl.submit(self.use, x, t); t = read[0]; use_tid_1 = read[1]
//                                       yield use_tid_1
//
// The runtime orders a task behind earlier writers of what its Input and InOut arguments show, never a writer behind
// earlier readers. Here each task that writes a buffer gets an explicit dependency on every task that may have read it
// since it was last written: earlier ones in its block and the blocks around it, and those of earlier iterations of
// every loop around it. None is added that follows from what is there already. Two views that share no element need
// none; their offsets are compared as linear forms over loop variables.
//
// Where the ids of all readers cannot be had, since a loop submitted any number of them, the readers' arguments and the
// writer's become InOut, and the runtime orders them. A reader before `tensor.write` into a buffer of the caller
// becomes InOut too, since the orchestration waits for writers only.
//
// Two parameters for which a dispatch passes views of one allocation count as one buffer (param_aliases.h).
//
// Tasks that can block on a peer wait for the previous such task, wherever it is; a barrier waits for all tasks that
// touched a window before, and those behind it for the barrier.
//
// A task with a predicate waits for the tasks that may have written the element that it reads.
//
// Where `compiler_manual_dep_edges` names a tensor, as the front end's own analysis does, the id of the task that handed
// it back takes its place, unless the order is there already; for a part of a tensor or a carry, of the tasks that may
// have written it.
//
// Dispatches of a HOST orchestrator: order_host_dispatches.h and host_copies.h.
//
// In a manual scope nothing is added. What its tasks wrote and read, later tasks outside wait for.
//
// Requires: CallDirectionsResolved, SSAForm. Ensures: TasksOrdered. Running it again changes nothing.
// Errors: E0628. Warnings: W0520 to W0523, all about manual scopes and elements that the orchestration accesses itself.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* order_anti_dependencies(const ir::Program* program, PassContext& context);

// What it did, for reports about whole sets of programs.
struct AntiDependencyCounts {
  size_t tasks = 0;
  size_t edges = 0;
  size_t readers_turned_inout = 0;
  size_t writers_turned_inout = 0;
};
const ir::Program* order_anti_dependencies(const ir::Program* program, PassContext& context,
                                           AntiDependencyCounts& counts);

}  // namespace pyptoc::passes
