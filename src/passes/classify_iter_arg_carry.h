// SPDX-License-Identifier: Apache-2.0
// ClassifyIterArgCarry: for each carry of each for loop of an orchestration, whether it is another name of its initial
// value or a variable of its own.
//
//   for i, (acc,) in pl.range(4, init_values=(out,)):      attrs={"iter_arg_rebind_0": False}
//       acc2 = self.accumulate(x, acc)                     (writes acc and returns it)
//       (out2,) = pl.yield_(acc2)
//
// A carry is an alias when every iteration yields the carry itself, perhaps after calls that wrote it in place; it is
// rebound otherwise. `iter_arg_rebind_N` is written for every slot N. A TaskId is always rebound; inside a manual scope
// it becomes an array of `iter_arg_array_size_N` ids, one for each iteration of the Parallel loop that fills it, and
// the loops around take it over (id_arrays.h). An array that a nested loop carries is an array of its own at each
// level. A while loop has no attributes: its carries are always rebound.
//
// Requires: SplitIncoreOrch, CallDirectionsResolved. Ensures: IterArgCarryClassified.
// Errors: E0560, a Parallel loop in a manual scope that carries a TaskId and has no constant trip count; E0566 and
// E0565 (array_stores.h).
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* classify_iter_arg_carry(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
