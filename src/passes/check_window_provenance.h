// SPDX-License-Identifier: Apache-2.0
// CheckWindowProvenance: what a collective of a chip function takes from its caller, judged for each dispatch.
//
//   def host(n):                                      def host(n):
//     ...                                               system.require(n >= 1 and n <= 2147483647, n, text=...)
//     for r in pl.range(pld.world_size()):              system.require(pld.world_size() == 4, text=...)
//       self.chip(x, data, signal, n, device=r)    ->   ...  the rest as it was
//
// The windows that a dispatch passes are followed into the chip function and its callees, through calls, submits,
// branches, loops and tuples (window_flow.h), one dispatch at a time. Errors, each with the dispatch, both ends and the
// collective:
// - two operands that are views of one allocation, or one tensor; a signal of a ring that another collective uses,
// - operands on windows of two domains,
// - a signal or a table of rows that does not fit the number of ranks, a root that is none,
// - a `core_num`, a condition or a number of iterations around the collective that may differ from rank to rank,
// - a value that cannot be followed.
// What only run time can tell becomes a check at the beginning of the HOST function, before anything is dispatched: a
// verdict on one chip would leave the others waiting.
//
// A chip function that no HOST function dispatches gets an attribute `obligations` with what its caller has to
// guarantee, a line each; the manifest lists them.
//
// Requires: CommDomainScopesMaterialized, ChipCollectivesLowered. Ensures: WindowsDistinct.
// Errors: E0627, E0660 to E0669.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* check_window_provenance(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
