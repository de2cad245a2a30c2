// SPDX-License-Identifier: Apache-2.0
// OptimizeOrchTensors: a loop that carries a tensor through a kernel carries one buffer.
//
//   for i, (c,) in range(n, init=(start,)):      for i, (c,) in range(n, init=(start,)):
//     t = tensor.create([64])                      c_1 = self.k(c)          # c: InOut
//     c_1 = self.k(c, t)   # c: In, t: Out         r = yield(c_1)
//     r = yield(c_1)
//
// The Out parameter and the In parameter of the carry become one InOut parameter, in the place of the In, and the
// create goes. Only where nobody can tell: at every call of the kernel in the program the In argument is a carry that
// starts with a tensor made for this loop (a tensor.create, touched by nothing behind the loop's start) and is used by
// nothing behind the call, the Out argument is made in the same round, and what comes back of it is the next round's
// carry; and the kernel has read the whole of the In before it first writes the Out. Both have the same type.
//
// Requires: SSAForm, NoNestedCalls, SplitIncoreOrch. Ensures: SplitIncoreOrch. Errors: none. Idempotent.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* optimize_orch_tensors(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
