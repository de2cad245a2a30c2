// SPDX-License-Identifier: Apache-2.0
// MaterializeCommDomainScopes: window allocations of a HOST function become slots of communication domains.
//
//   def host():                                    def host():
//     n = pld.world_size()                           n = pld.world_size()
//     buf = pld.alloc_window_buffer(n * 4)           with pld.comm_domain(slots=[buf_w := pld.WindowBuffer(buf, n *
//     4)]): x = pld.window(buf, [n], dtype=pl.FP32)    ->      buf = pld.alloc_window_buffer(n * 4) for r in
//     pl.range(n):                              x: (window_buffer = buf_w) = pld.window(buf, [n], ...)
//       self.chip(x, device=r)                           for r in pl.range(n):
//                                                          self.chip(x, device=r)
//
// - The devices of an allocation come from the dispatches that get its views: `device=` a constant N is {N}, the
//   variable of a loop over range(N) or range(M, N) is the devices in it, over range(world_size()) it is every device.
//   Several dispatches add up. signal and recv_counts of a collective lie at least where its data lies; an allocation
//   that no dispatch gets lies where the other operands of its collectives lie.
// - Allocations on the same devices share a domain. Domains are named comm_d0, comm_d1, ... and nest in the order of
//   their first allocations, around the whole body; `devices` is empty for every device.
// - The type of every value that is a view of an allocation names its slot, so which allocation a value means no longer
//   depends on where it is defined. Rewriters keep that (ir/rewriter.h).
// - Definitions of scalars that the slots' sizes use move in front of the outermost domain, followed by checks that the
//   program runs on enough, and not on too many, devices: system.require.
// - A HOST function without an allocation, or with domains already, stays as it is; such domains are checked
//   (check_comm_domains.h).
//
// Requires: SSAForm, NoNestedCalls. Ensures: CommDomainScopesMaterialized.
// Errors: an allocation without a view, without a use, in a loop or branch, of a size that is not known at the start,
// on more than 64 devices; two of one name in one domain; a dispatch with a window and no device, or another form of
// it; a value that may be a view of two allocations, or whose origin is not known; a domain of the program that does
// not fit its windows.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* materialize_comm_domain_scopes(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
