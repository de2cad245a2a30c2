// SPDX-License-Identifier: Apache-2.0
// The pass over all orchestrations; the work is in task_order and task_ids, and for HOST in order_host_dispatches.
#include "passes/order_anti_dependencies.h"

#include "passes/host_copies.h"
#include "passes/order_host_dispatches.h"
#include "passes/order_tasks.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

void count(const TaskProgram& tasks, const TaskOrder& order, AntiDependencyCounts& counts) {
  counts.tasks += tasks.tasks.size();
  for (size_t t = 0; t < tasks.tasks.size(); ++t) {
    for (const TaskEdge& edge : order.edges[t]) counts.edges += edge.through_inner ? 0 : 1;
    counts.readers_turned_inout += order.inout_readers[t].size();
    counts.writers_turned_inout += order.inout_args[t].size() - order.inout_readers[t].size();
  }
}

}  // namespace

const Program* order_anti_dependencies(const Program* program, PassContext& context, AntiDependencyCounts& counts) {
  const Program* ordered = order_tasks(program, context, [&](TaskProgram& tasks, FunctionRegions& regions) {
    TaskOrder order = find_task_order(tasks, regions, context.diags);
    count(tasks, order, counts);
    return order;
  });
  BufferRoots roots(ordered, context.roots);
  return map_functions(ordered, context.ir, [&](const Function* f) {
    if (!is_host_orchestrator(f)) return f;
    check_host_copies(ordered, f, roots, context.diags);
    return order_host_dispatches(ordered, f, roots, context.ir);
  });
}

const Program* order_anti_dependencies(const Program* program, PassContext& context) {
  AntiDependencyCounts counts;
  return order_anti_dependencies(program, context, counts);
}

}  // namespace pyptoc::passes
