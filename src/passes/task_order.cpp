// SPDX-License-Identifier: Apache-2.0
// The walk over tasks in program order.
#include "passes/task_order.h"

#include <algorithm>
#include <iterator>

#include "ir/depth_guard.h"
#include "passes/call_graph.h"
#include "passes/task_order_finder.h"

namespace pyptoc::passes {

using namespace ir;

namespace {
// Writers of one buffer that are remembered in order to see what the runtime derives. Forgetting one can only make an
// edge that was not needed, except where a predicate reads the buffer.
constexpr size_t kMaxWriters = 64;
}  // namespace

TaskOrderFinder::TaskOrderFinder(TaskProgram& program, const FunctionRegions& regions, diag::Engine& diags)
    : program_(program),
      regions_(regions),
      diags_(diags),
      sources_(program),
      state_(program.root_count),
      node_of_(program.tasks.size(), -1),
      node_before_(program.tasks.size(), -1),
      chain_(program.tasks.size()),
      part_begin_(program.parts.size(), 0) {
  order_.edges.resize(program.tasks.size());
  order_.inout_args.resize(program.tasks.size());
  order_.inout_readers.resize(program.tasks.size());
  for (const Task& t : program.tasks) has_manual_ |= t.manual;
}

TaskOrder TaskOrderFinder::run() {
  block(0);
  order_.has_results = true;
  return std::move(order_);
}

void TaskOrderFinder::block(int b) {
  for (const TaskItem& item : program_.items[static_cast<size_t>(b)]) {
    switch (item.kind) {
      case TaskItem::Kind::Task:
        task(item.index);
        break;
      case TaskItem::Kind::Host:
        host(item.index);
        break;
      case TaskItem::Kind::Construct:
        construct(item.index);
        break;
    }
  }
}

void TaskOrderFinder::construct(int c) {
  const Construct& made = construct_at(c);
  switch (made.kind) {
    case Construct::Kind::Loop:
      return loop(made);
    case Construct::Kind::Branch:
      return branch(made);
    case Construct::Kind::Scope:
      return block(made.first_block);
  }
}

// What the branches do not share is not known behind them.
void TaskOrderFinder::branch(const Construct& c) {
  const int host_before = last_host_;
  state_.open();
  part_begin_[static_cast<size_t>(block_at(c.first_block).part)] = graph_.size();
  block(c.first_block);
  last_host_ = host_before;
  if (c.second_block < 0) return state_.keep_both();
  TaskState::Changes then_changes = state_.undo();
  state_.open();
  part_begin_[static_cast<size_t>(block_at(c.second_block).part)] = graph_.size();
  block(c.second_block);
  last_host_ = host_before;
  state_.join(std::move(then_changes));
}

// Behind the loop the nodes of the first walk stand for the tasks of all iterations: what orders them was found for
// arbitrary values of the loop's variable.
void TaskOrderFinder::loop(const Construct& c) {
  const int host_before = last_host_;
  const int first = graph_.size();
  state_.open();
  part_begin_[static_cast<size_t>(block_at(c.first_block).part)] = first;
  block(c.first_block);
  if (crossing_.loop < 0 && !(c.trips && *c.trips <= 1)) second_iteration(c, first);
  if (c.runs_always)
    state_.keep();
  else
    state_.keep_both();
  if (!c.runs_always) last_host_ = host_before;
}

// The body once more, behind the iterations before. Loops inside are walked once then: what happens between their own
// iterations is known already.
void TaskOrderFinder::second_iteration(const Construct& c, int first) {
  const int host_before = last_host_;
  const int end = graph_.size();
  crossing_ = {c.loop, first, end};
  for (int t = c.first_task; t < c.end_task; ++t)
    node_before_[static_cast<size_t>(t)] = node_of_[static_cast<size_t>(t)];
  state_.open();
  part_begin_[static_cast<size_t>(block_at(c.first_block).part)] = end;
  graph_.begin_iteration(part_of(c.first_block), first, end);
  block(c.first_block);
  graph_.end_iteration();
  crossing_ = {};
  std::vector<Pending> pending = std::move(pending_);
  pending_.clear();
  for (const Pending& p : pending) resolve_pending(p, c.loop);
  state_.undo();
  graph_.truncate(end);
  if (has_manual_) {
    possible_.truncate(end);
    possible_from_start_.resize(static_cast<size_t>(end));
  }
  for (int t = c.first_task; t < c.end_task; ++t) {
    node_of_[static_cast<size_t>(t)] = node_before_[static_cast<size_t>(t)];
    node_before_[static_cast<size_t>(t)] = -1;
  }
  last_host_ = host_before;
}

int TaskOrderFinder::new_node(int block) {
  const int begin = part_begin_[static_cast<size_t>(block_at(block).part)];
  const int node = graph_.add(part_of(block), begin);
  if (has_manual_) {
    possible_.add({0, 0}, 0);
    possible_from_start_.push_back(0);
  }
  graph_.order(last_host_, node);
  return node;
}

void TaskOrderFinder::task(int t) {
  Task& now = task_at(t);
  const int node = new_node(now.block);
  order_by_dependencies(t, node);
  order_by_runtime(now.accesses, now.manual, node);
  for (const Access& access : now.accesses) {
    if (access.arg < 0) continue;
    const Expr* value = call_args(now.call)[static_cast<size_t>(access.arg)];
    if (!now.manual) order_by_maker(access, value, node);
    if (access.looks_up) order_by_result(value, node);
  }
  for (int source : now.results_of) {
    const int from = node_of_[static_cast<size_t>(source)];
    if (from < 0 || graph_.ordered(from, node)) continue;
    add_edge(t, {source, -1});
    graph_.order(from, node);
  }
  if (has_manual_) note_possible_order(t, node);
  if (now.manual) {
    if (crossing_.loop < 0) warn_about_manual_task(t, node);
  } else {
    for (const Conflict& conflict : conflicts(now.accesses, node)) {
      if (graph_.ordered(conflict.node, node)) continue;
      if (is_crossed(conflict.node))
        resolve_carried(conflict, t, node);
      else
        resolve(conflict, t, node);
    }
  }
  record(now.accesses, t, node);
  node_of_[static_cast<size_t>(t)] = node;
  if (crossing_.loop >= 0 && graph_.ordered(node_before_[static_cast<size_t>(t)], node)) add_chain(t, crossing_.loop);
}

void TaskOrderFinder::host(int h) {
  const HostAccess& now = program_.hosts[static_cast<size_t>(h)];
  const int node = new_node(now.block);
  order_by_runtime(now.accesses, false, node);
  for (const Access& access : now.accesses) order_by_maker(access, now.tensor, node);
  order_by_result(now.tensor, node);
  for (const Conflict& conflict : conflicts(now.accesses, node))
    if (!graph_.ordered(conflict.node, node)) resolve_host(conflict, now, node);
  last_host_ = node;
  if (!now.writes) return;
  // Whatever used the buffer before is done when the orchestration goes on.
  for (const Access& access : now.accesses) {
    if (!program_.written[static_cast<size_t>(access.root)]) continue;
    BufferUses& uses = state_.change(access.root);
    auto settled = [&](const Use& use) { return graph_.ordered(use.node, node); };
    for (std::vector<Use>* list : {&uses.readers, &uses.writers, &uses.hidden})
      list->erase(std::remove_if(list->begin(), list->end(), settled), list->end());
  }
}

// Dependencies that are in the program, and the edges found so far, as far as it is clear which tasks they name.
void TaskOrderFinder::order_by_dependencies(int t, int node) {
  const Task& now = task_at(t);
  auto order = [&](const TaskSource& source, bool stands_for_all) {
    const size_t from = static_cast<size_t>(source.task);
    if (source.loop < 0) {
      const int common = program_.common_block(task_at(source.task).block, now.block);
      if (stands_for_all || last_stands_for_all(source.task, common)) graph_.order(node_of_[from], node);
    } else if (crossing_.loop == source.loop) {
      const bool all = stands_for_all || source.task == t || has_chain(source.task, source.loop);
      if (all) graph_.order(node_before_[from], node);
    }
  };
  for (size_t i = 0; i < now.deps.size(); ++i) {
    const TaskSources found = sources_.of(now.deps[i]);
    const bool own = i < now.own_deps;
    for (const TaskSource& source : found.tasks)
      if (!own || source.sure) order(source, source.all || !own);
  }
  for (const TaskEdge& edge : order_.edges[static_cast<size_t>(t)]) order({edge.source, edge.loop}, true);
}

void TaskOrderFinder::order_by_runtime(const std::vector<Access>& accesses, bool manual, int node) {
  if (manual) return;
  for (const Access& access : accesses) {
    if (!access.looks_up) continue;
    const std::vector<Use>& writers = state_.at(access.root).writers;
    for (auto use = writers.rbegin(); use != writers.rend(); ++use)
      if (use->node != node && meeting(access, *use).must) graph_.order(use->node, node);
  }
}

// An argument is behind the task that made its buffer, unless it may be another buffer or, where a loop carries such
// buffers, that of another iteration.
void TaskOrderFinder::order_by_maker(const Access& access, const Expr* value, int node) {
  const size_t root = static_cast<size_t>(access.root);
  if (regions_.roots().of(value).size() != 1) return;
  int maker = program_.root_maker[root];
  if (program_.several_at_once[root]) {
    const int* made_by = program_.made_by.find(value);
    maker = made_by != nullptr ? *made_by - 1 : -1;
  }
  if (maker >= 0) graph_.order(node_of_[static_cast<size_t>(maker)], node);
}

// A look-up of what a task handed back finds that task, whichever buffer it was.
void TaskOrderFinder::order_by_result(const Expr* value, int node) {
  if (const int* writer = program_.written_by.find(value)) {
    const int from = node_of_[static_cast<size_t>(*writer - 1)];
    if (from >= 0) graph_.order(from, node);
  }
  const TaskProgram::Carried* carried = program_.carried_value.find(value);
  if (carried == nullptr || crossing_.loop != carried->loop) return;
  const int* writer = program_.written_by.find(carried->value);
  if (writer != nullptr && node_before_[static_cast<size_t>(*writer - 1)] >= 0)
    graph_.order(node_before_[static_cast<size_t>(*writer - 1)], node);
}

void TaskOrderFinder::record(const std::vector<Access>& accesses, int task, int node) {
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Access& access = accesses[i];
    if (!program_.written[static_cast<size_t>(access.root)]) continue;
    if (access.writes) forget_covered(access, task_at(task).manual, node);
  }
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Access& access = accesses[i];
    if (!program_.written[static_cast<size_t>(access.root)]) continue;
    const Use use{node, task, static_cast<int>(i)};
    BufferUses& uses = state_.change(access.root);
    if (access.reads) uses.readers.push_back(use);
    if (access.registers) uses.writers.push_back(use);
    if (access.writes && !access.registers) uses.hidden.push_back(use);
    if (uses.writers.size() > kMaxWriters && !program_.in_predicate[static_cast<size_t>(access.root)])
      uses.writers.erase(uses.writers.begin());
  }
}

// Whoever conflicts later with a use that this write covers conflicts with this write as well, and is ordered behind
// it. In a manual scope only explicit dependencies say that this write is behind the use.
void TaskOrderFinder::forget_covered(const Access& access, bool manual, int node) {
  BufferUses& uses = state_.change(access.root);
  auto covered = [&](const Use& use) {
    return use.node != node && meeting(access, use).covers && (!manual || graph_.ordered(use.node, node));
  };
  uses.readers.erase(std::remove_if(uses.readers.begin(), uses.readers.end(), covered), uses.readers.end());
  uses.hidden.erase(std::remove_if(uses.hidden.begin(), uses.hidden.end(), covered), uses.hidden.end());
  if (access.looks_up)
    uses.writers.erase(std::remove_if(uses.writers.begin(), uses.writers.end(), covered), uses.writers.end());
}

const Access& TaskOrderFinder::access_of(const Use& use) const {
  return program_.tasks[static_cast<size_t>(use.task)].accesses[static_cast<size_t>(use.access)];
}

Meeting TaskOrderFinder::meeting(const Access& later, const Use& earlier) const {
  if (later.root >= program_.peers_root) return {true, true, true};
  const int crossing = is_crossed(earlier.node) ? crossing_.loop : -1;
  if (crossing >= 0 && program_.fresh_in(later.root, crossing)) return {false, false, true};
  Meeting found = meet(*later.region, *access_of(earlier).region, regions_.scalars(), crossing);
  if (program_.several_at_once[static_cast<size_t>(later.root)]) found.must = found.covers = false;
  return found;
}

namespace {

// Arguments that became InOut before the walk did so for a reason; true when the walk found more.
bool add_inout(TaskOrder& order, const TaskOrder& before) {
  auto merge = [](std::vector<int>& list, const std::vector<int>& more) {
    std::vector<int> both;
    std::set_union(list.begin(), list.end(), more.begin(), more.end(), std::back_inserter(both));
    list = std::move(both);
  };
  bool found = false;
  for (size_t t = 0; t < order.inout_args.size(); ++t) {
    found |= !order.inout_args[t].empty();
    merge(order.inout_args[t], before.inout_args[t]);
    merge(order.inout_readers[t], before.inout_readers[t]);
  }
  return found;
}

}  // namespace

// What became InOut over the end of an iteration needs no edge within one either, so the walk begins anew.
TaskOrder find_task_order(TaskProgram& tasks, const FunctionRegions& regions, diag::Engine& diags) {
  constexpr int kMostWalks = 4;
  TaskOrder order = TaskOrderFinder(tasks, regions, diags).run();
  bool again = std::any_of(order.inout_args.begin(), order.inout_args.end(), [](const auto& l) { return !l.empty(); });
  for (int walk = 1; again && walk < kMostWalks; ++walk) {
    diag::Engine reported_already;
    TaskOrder next = TaskOrderFinder(tasks, regions, reported_already).run();
    again = add_inout(next, order);
    order = std::move(next);
  }
  return order;
}

}  // namespace pyptoc::passes
