// SPDX-License-Identifier: Apache-2.0
// SynthesizeAllReduceSignals: an allreduce of a HOST function that names no signal gets one.
//
//   data = pld.tensor.allreduce(data, op=Sum, core_num=2)
//     ->                                                 at the beginning of the function:
//   data = pld.tensor.allreduce(data, data_buf_signal, ...)    buf = pld.alloc_window_buffer(world_size() * 2 * 4)
//                                                              data_buf_signal = pld.window(buf, [world_size(), 2],
//                                                              ...)
//
// All calls on views of one allocation share a signal, since after a call a cell holds nothing but credits of the next
// one; mode ring, whose cells mean something else, has one of its own. Mesh: [world_size, largest core_num of these
// calls]; ring: [2 * (world_size - 1) + 1, world_size]. Names are those of the allocation with `_signal` or
// `_ring_signal`, and a number where that is taken. As the allocation stands at the beginning, the call may stand
// anywhere: in loops, as a statement, as an assignment, in a return.
//
// Requires: SSAForm, NoNestedCalls. Ensures: every allreduce of a HOST function has a signal. Errors: data that may be
// a view of two allocations, or whose origin is not known.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* synthesize_allreduce_signals(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
