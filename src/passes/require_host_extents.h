// SPDX-License-Identifier: Apache-2.0
// RequireHostExtents: what a HOST function takes for granted of extents is checked before anything is dispatched.
//
//   def host(self, x: pl.Tensor[[NR, 64], pl.FP32], y: pl.Tensor[[NR, 64], pl.FP32]):
//     for r in pl.range(pld.world_size()):
//       row = pl.tensor.slice(x, [1, 64], [r, 0])
//     ->
//     pl.system.require(pl.tensor.dim(x, 1) == 64, pl.tensor.dim(x, 0), ..., text="`x` has shape [{}, {}], ...")
//     pl.system.require(pl.tensor.dim(y, 0) == NR and pl.tensor.dim(y, 1) == 64, ...)
//     pl.system.require(pld.world_size() <= NR, ..., text="slice of `x` ends at {} on axis 0, which has {}")
//     ...
//
// - Tensor parameters have the extents of their types: constants, and one value for each symbol. The extent that
// decides
//   a symbol (linear_extent.h) is taken as it is.
// - A slice of a host tensor lies inside of it: Python would cut it, or count a negative offset from the end.
// - A view of a window fits its allocation; an argument of a dispatch has as many elements as the parameter's type
// says.
// - In a loop that counts up by one, a check of an offset that grows with its variable is one of the last iteration.
//
// A check stands at the beginning of the function, in the branches and loops that its statement stands in; where it
// needs a value that only the body computes, in front of the statement. What is known to hold is not checked.
//
// Requires: CommDomainScopesMaterialized, NoNestedCalls. Ensures nothing that has a checker: what it adds are checks.
// Errors: a slice, a view or an argument that is known not to fit.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* require_host_extents(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
