// SPDX-License-Identifier: Apache-2.0
// Manual scopes: nothing is added there, but a conflict that no dependency can order is worth a warning.
#include <fmt/format.h>

#include <algorithm>

#include "diag/codes_orch.h"
#include "ir/collectives.h"
#include "passes/call_graph.h"
#include "passes/task_order_finder.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// The collective that a task came from; null for every other one.
const CollectiveInfo* collective_of_task(const Task& task) {
  const Op* callee = called_function(task.call);
  if (callee == nullptr) return nullptr;
  const std::optional<CollectiveVariant> variant = parse_chip_kernel_name(callee->name);
  return variant ? &collective_info(variant->id) : nullptr;
}

// Names of tasks in messages: the function that is called.
std::string_view name_of_task(const Task& task) {
  if (const CollectiveInfo* info = collective_of_task(task)) return info->public_name;
  const Op* callee = called_function(task.call);
  return callee != nullptr ? callee->name : "task_dummy";
}

// What the user can do about two tasks of a manual scope.
std::string_view remedy(const Task& one, const Task& other) {
  const bool collective = collective_of_task(one) != nullptr || collective_of_task(other) != nullptr;
  return collective ? "a collective has no task id: write it outside of the manual scope"
                    : "pass its task id in `deps`";
}

// A kernel that gets a number may use it to choose the part of its tensors that it works on.
bool has_scalars(const Task& task) {
  List<const Expr*> args = call_args(task.call);
  return std::any_of(args.begin(), args.end(), [](const Expr* arg) { return as_scalar(arg->type) != nullptr; });
}

}  // namespace

// Everything that could come before this node. Outside of manual scopes the runtime adds what it finds at run time.
void TaskOrderFinder::note_possible_order(int t, int node) {
  const Task& now = task_at(t);
  int& from_start = possible_from_start_[static_cast<size_t>(node)];
  from_start = std::max(from_start, last_host_ + 1);
  for (const Expr* dep : now.deps) {
    const TaskSources found = sources_.of(dep);
    if (!found.complete) from_start = node;
    for (TaskSource source : found.tasks) {
      const int from = node_of_[static_cast<size_t>(source.task)];
      if (from < 0) continue;
      possible_.order(from, node);
      from_start = std::max(from_start, possible_from_start_[static_cast<size_t>(from)]);
    }
  }
  if (!now.manual) from_start = node;
}

void TaskOrderFinder::warn_about_manual_task(int t, int node) {
  const std::vector<Access>& accesses = task_at(t).accesses;
  for (const Access& access : accesses) {
    const BufferUses& uses = state_.at(access.root);
    if (access.writes)
      for (const Use& use : uses.readers) warn_if_unordered(access, use, t, node, false);
    if (!access.reads && access.root != program_.peers_root) continue;
    for (const Use& use : uses.writers) warn_if_unordered(access, use, t, node, true);
    for (const Use& use : uses.hidden) warn_if_unordered(access, use, t, node, true);
  }
}

void TaskOrderFinder::warn_if_unordered(const Access& access, const Use& earlier, int t, int node, bool writer_first) {
  if (earlier.node == node || earlier.task == t) return;
  const Task& now = task_at(t);
  const Task& other = task_at(earlier.task);
  if (!part_of(other.block).holds(part_of(now.block)) || !meeting(access, earlier).must) return;
  if (possible_.ordered(earlier.node, node) || earlier.node < possible_from_start_[static_cast<size_t>(node)]) return;
  if (access.root == program_.peers_root) {
    diags_.report(diag::codes::manual_peers_unordered, place_of(now.stmt), name_of_task(now), name_of_task(other))
        .note("the earlier task is here", place_of(other.stmt))
        .help(std::string(remedy(now, other)));
    return;
  }
  if (access.root > program_.peers_root || has_scalars(now) || has_scalars(other)) return;
  diags_
      .report(diag::codes::manual_dependency_missing, place_of(now.stmt), name_of_task(now),
              writer_first ? "reads" : "writes", buffer_name(access.root), name_of_task(other),
              writer_first ? "writes" : "reads")
      .note("the earlier task is here", place_of(other.stmt))
      .help(std::string(remedy(now, other)));
}

// Unless dependencies of the user name the task in a way that may well be right. What is behind this task relies on it.
void TaskOrderFinder::report_out_of_reach(const Conflict& conflict, int t, int node) {
  const Task& earlier = task_at(conflict.task);
  const Task& now = task_at(t);
  graph_.order(conflict.node, node);
  if (possible_.ordered(conflict.node, node)) return;
  if (std::any_of(now.deps.begin(), now.deps.end(), [&](const Expr* dep) { return !sources_.of(dep).complete; }))
    return;
  const int root = now.accesses[static_cast<size_t>(conflict.accesses.front().second)].root;
  diags_
      .report(diag::codes::manual_task_out_of_reach, place_of(now.stmt), name_of_task(now), buffer_name(root),
              name_of_task(earlier))
      .note("the task of the manual scope is here", place_of(earlier.stmt))
      .help("carry its task id out of the loop and pass it in `deps`");
}

std::string TaskOrderFinder::buffer_name(int root) const {
  if (root >= program_.peers_root) return "peers";
  return std::string(program_.root_name[static_cast<size_t>(root)]);
}

}  // namespace pyptoc::passes
