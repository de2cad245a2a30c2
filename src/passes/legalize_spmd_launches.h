// SPDX-License-Identifier: Apache-2.0
// LegalizeSpmdLaunches: no launch of less than one block reaches the runtime, which would abort.
//
//   y, tid = pl.spmd_submit(self.k, x, y, core_num=n, deps=[a])
//
//   becomes, where n is not known to be at least 1,
//
//   if n > 0:
//     y_1, tid_1 = pl.spmd_submit(self.k, x, y, core_num=n, deps=[a]);  yield y_1, tid_1  -> y_2, tid_2
//   else:
//     barrier = pl.system.task_dummy(deps=[a]);                         yield y, barrier
//   result = (y_2, tid_2)
//
// Where n is known to be no block, only what stands in its place is left. Without a TaskId, from a Call, nothing stands
// in place of the launch. Bounds are followed through arithmetic, variables, loops and extents of tensors. A collective
// is left as it is: all ranks must take part.
//
// Requires: SSAForm, NoNestedCalls, ReturnParamsExplicit.
// Errors: E0500 lists all tensors that only the launch would make, and that are missing when it does not happen.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* legalize_spmd_launches(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
