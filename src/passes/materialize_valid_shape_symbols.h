// SPDX-License-Identifier: Apache-2.0
// MaterializeValidShapeSymbols: a kernel learns the extents that its arguments' valid shapes hold.
//
//   def k(x: pl.Tensor[[16, 128], pl.FP32, valid_shape=[16, V]])        k(t)
//   ->
//   def k(V: pl.Scalar[pl.INDEX], x: ...)                               k(n, t)      for t with valid_shape=[16, n]
//
// A symbol in the valid shape of a parameter of a kernel or wrapper that no parameter's shape binds and that is no
// parameter itself becomes a leading Scalar[INDEX] parameter, In. Call sites pass the extent that the argument has at
// the axis which names the symbol alone. Callees are done before callers, so that wrappers hand the extent on.
//
// Requires: CallDirectionsResolved. Ensures: nothing that has a name; signatures and calls agree as before.
// Errors: E0561, no axis is the bare symbol; E0562, arguments disagree.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* materialize_valid_shape_symbols(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
