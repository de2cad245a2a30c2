// SPDX-License-Identifier: Apache-2.0
// Tasks that nothing orders yet, and the edge or the directions that order them.
#include <algorithm>

#include "diag/codes_orch.h"
#include "passes/task_order_finder.h"

namespace pyptoc::passes {

using namespace ir;

// The latest first: what it waits for needs no edge of its own.
std::vector<TaskOrderFinder::Conflict> TaskOrderFinder::conflicts(const std::vector<Access>& accesses, int node) {
  std::vector<Conflict> found;
  auto collect = [&](const std::vector<Use>& uses, size_t own, bool unseen) {
    const Access& access = accesses[own];
    for (const Use& use : uses) {
      if (use.node == node) continue;
      const Access& earlier = access_of(use);
      if (!unseen && earlier.registers && access.looks_up) continue;  // ordered by the runtime where they overlap
      if (graph_.ordered(use.node, node) || !meeting(access, use).may) continue;
      found.push_back({use.node, use.task, {{use.access, static_cast<int>(own)}}});
    }
  };
  for (size_t i = 0; i < accesses.size(); ++i) {
    const BufferUses& uses = state_.at(accesses[i].root);
    if (accesses[i].writes) collect(uses.readers, i, false);
    if (accesses[i].predicate) collect(uses.writers, i, true);
    collect(uses.hidden, i, true);
  }
  std::stable_sort(found.begin(), found.end(), [](const Conflict& a, const Conflict& b) { return a.node > b.node; });
  std::vector<Conflict> out;
  for (Conflict& conflict : found) {
    if (out.empty() || out.back().node != conflict.node)
      out.push_back(std::move(conflict));
    else
      out.back().accesses.push_back(conflict.accesses.front());
  }
  return out;
}

// The earlier task is of this iteration of all loops around both.
void TaskOrderFinder::resolve(const Conflict& conflict, int t, int node) {
  const int common = program_.common_block(task_at(conflict.task).block, task_at(t).block);
  if (!last_stands_for_all(conflict.task, common)) {
    if (in_manual_loop(conflict.task, common)) return report_out_of_reach(conflict, t, node);
    if (!queues_anyway(conflict.accesses, conflict.task, common) && turn_inout(conflict.accesses, conflict.task, t)) {
      const auto& [earlier, own] = conflict.accesses.front();
      if (meeting(task_at(t).accesses[static_cast<size_t>(own)], {conflict.node, conflict.task, earlier}).must)
        graph_.order(conflict.node, node);
      return;
    }
    take_turns(conflict.task, common);
  }
  add_edge(t, {conflict.task, -1});
  graph_.order(conflict.node, node);
}

// The earlier task is of an earlier iteration of the loop whose end is crossed. The id of the last iteration is enough
// if the current task waits for its own predecessor, or the earlier one for its own; both may come about by this edge.
void TaskOrderFinder::resolve_carried(const Conflict& conflict, int t, int node) {
  const int loop = crossing_.loop;
  const Construct& made = construct_at(program_.construct_of_loop[static_cast<size_t>(loop)]);
  const int body = made.first_block;
  const int source = conflict.task;
  const int before = node_before_[static_cast<size_t>(t)];
  auto ordered = [&] {
    const auto& [earlier, own] = conflict.accesses.front();
    const bool sure = conflict.task == t ||
                      meeting(task_at(t).accesses[static_cast<size_t>(own)], {conflict.node, source, earlier}).must;
    if (sure) graph_.order(conflict.node, node);
  };
  if (in_manual_loop(source, body)) return report_out_of_reach(conflict, t, node);
  if (!last_stands_for_all(source, body)) {
    if (queues_anyway(conflict.accesses, source,
                      construct_at(program_.construct_of_loop[static_cast<size_t>(loop)]).block) ||
        !turn_inout(conflict.accesses, source, t)) {
      take_turns(source, body);
      if (!has_chain(source, loop)) add_edge(source, {source, loop});
      add_chain(source, loop);
      if (!waits_in_iteration(source, t, node)) add_edge(t, {source, loop});
    }
    return ordered();
  }
  const bool every_time = part_of(task_at(t).block).number == part_of(body).number;
  const bool chained = (every_time && (graph_.ordered(before, node) || graph_.ordered(before, conflict.node))) ||
                       source == t || has_chain(source, loop);
  if (chained) {
    const bool follows = has_chain(source, loop) && waits_in_iteration(source, t, node);
    if (!follows) add_edge(t, {source, loop});
    if (source == t) add_chain(t, loop);
    graph_.order(conflict.node, node);
    return;
  }
  pending_.push_back({source, t, conflict.accesses, waits_in_iteration(source, t, node)});
  ordered();
}

bool TaskOrderFinder::waits_in_iteration(int source, int t, int node) const {
  const int now = node_of_[static_cast<size_t>(source)];
  return now >= crossing_.end && graph_.ordered(now, node) &&
         part_of(program_.tasks[static_cast<size_t>(source)].block)
             .holds(part_of(program_.tasks[static_cast<size_t>(t)].block));
}

void TaskOrderFinder::resolve_pending(const Pending& pending, int loop) {
  const int outside = construct_at(program_.construct_of_loop[static_cast<size_t>(loop)]).block;
  const TaskEdge carried{pending.source, loop};
  if (has_chain(pending.source, loop)) {
    if (!pending.waits_in_iteration) add_edge(pending.task, carried);
  } else if (queues_anyway(pending.accesses, pending.source, outside) ||
             !turn_inout(pending.accesses, pending.source, pending.task)) {
    add_edge(pending.source, carried);
    add_chain(pending.source, loop);
    if (!pending.waits_in_iteration) add_edge(pending.task, carried);
  }
}

// The orchestration waits for the writers on record, and for all tasks that keep a buffer of its own alive; not for
// those that only read a buffer of the caller.
void TaskOrderFinder::resolve_host(const Conflict& conflict, const HostAccess& host, int node) {
  const Task& earlier = task_at(conflict.task);
  bool settled = true;
  bool sure = false;  // not only where the two turn out to be one buffer
  for (const auto& [theirs, own] : conflict.accesses) {
    sure |= meeting(host.accesses[static_cast<size_t>(own)], {conflict.node, conflict.task, theirs}).must;
    const Access& access = earlier.accesses[static_cast<size_t>(theirs)];
    const bool kept_alive = program_.made_on_chip[static_cast<size_t>(access.root)] && access.arg >= 0;
    if (!earlier.manual && host.writes && (kept_alive || access.registers)) continue;
    if (!earlier.manual && host.writes && access.arg >= 0) {
      make_inout(conflict.task, theirs);
      continue;
    }
    settled = false;
    diags_
        .report(diag::codes::element_out_of_order, place_of(host.stmt), buffer_name(access.root),
                host.writes ? "written" : "read")
        .note("the task is here", place_of(earlier.stmt));
  }
  if (settled && sure && host.writes) graph_.order(conflict.node, node);
}

// False when one of the two has no argument whose direction could say it.
bool TaskOrderFinder::turn_inout(const std::vector<std::pair<int, int>>& accesses, int source, int t) {
  const Task& earlier = task_at(source);
  const Task& now = task_at(t);
  if (earlier.manual || now.manual) return false;
  for (const auto& [theirs, own] : accesses)
    if (earlier.accesses[static_cast<size_t>(theirs)].arg < 0 || now.accesses[static_cast<size_t>(own)].arg < 0)
      return false;
  for (const auto& [theirs, own] : accesses) {
    make_inout(source, theirs);
    make_inout(t, own);
  }
  return true;
}

// An argument may be several buffers, each with an access of its own.
void TaskOrderFinder::make_inout(int t, int access) {
  std::vector<Access>& accesses = task_at(t).accesses;
  const int arg = accesses[static_cast<size_t>(access)].arg;
  const bool reader = !accesses[static_cast<size_t>(access)].writes;
  bool changed = false;
  for (Access& a : accesses) {
    if (a.arg != arg || (a.looks_up && a.registers)) continue;
    a.looks_up = true;
    a.registers = true;
    changed = true;
  }
  if (!changed) return;
  auto add = [&](std::vector<int>& list) { list.insert(std::lower_bound(list.begin(), list.end(), arg), arg); };
  add(order_.inout_args[static_cast<size_t>(t)]);
  if (reader) add(order_.inout_readers[static_cast<size_t>(t)]);
}

// As InOut, an argument that shows the same elements in every iteration makes the tasks of sequential loops wait for
// one another. Their ids say the same then, and no direction has to change.
bool TaskOrderFinder::queues_anyway(const std::vector<std::pair<int, int>>& accesses, int source, int upto) {
  const Task& task = task_at(source);
  for (int b = task.block; b != upto; b = block_at(b).parent) {
    const Construct& made = construct_at(block_at(b).construct);
    if (made.kind != Construct::Kind::Loop || has_chain(source, made.loop) || (made.trips && *made.trips <= 1))
      continue;
    const ForStmt* loop = as<ForStmt>(made.stmt);
    if (loop != nullptr && loop->for_kind == ForKind::Parallel) return false;
    for (const auto& [theirs, own] : accesses) {
      const Region& region = *task.accesses[static_cast<size_t>(theirs)].region;
      if (!meet(region, region, regions_.scalars(), made.loop).must) return false;
    }
  }
  return true;
}

// Each iteration's task waits for that of the one before, in every loop up to the block.
void TaskOrderFinder::take_turns(int t, int upto) {
  for (int b = task_at(t).block; b != upto; b = block_at(b).parent) {
    const Construct& made = construct_at(block_at(b).construct);
    const int loop = made.loop;
    if (loop < 0 || has_chain(t, loop) || (made.trips && *made.trips <= 1)) continue;
    add_edge(t, {t, loop});
    add_chain(t, loop);
  }
}

void TaskOrderFinder::add_edge(int t, TaskEdge edge) {
  std::vector<TaskEdge>& edges = order_.edges[static_cast<size_t>(t)];
  for (const TaskEdge& known : edges) {
    if (known.source != edge.source) continue;
    if (known.loop == edge.loop) return;
    const bool inner = edge.loop >= 0 && known.loop >= 0 && program_.loops->lies_in(known.loop, edge.loop);
    edge.through_inner |= inner && (has_chain(t, known.loop) || has_chain(edge.source, edge.loop));
  }
  edges.push_back(edge);
}

bool TaskOrderFinder::has_chain(int t, int loop) const {
  const std::vector<int>& loops = chain_[static_cast<size_t>(t)];
  return std::find(loops.begin(), loops.end(), loop) != loops.end();
}

void TaskOrderFinder::add_chain(int t, int loop) {
  if (!has_chain(t, loop)) chain_[static_cast<size_t>(t)].push_back(loop);
}

bool TaskOrderFinder::last_stands_for_all(int t, int upto) const {
  for (int b = program_.tasks[static_cast<size_t>(t)].block; b != upto; b = block_at(b).parent) {
    const Construct& made = construct_at(block_at(b).construct);
    if (made.kind != Construct::Kind::Loop) continue;
    const bool once = made.trips && *made.trips <= 1;
    if (block_at(b).manual || (!once && !has_chain(t, made.loop))) return false;
  }
  return true;
}

bool TaskOrderFinder::in_manual_loop(int t, int upto) const {
  for (int b = program_.tasks[static_cast<size_t>(t)].block; b != upto; b = block_at(b).parent)
    if (construct_at(block_at(b).construct).kind == Construct::Kind::Loop && block_at(b).manual) return true;
  return false;
}

}  // namespace pyptoc::passes
