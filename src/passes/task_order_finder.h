// SPDX-License-Identifier: Apache-2.0
// The walk behind find_task_order. Internal to task_order*.cpp.
#pragma once

#include <string>
#include <utility>

#include "passes/task_order.h"
#include "passes/task_sources.h"
#include "passes/task_state.h"

namespace pyptoc::passes {

class TaskOrderFinder {
 public:
  TaskOrderFinder(TaskProgram& program, const FunctionRegions& regions, diag::Engine& diags);
  TaskOrder run();

 private:
  // Uses by one earlier task that the current task has to wait for, each with the current task's own access.
  struct Conflict {
    int node = -1;
    int task = -1;
    std::vector<std::pair<int, int>> accesses;  // (earlier, current)
  };
  // An edge over the end of a loop's iteration whose worth shows at the end of the loop.
  struct Pending {
    int source;
    int task;
    std::vector<std::pair<int, int>> accesses;
    bool waits_in_iteration;  // for the source's task of the same iteration
  };
  // Nodes of the iterations before, while a loop's body is walked for the second time.
  struct Crossing {
    int loop = -1;
    int first = 0;
    int end = 0;
  };

  Task& task_at(int t) { return program_.tasks[static_cast<size_t>(t)]; }
  const TaskBlock& block_at(int b) const { return program_.blocks[static_cast<size_t>(b)]; }
  const Construct& construct_at(int c) const { return program_.constructs[static_cast<size_t>(c)]; }
  const Part& part_of(int block) const { return program_.parts[static_cast<size_t>(block_at(block).part)]; }
  const Access& access_of(const Use& use) const;

  // --- task_order.cpp: the walk
  void block(int b);
  void construct(int c);
  void branch(const Construct& c);
  void loop(const Construct& c);
  void second_iteration(const Construct& c, int first);
  void task(int t);
  void host(int h);
  int new_node(int block);
  void order_by_dependencies(int t, int node);
  void order_by_runtime(const std::vector<Access>& accesses, bool manual, int node);
  void order_by_maker(const Access& access, const ir::Expr* value, int node);
  void order_by_result(const ir::Expr* value, int node);
  void record(const std::vector<Access>& accesses, int task, int node);
  void forget_covered(const Access& access, bool manual, int node);

  // --- task_conflicts.cpp: what is not ordered, and what is done about it
  std::vector<Conflict> conflicts(const std::vector<Access>& accesses, int node);
  void resolve(const Conflict& conflict, int t, int node);
  void resolve_carried(const Conflict& conflict, int t, int node);
  void resolve_pending(const Pending& pending, int loop);
  void resolve_host(const Conflict& conflict, const HostAccess& host, int node);
  bool turn_inout(const std::vector<std::pair<int, int>>& accesses, int source, int t);
  void make_inout(int t, int access);
  bool queues_anyway(const std::vector<std::pair<int, int>>& accesses, int source, int upto);
  void take_turns(int t, int upto);
  void add_edge(int t, TaskEdge edge);
  bool has_chain(int t, int loop) const;
  // Whether the current task waits for the source's of this iteration, which is there whenever the current one is.
  bool waits_in_iteration(int source, int t, int node) const;
  void add_chain(int t, int loop);
  // Whether the id of the last iteration of every loop between the task and the block stands for all of them.
  bool last_stands_for_all(int t, int upto) const;
  bool in_manual_loop(int t, int upto) const;

  Meeting meeting(const Access& later, const Use& earlier) const;
  bool is_crossed(int node) const { return crossing_.loop >= 0 && node >= crossing_.first && node < crossing_.end; }

  // --- task_warnings.cpp: manual scopes
  void note_possible_order(int t, int node);
  void warn_about_manual_task(int t, int node);
  void warn_if_unordered(const Access& access, const Use& earlier, int t, int node, bool writer_first);
  std::string buffer_name(int root) const;
  void report_out_of_reach(const Conflict& conflict, int t, int node);

  TaskProgram& program_;
  const FunctionRegions& regions_;
  diag::Engine& diags_;
  TaskIdSources sources_;
  TaskOrder order_;
  TaskState state_;
  TaskGraph graph_;                       // what is certain
  TaskGraph possible_;                    // what explicit dependencies of manual scopes may order
  std::vector<int> possible_from_start_;  // for each node: all nodes before this one may be before it
  bool has_manual_ = false;

  std::vector<int> node_of_;             // for each task: where it was last met, -1 never
  std::vector<int> node_before_;         // the same for the iteration before, while a loop is crossed
  std::vector<std::vector<int>> chain_;  // for each task: loops whose iterations' tasks wait for one another
  std::vector<int> part_begin_;          // for each part: first node of its latest run
  int last_host_ = -1;
  Crossing crossing_;
  std::vector<Pending> pending_;
};

}  // namespace pyptoc::passes
