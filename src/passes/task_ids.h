// SPDX-License-Identifier: Apache-2.0
// Writes an order of tasks into an orchestration: ids are carried to where tasks wait for them.
#pragma once

#include "ir/context.h"
#include "passes/task_order.h"

namespace pyptoc::passes {

//   t = self.read(x, t)            read = pl.submit(self.read, x, t); t = read[0]; read_tid = read[1]
//   x = self.write(x)       ->     x = self.write(x)    with attribute compiler_manual_dep_edges = [read_tid]
//
// A task that others wait for becomes a Submit. Its id leaves a branch as a result of the if, and a loop as a carry,
// which is the id of the previous iteration inside of the loop and that of the last one behind it; where no task ran it
// is the invalid id. Arguments change their direction as the order says. Returns the function itself when there is
// nothing to do.
const ir::Function* with_task_order(const TaskProgram& tasks, const TaskOrder& order, ir::Context& context);

}  // namespace pyptoc::passes
