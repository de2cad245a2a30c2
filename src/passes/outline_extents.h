// SPDX-License-Identifier: Apache-2.0
// One name for each dynamic extent of a function.
#pragma once

#include "ir/context.h"

namespace pyptoc::passes {

//   m = tensor.dim(a, 0); t = tensor.create([m, 128])        t = tensor.create([M, 128])
//
// with `a: Tensor[[M, 128], ..]` a parameter: a read of an extent that the signature names by a symbol is that symbol,
// also through local tensors whose shapes were made of it. Constant extents and runtime axes stay as they are.
const ir::Function* name_param_extents(const ir::Function* f, ir::Context& context);

}  // namespace pyptoc::passes
