// SPDX-License-Identifier: Apache-2.0
// What ids stand for behind branches and loops, and from one iteration to the next.
#include <algorithm>

#include "ir/op_table.h"
#include "passes/task_sources.h"

namespace pyptoc::passes {

using namespace ir;

namespace {
constexpr int kMaxSteps = 4000;
}  // namespace

bool TaskIdSources::lies_in(int task, int block) const {
  if (block < 0) return false;
  auto part = [&](int b) { return program_.parts[static_cast<size_t>(program_.blocks[static_cast<size_t>(b)].part)]; };
  return part(block).holds(part(program_.tasks[static_cast<size_t>(task)].block));
}

// A task of one branch ran only if the value is that branch's; any other one has to be on both ways.
TaskSources TaskIdSources::of_branch(const TaskSources& first, const TaskSources& second,
                                     const Definition& definition) const {
  const Construct& branch = program_.constructs[static_cast<size_t>(definition.branch)];
  TaskSources out;
  auto merge = [&](const TaskSources& own, int own_block, const TaskSources& others) {
    for (TaskSource source : own.tasks) {
      if (source.loop >= 0 || !lies_in(source.task, own_block)) {
        auto other = std::find_if(others.tasks.begin(), others.tasks.end(),
                                  [&](const TaskSource& s) { return s.task == source.task && s.loop == source.loop; });
        const bool both = other != others.tasks.end();
        source.sure = source.sure && both && other->sure;
        source.all = source.all && both && other->all;
        source.slots = both && source.extent == other->extent ? source.slots & other->slots : 0;
      }
      add(out, source);
    }
  };
  merge(first, branch.first_block, second);
  merge(second, branch.second_block, first);
  return out;
}

// The value that the loop's iterations see, or that the loop leaves behind.
TaskSources TaskIdSources::of_loop(const TaskSources& before, const TaskSources& after, const Definition& definition) {
  const int loop = definition.loop >= 0 ? definition.loop : definition.over;
  const Construct& made =
      program_.constructs[static_cast<size_t>(program_.construct_of_loop[static_cast<size_t>(loop)])];
  const ForStmt* stmt = as<ForStmt>(made.stmt);
  // In a manual scope such a loop carries an array, of which each iteration has a slot.
  const bool side_by_side = stmt != nullptr && stmt->for_kind == ForKind::Parallel &&
                            program_.blocks[static_cast<size_t>(made.first_block)].manual;
  kept_ = {};
  steps_ = 0;
  Definition through = definition;
  through.loop = loop;
  const bool chained = !side_by_side && keeps(definition.values[1], through);

  TaskSources behind = after;
  for (TaskSource& source : behind.tasks) {
    const bool inside = program_.loops->lies_in(program_.tasks[static_cast<size_t>(source.task)].loop, loop);
    if (inside && source.loop < 0 && side_by_side && definition.loop >= 0)
      source = {source.task, -1};
    else if (inside && source.loop < 0)
      source = carried(source, through, chained);
    else if (source.loop == loop)  // of the iteration before the last one
      source = {source.task, -1};
  }
  if (definition.over >= 0) mark_all(behind, definition);
  TaskSources out;
  for (TaskSource source : before.tasks) {
    auto later = std::find_if(after.tasks.begin(), after.tasks.end(),
                              [&](const TaskSource& s) { return s.task == source.task && s.loop == source.loop; });
    const bool stays = chained || (later != after.tasks.end() && later->sure);
    if (!stays || !chained) source = {source.task, source.loop, source.sure && stays};
    add(out, source);
  }
  for (TaskSource source : behind.tasks) {
    const bool inside = program_.loops->lies_in(program_.tasks[static_cast<size_t>(source.task)].loop, loop);
    if (!inside) source = {source.task, source.loop};
    if (inside && source.loop < 0 && definition.loop >= 0) source.loop = loop;
    add(out, source);
  }
  return out;
}

// A task of an iteration, in the id that this iteration passes on.
TaskSource TaskIdSources::carried(TaskSource source, const Definition& definition, bool chained) const {
  const Task& task = program_.tasks[static_cast<size_t>(source.task)];
  const Construct& loop =
      program_.constructs[static_cast<size_t>(program_.construct_of_loop[static_cast<size_t>(definition.loop)])];
  const bool each_run = task.loop == definition.loop || source.all;
  if (chained) return {source.task, -1, source.sure, source.sure && each_run};
  const bool every_time = program_.blocks[static_cast<size_t>(task.block)].part ==
                          program_.blocks[static_cast<size_t>(loop.first_block)].part;
  return {source.task, -1, source.sure && each_run && every_time};
}

void TaskIdSources::mark_all(TaskSources& sources, const Definition& definition) const {
  const Construct& loop =
      program_.constructs[static_cast<size_t>(program_.construct_of_loop[static_cast<size_t>(definition.over)])];
  const ForStmt* stmt = as<ForStmt>(loop.stmt);
  if (stmt == nullptr) return;
  const TaskBlock& body = program_.blocks[static_cast<size_t>(loop.first_block)];
  const bool is_array = as_array(definition.carry->type) != nullptr;
  const bool each_iteration =
      is_array ? fills(definition.values[1], definition) : body.manual && stmt->for_kind == ForKind::Parallel;
  if (!each_iteration) return;
  for (TaskSource& source : sources.tasks) {
    const Task& task = program_.tasks[static_cast<size_t>(source.task)];
    if (source.loop >= 0 || task.loop != definition.over ||
        program_.blocks[static_cast<size_t>(task.block)].part != body.part)
      continue;
    if (!source.sure) continue;
    source.all = true;
    source.extent = is_array ? static_cast<int>(*const_int(stmt->stop)) : 0;
  }
}

// Iteration i writes slot i and nothing else, and the slots are enough for all.
bool TaskIdSources::fills(const Expr* value, const Definition& definition) const {
  const Construct& loop =
      program_.constructs[static_cast<size_t>(program_.construct_of_loop[static_cast<size_t>(definition.over)])];
  const ForStmt* stmt = as<ForStmt>(loop.stmt);
  auto behind_names = [&](const Expr* e) {
    for (int steps = 0; steps < kMaxIdDepth; ++steps) {
      const Definition* next = definitions_.find(e);
      if (next == nullptr || next->loop >= 0 || next->over >= 0 || next->values[0] == nullptr) return e;
      if (!is_var(e->kind)) return e;
      e = next->values[0];
    }
    return e;
  };
  const Call* update = as<Call>(behind_names(value));
  if (update == nullptr || update->op->id != OpId::ArrayUpdateElement || update->args.size() != 3) return false;
  const ArrayType* type = as_array(definition.carry->type);
  std::optional<int64_t> extent = type->shape.empty() ? std::nullopt : const_int(type->shape[0]);
  std::optional<int64_t> stop = const_int(stmt->stop);
  return behind_names(update->args[0]) == definition.carry && update->args[1] == stmt->loop_var &&
         const_int(stmt->start) == 0 && const_int(stmt->step) == 1 && extent && stop && *stop >= 1 &&
         *stop <= *extent && *stop <= INT32_MAX;
}

bool TaskIdSources::keeps(const Expr* value, const Definition& loop) {
  if (value == loop.carry) return true;
  if (++steps_ > kMaxSteps || depth_ >= kMaxIdDepth) return false;
  if (const bool* found = kept_.find(value)) return *found;
  kept_[value] = true;  // a carry of a loop further inside may lead back to itself
  ++depth_;
  const bool found = keeps_variable(value, loop);
  --depth_;
  const Definition* definition = definitions_.find(value);
  if (!found && definition != nullptr && definition->loop >= 0) kept_.clear();  // that was assumed too much
  kept_[value] = found;
  return found;
}

bool TaskIdSources::keeps_variable(const Expr* value, const Definition& loop) {
  if (const TupleGetItemExpr* get = as<TupleGetItemExpr>(value)) {
    int task = -1;
    const MakeTuple* made = as<MakeTuple>(tuple_definition(get->tuple, task));
    if (task >= 0) return task_keeps(task, loop);
    return made != nullptr && static_cast<size_t>(get->index) < made->elements.size() &&
           keeps(made->elements[static_cast<size_t>(get->index)], loop);
  }
  if (const Call* call = as<Call>(value))
    return call->op->id == OpId::ArrayUpdateElement && call->args.size() == 3 && keeps(call->args[2], loop);
  const Definition* found = definitions_.find(value);
  if (found == nullptr) return false;
  const Definition definition = *found;
  if (definition.task >= 0) return task_keeps(definition.task, loop);
  const int inner = std::max(definition.loop, definition.over);
  if (inner >= 0 && (inner == loop.loop || !program_.loops->lies_in(inner, loop.loop))) return false;
  const bool one = inner < 0 && definition.branch < 0;
  return definition.values[0] != nullptr && keeps(definition.values[0], loop) &&
         (one || (definition.values[1] != nullptr && keeps(definition.values[1], loop)));
}

bool TaskIdSources::task_keeps(int task, const Definition& loop) {
  const Task& now = program_.tasks[static_cast<size_t>(task)];
  return program_.loops->lies_in(now.loop, loop.loop) &&
         std::any_of(now.deps.begin(), now.deps.end(), [&](const Expr* dep) { return keeps(dep, loop); });
}

}  // namespace pyptoc::passes
