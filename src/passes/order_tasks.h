// SPDX-License-Identifier: Apache-2.0
// The frame of the passes that order tasks of chip orchestrations.
#pragma once

#include "ir/map_functions.h"
#include "passes/buffer_roots.h"
#include "passes/task_ids.h"
#include "passes/task_program.h"

namespace pyptoc::passes {

// Writes what `find(tasks, regions)` answers, a TaskOrder, into every function that submits tasks.
template <class Find>
const ir::Program* order_tasks(const ir::Program* program, PassContext& context, Find find) {
  BufferRoots roots(program, context.roots);
  BlockingKernels blocking(program);
  const ParamAliases aliases(program, roots);
  return map_functions(program, context.ir, [&](const ir::Function* f) {
    if (!submits_tasks(f)) return f;
    FunctionRegions regions(f, roots);
    TaskProgram tasks = task_program(program, f, regions, blocking, &aliases);
    const TaskOrder order = find(tasks, regions);
    return with_task_order(tasks, order, context.ir);
  });
}

}  // namespace pyptoc::passes
