// SPDX-License-Identifier: Apache-2.0
// AssignCores: every kernel runs on vector cores (AIV) or on cube cores (AIC); what needs both becomes a pair.
//
//   def k(a, b, o: Out):  # InCore       def k_aic(a, b, o: Out): ..    def k_aiv(a, b, o: Out): ..; return o_1
//     c = matmul(a, b); d = exp(c)       def k(a, b, o: Out):  # Group
//     o_1 = assemble(o, d, ..)             self.k_aic(a, b, o); o_1 = self.k_aiv(a, b, o); return o_1
//     return o_1
//
// An InCore function with matrix operators only becomes AIC, any other without matrix operators AIV
// (assign_cores_sides.h). One that needs both sides becomes `<name>_aic`, `<name>_aiv` and, unless only Groups call it,
// a Group `<name>`; a Group that calls it calls the pair in its place. Both halves of a pair have the same parameters;
// where a Group of the user gives its two kernels different ones, both get those of the Group. An AIV half that works
// on both vector cores of the cluster gets `dual_aiv_dispatch`.
//
// On a target whose pipes go through global memory the halves that meet in a pipe get a last Out parameter
// `__gm_pipe_buffer` (FP32, [1]), as do the Groups and Spmd wrappers around them, and each call in an orchestration
// creates it (`gm_pipe_buffer_N`, manual_dep); what its real size is, is the emitter's to know.
//
// Both halves keep the whole body: taking each side's part of it is left to what lowers the bodies.
//
// Requires: SSAForm, NoNestedCalls, SplitIncoreOrch. Ensures: SplitIncoreOrch, KernelsReady.
// Errors: E0452 a Group gives external kernels different arguments.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* assign_cores(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
