// SPDX-License-Identifier: Apache-2.0
// LowerHostTensorCollectives: each collective of a HOST function becomes one dispatch of its builtin kernel per device.
//
//   data = pld.tensor.allreduce(data, signal, op=Sum)
//     ->
//   for r in pl.range(pld.world_size()):
//     pl.builtin.tensor.allreduce(data, signal, op=0, dtype=pl.FP32, core_num=1,
//                                 attrs={"op": 0, "dtype": pl.FP32, "core_num": 1, "device": r,
//                                        "arg_directions": [pl.adir.inout, pl.adir.inout]})
//   data_1 = data
//
// - In a domain of some devices the dispatches are a plain sequence, in one of every device a loop. They stand where
//   the collective stood, so two collectives keep their order on every device. The directions are the table's
//   (ir/collectives.h). allreduce with mode ring becomes builtin.tensor.allreduce_ring.
// - The result is the data operand; an assignment to it stays, as a new name for the operand.
// - What the shapes and devices show is checked here; what only run time shows becomes system.require at the beginning
//   of the function: rows of signals, targets and counts for each rank, the range of root, the layout of a ring's
//   signal, the number of blocks against the signal and the cores, equal row lengths.
//
// Requires: CommDomainScopesMaterialized, NoNestedCalls. Ensures: HostCollectivesLowered.
// Errors: operands that are no windows, or views of one allocation, or on different devices; too few rows; a root that
// is no rank; a ring's signal of another layout or shared with another collective; more blocks than cores or cells; a
// collective under a condition, or in a loop, that may differ from rank to rank; one that does not run at host level.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* lower_host_tensor_collectives(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
