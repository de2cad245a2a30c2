// SPDX-License-Identifier: Apache-2.0
// LowerL2TensorCollectives: a collective in a chip orchestration becomes one task of that orchestration.
//
//   data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv, core_num=8)      4 ranks
//
//   becomes
//
//   system.require_contiguous(stage, text=...)                    one for each tensor and path
//   ...
//   data = self.__builtin_all_to_all_v__fp32(stage, data, signal, counts, recv)
//                                                                 attributes core_num=8, sync_start=True
//
//   @pl.function(type=pl.FunctionType.AIV)                        once for each variant of the program
//   def __builtin_all_to_all_v__fp32(input, target: InOut, signal: InOut, send_counts, recv_counts: InOut):
//     return target                                               attributes builtin_template_dir, _vars,
//                                                                 require_contiguous_operands
//
// The synthesized function's parameters are plain tensors and windows as the operator's own operands are, whatever a
// call passes; the kernel's text comes from a template, the body is there for passes that ask what is returned. A width
// that is known at run time only is computed here, and checked by `system.require` (collective_launch.h).
//
// Every operand must be contiguous on every path (contiguity.h): a verdict at run time would stop one rank and leave
// the others waiting. The emitted checks are a backstop for what the caller passes.
//
// Requires: NoNestedCalls, SplitIncoreOrch. Ensures: ChipCollectivesLowered. Running it again changes nothing.
// Errors: E0650 to E0657, E0659; E0660 for two operands of one tensor that the function made; E0622 for a collective of
// chip orchestrations in a kernel.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* lower_l2_tensor_collectives(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
