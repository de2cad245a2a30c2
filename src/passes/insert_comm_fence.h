// SPDX-License-Identifier: Apache-2.0
// InsertCommFence: what one core wrote is seen by others, and nothing stale is read.
//
//   def k(w: Window, c: Window):                    def k(w: Window, c: Window):
//     w = pl.tile.store(t, [0, 0], w)                 pl.system.cacheinvalid()            `c` holds counts of a
//     collective pld.system.notify(...)                          w = pl.tile.store(t, [0, 0], w) pld.system.wait(...)
//     ->      pl.system.cacheinvalid(w, [8, 8], [0, 0]) n = pl.tensor.read(c, [0]) pl.system.fence()
//                                                     pld.system.notify(...)
//                                                     pld.system.wait(...)
//                                                     pl.system.cacheinvalid()
//                                                     n = pl.tensor.read(c, [0])
//
// In kernels of the program:
// - after each write to an own window, and each element that a kernel writes to a tensor: the region is cleaned, then a
//   fence, so that a peer that is notified, or a task that runs on another core, sees it. A write to a peer's window
//   needs the fence only, a notify nothing;
// - after each wait, and at the entry of a kernel that reads elements of what a collective or another task's single
//   writes left: the data cache is invalidated as a whole.
//
// An external kernel is not changed. Where it takes what a collective wrote, or makes what a collective reads, a
// warning says what it has to do itself, and its attribute `obligations` says so for the manifest.
//
// Requires: CallDirectionsResolved. Warnings: W0650, W0651. Running it again inserts nothing twice.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* insert_comm_fence(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
