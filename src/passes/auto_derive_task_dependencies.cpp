// SPDX-License-Identifier: Apache-2.0
// Conflicts between the tasks of straight-line scopes.
#include "passes/auto_derive_task_dependencies.h"

#include <algorithm>

#include "passes/order_tasks.h"
#include "passes/task_sources.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

class ScopeAnalysis {
 public:
  ScopeAnalysis(const TaskProgram& program, const FunctionRegions& regions)
      : program_(program),
        regions_(regions),
        sources_(program),
        node_of_(program.tasks.size(), -1),
        uses_(static_cast<size_t>(program.root_count)) {
    order_.edges.resize(program.tasks.size());
    order_.inout_args.resize(program.tasks.size());
    order_.inout_readers.resize(program.tasks.size());
  }

  TaskOrder run() {
    scope(0);
    return std::move(order_);
  }

 private:
  struct Use {
    int task;
    const Access* access;
  };

  const TaskBlock& block_at(int b) const { return program_.blocks[static_cast<size_t>(b)]; }
  const Construct& construct_at(int c) const { return program_.constructs[static_cast<size_t>(c)]; }

  static bool is_part(const Construct& c, bool manual) { return c.kind == Construct::Kind::Scope && !manual; }

  // The block as a scope of its own; the scopes in it alone where it cannot be bounded.
  void scope(int b) {
    if (block_at(b).manual) return;
    std::vector<int> tasks;
    std::vector<int> others;
    collect(b, tasks, others);
    const bool bounded = is_bounded(tasks, others);
    if (bounded) derive(tasks);
    inner_scopes(b, bounded);
  }

  void inner_scopes(int b, bool done) {
    for (const TaskItem& item : program_.items[static_cast<size_t>(b)]) {
      if (item.kind != TaskItem::Kind::Construct) continue;
      const Construct& c = construct_at(item.index);
      for (int inner : {c.first_block, c.second_block}) {
        if (inner < 0) continue;
        if (done && is_part(c, block_at(inner).manual))
          inner_scopes(inner, true);
        else
          scope(inner);
      }
    }
  }

  // The tasks of the scope in order, and those of the loops, branches and manual scopes in it.
  void collect(int b, std::vector<int>& tasks, std::vector<int>& others) const {
    for (const TaskItem& item : program_.items[static_cast<size_t>(b)]) {
      if (item.kind == TaskItem::Kind::Task) tasks.push_back(item.index);
      if (item.kind != TaskItem::Kind::Construct) continue;
      const Construct& c = construct_at(item.index);
      if (is_part(c, block_at(c.first_block).manual)) {
        collect(c.first_block, tasks, others);
      } else {
        for (int t = c.first_task; t < c.end_task; ++t) others.push_back(t);
      }
    }
  }

  bool is_bounded(const std::vector<int>& tasks, const std::vector<int>& others) {
    for (int t : tasks)
      for (const Access& access : program_.tasks[static_cast<size_t>(t)].accesses)
        if (access.arg >= 0 && (access.region->root != access.root || !access.region->exact)) return false;
    // 1: used, 2: written; by the scope's own tasks in the low bits, by the others in the next ones.
    std::vector<uint8_t> used(static_cast<size_t>(program_.root_count), 0);
    auto note = [&](const std::vector<int>& list, int shift) {
      for (int t : list)
        for (const Access& access : program_.tasks[static_cast<size_t>(t)].accesses)
          used[static_cast<size_t>(access.root)] |= static_cast<uint8_t>((access.writes ? 3 : 1) << shift);
    };
    note(tasks, 0);
    note(others, 2);
    return std::none_of(used.begin(), used.end(), [](uint8_t bits) {
      const int own = bits & 3;
      const int other = bits >> 2;
      return own != 0 && other != 0 && (own == 3 || other == 3);
    });
  }

  void derive(const std::vector<int>& tasks) {
    graph_.truncate(0);
    std::vector<int> touched;
    for (int t : tasks) {
      const Task& task = program_.tasks[static_cast<size_t>(t)];
      const int node = graph_.add({0, 0}, 0);
      node_of_[static_cast<size_t>(t)] = node;
      explicit_order(t, node);
      for (const auto& [earlier_node, earlier] : conflicts(task)) {
        if (graph_.ordered(earlier_node, node)) continue;
        order_.edges[static_cast<size_t>(t)].push_back({earlier, -1, false});
        graph_.order(earlier_node, node);
      }
      for (const Access& access : task.accesses) {
        if (access.arg < 0) continue;
        std::vector<Use>& uses = uses_[static_cast<size_t>(access.root)];
        if (uses.empty()) touched.push_back(access.root);
        if (access.writes)
          uses.erase(
              std::remove_if(uses.begin(), uses.end(),
                             [&](const Use& use) { return use.task != t && meeting(access, *use.access).covers; }),
              uses.end());
        uses.push_back({t, &access});
      }
    }
    for (int t : tasks) node_of_[static_cast<size_t>(t)] = -1;
    for (int root : touched) uses_[static_cast<size_t>(root)].clear();
  }

  Meeting meeting(const Access& later, const Access& earlier) const {
    return meet(*later.region, *earlier.region, regions_.scalars(), -1);
  }

  void explicit_order(int t, int node) {
    for (const Expr* dep : program_.tasks[static_cast<size_t>(t)].deps)
      for (const TaskSource& source : sources_.of(dep).tasks)
        if (source.loop < 0 && source.sure) graph_.order(node_of_[static_cast<size_t>(source.task)], node);
  }

  // The latest first, each once.
  std::vector<std::pair<int, int>> conflicts(const Task& task) const {
    std::vector<std::pair<int, int>> out;
    for (const Access& access : task.accesses) {
      if (access.arg < 0) continue;
      for (const Use& use : uses_[static_cast<size_t>(access.root)])
        if ((access.writes || use.access->writes) && meeting(access, *use.access).may)
          out.emplace_back(node_of_[static_cast<size_t>(use.task)], use.task);
    }
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  const TaskProgram& program_;
  const FunctionRegions& regions_;
  TaskIdSources sources_;
  TaskOrder order_;
  TaskGraph graph_;
  std::vector<int> node_of_;
  std::vector<std::vector<Use>> uses_;
};

}  // namespace

const Program* auto_derive_task_dependencies(const Program* program, PassContext& context) {
  return order_tasks(program, context,
                     [](TaskProgram& tasks, FunctionRegions& regions) { return ScopeAnalysis(tasks, regions).run(); });
}

}  // namespace pyptoc::passes
