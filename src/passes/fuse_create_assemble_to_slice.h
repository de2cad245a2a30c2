// SPDX-License-Identifier: Apache-2.0
// FuseCreateAssembleToSlice: a temporary that is only copied into a part of another tensor is that part.
//
//   for r, (c,) in range(4, init=(out,)):          for r in range(4):
//     row = tensor.create([1, 8])                    row = tensor.slice(out, [1, 8], [r, 0])
//     row_1 = self.fill(x, r, row)                   row_1 = self.fill(x, r, row)
//     c_1 = tensor.assemble(c, row_1, [r, 0])
//     out_1 = yield(c_1)                           # out_1 is out from here on
//
// In chip orchestrations. The created tensor, as made or as handed back by the tasks that wrote it, is the source of
// exactly one assemble, which is not atomic, has literal offsets and stands in the same list of statements or scopes;
// the target and the offsets are defined before the create. Nothing touches the target between the two, and nothing the
// temporary behind the assemble, so that no one can tell the difference. A create with an initial value or manual_dep,
// and one of another element type than the target, stay. Where ranks differ the slice has leading extents of 1. Carries
// of for and while loops and results of ifs that became their start go.
//
// Requires: SSAForm, SplitIncoreOrch, ReturnParamsExplicit. Ensures: nothing new. Errors: none. Idempotent.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* fuse_create_assemble_to_slice(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
