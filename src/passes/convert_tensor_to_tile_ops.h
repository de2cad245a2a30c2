// SPDX-License-Identifier: Apache-2.0
// ConvertTensorToTileOps: the signatures that kernels need once their tensors live in tiles.
//
//   def k(x):                         def k(x, k_out0: Out):
//     y = tensor.add(x, x)              y = tensor.add(x, x); y_1 = tensor.assemble(k_out0, y, [0]); return y_1
//     return y                        k_out0 = tensor.create([64]); y = k(x, k_out0)
//   y = k(x)
//
// A tensor that an InCore function returns and that is none of its parameters was made on the chip: it is stored to a
// new last Out parameter, which is created just before each call. Spmd and Group wrappers hand the parameter on. A
// Submit that leaves Out parameters to the runtime leaves the new one to it as well. Parameters of InCore functions
// that are In but written become Out, or InOut when they are read as well; declared Out and InOut stay.
//
// The bodies keep their tensor operators here.
//
// Requires: SSAForm, NoNestedCalls, SplitIncoreOrch. Ensures: SplitIncoreOrch.
// Errors: E0451 the shape of such a result is known inside of the kernel only.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* convert_tensor_to_tile_ops(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
