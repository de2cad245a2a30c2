// SPDX-License-Identifier: Apache-2.0
// MaterializeDistTensorCtx: the communication context of each window is passed beside it.
//
//   def host():                                  def host():
//     x = pld.window(...)                          x = pld.window(...)
//     self.chip(x, device=r)                       x_ctx = pld.system.get_comm_ctx(x)
//                                                  self.chip(x, x_ctx, device=r)
//   def chip(x: DistributedTensor):        ->    def chip(x: DistributedTensor, x_ctx: CommCtx):
//     self.kernel(x)                               self.kernel(x, x_ctx)
//   def kernel(x: DistributedTensor):            def kernel(x: DistributedTensor, x_ctx: CommCtx):
//     c = pld.system.get_comm_ctx(x)               rank = pld.system.rank(x_ctx)
//     rank = pld.system.rank(c)
//
// - Every function gets a context parameter (In) for each DistributedTensor parameter, at the end of its signature and
//   in their order; every call and submit gets the matching arguments, with direction Scalar where directions are
//   there.
// - Which parameter a value is a view of is followed through views, loops, branches and the results of calls, by
//   identity (buffer_roots.h). A value that may be of two parameters is an error that names both.
// - A HOST function asks for the context in front of the call, since it has one for each rank. Everywhere else
//   pld.system.get_comm_ctx becomes the parameter.
// - Dispatches of builtin.tensor.* stay as they are: their one context is that of their first window.
//
// Requires: SSAForm, NoNestedCalls, CommDomainScopesMaterialized, ReturnParamsExplicit. Ensures:
// DistTensorCtxMaterialized.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* materialize_dist_tensor_ctx(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
