// SPDX-License-Identifier: Apache-2.0
// Which tasks have to be ordered beyond what the runtime derives, and how.
#pragma once

#include <vector>

#include "diag/engine.h"
#include "passes/task_program.h"

namespace pyptoc::passes {

// The task waits for `source`: the one of this iteration or, of a loop that is over, the last one; or, with `loop`, the
// one of that loop's previous iteration.
struct TaskEdge {
  int source = 0;
  int loop = -1;
  // An edge for a loop further inside starts from what this one carries, and waits for it in the first iteration: this
  // one only has to be carried.
  bool through_inner = false;

  bool operator==(const TaskEdge&) const = default;
};

struct TaskOrder {
  std::vector<std::vector<TaskEdge>> edges;     // for each task, in the order in which they were found; each one once
  std::vector<std::vector<int>> inout_args;     // for each task: arguments that become InOut, sorted
  std::vector<std::vector<int>> inout_readers;  // those of them that were Input
  bool has_results = false;                     // what Task::results_of asks for is among the edges
};

// Finds, in one walk over the tasks in program order and one more over each loop's body for what one iteration means
// for the next:
//
// - for each task that writes a buffer the tasks that may have read it since it was last written, unless what the
//   runtime derives, explicit dependencies or edges found before order them already;
// - for each task with a predicate the tasks that may have written the element that it reads;
// - for each task outside of manual scopes the tasks of manual scopes that it meets, of which the runtime knows
// nothing;
// - for each task that can block on a peer the previous one, for a barrier every task that touches a window.
//
// Each becomes an edge. Where a loop is over, the id of its last iteration stands for all if each iteration's task
// waits for that of the one before. Where an id cannot be had, both arguments become InOut.
//
// Warnings: W0520 to W0522, about manual scopes, in which nothing is added.
TaskOrder find_task_order(TaskProgram& tasks, const FunctionRegions& regions, diag::Engine& diags);

}  // namespace pyptoc::passes
