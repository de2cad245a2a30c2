// SPDX-License-Identifier: Apache-2.0
// NormalizeReturnOrder: what a kernel or wrapper returns is a parameter by identity, in the order of the parameters.
//
//   def k(x, a: Out, b: Out):              def k(x, a: Out, b: Out):
//     b_1 = store(.., b); a_1 = store(.., a)   b_1 = store(.., b); a_1 = store(.., a)
//     return b_1, a_1                          return a, b
//   r = k(x, p, q); s = r[0]               r = k(x, p, q); s = r[1]
//
// Kernels (InCore, AIC, AIV), Groups and Spmd wrappers. A returned tensor that is a parameter after its writes becomes
// that parameter; a written parameter that is not returned stays unreturned. Results that are parameters are put in the
// order of the parameters among themselves; scalars and tensors that the runtime makes keep their expression and their
// place. A tuple that is returned whole becomes its elements. Tuple indices of the callers follow; a tuple that a
// caller uses whole is put together again in the old order.
//
// Requires: SSAForm, SplitIncoreOrch. Ensures: ReturnParamsExplicit. Errors: none. Idempotent.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* normalize_return_order(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
