// SPDX-License-Identifier: Apache-2.0
// Windows of a HOST function that folding leaves without a use. Internal to simplify.
#pragma once

#include "ir/context.h"
#include "ir/program.h"

namespace pyptoc::passes {

// `after` without the allocations, and their views, that something used in `before` and nothing uses any more:
//
//   buf = pld.alloc_window_buffer(256)
//   w = pld.window(buf, [64], dtype=pl.FP32)      ->   nothing
//   if False: self.put(x, w, device=0)
//
// An allocation that never had a use stays, and is an error later.
const ir::Function* drop_folded_windows(const ir::Function* before, const ir::Function* after, ir::Context& context);

}  // namespace pyptoc::passes
