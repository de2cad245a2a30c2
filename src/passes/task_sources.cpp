// SPDX-License-Identifier: Apache-2.0
// Follows TaskIds through tuples, branches, carries and arrays.
#include "passes/task_sources.h"

#include <algorithm>

#include "ir/op_table.h"
#include "ir/walker.h"
#include "passes/trailing_yield.h"

namespace pyptoc::passes {

using namespace ir;

namespace {
constexpr size_t kMaxSources = 64;
constexpr int kMaxDepth = 200;
constexpr int kMaxSlots = 64;

uint64_t all_slots(int extent) {
  return extent >= kMaxSlots ? ~uint64_t{0} : (uint64_t{1} << extent) - 1;
}
}  // namespace

class TaskIdDefinitions {
 public:
  explicit TaskIdDefinitions(TaskIdSources& out) : out_(out) {}
  void stmt(const Stmt* s) {
    DepthGuard guard(depth_);
    if (const SeqStmts* seq = as<SeqStmts>(s)) {
      for (const Stmt* inner : seq->stmts) stmt(inner);
    } else if (const AssignStmt* assign = as<AssignStmt>(s)) {
      out_.definitions_[assign->var].values[0] = assign->value;
      const Call* call = as<Call>(assign->value);
      if (call != nullptr && call->op->id == OpId::ArrayUpdateElement) out_.updated_.insert(call->args[0]);
    } else if (const ForStmt* loop = as<ForStmt>(s)) {
      carried(loop->iter_args, loop->return_vars, loop->body);
    } else if (const WhileStmt* loop_while = as<WhileStmt>(s)) {
      carried(loop_while->iter_args, loop_while->return_vars, loop_while->body);
    } else if (const IfStmt* branch = as<IfStmt>(s)) {
      stmt(branch->then_body);
      if (branch->else_body != nullptr) stmt(branch->else_body);
      for (size_t i = 0; i < branch->return_vars.size(); ++i) {
        TaskIdSources::Definition& definition = out_.definitions_[branch->return_vars[i]];
        definition.values[0] = yielded(branch->then_body, i);
        definition.values[1] = yielded(branch->else_body, i);
      }
    } else if (const ScopeStmt* scope = as<ScopeStmt>(s)) {
      stmt(scope->body);
    }
  }

 private:
  static const Expr* yielded(const Stmt* body, size_t i) {
    const YieldStmt* yield = trailing_yield(body);
    return yield != nullptr && i < yield->value.size() ? yield->value[i] : nullptr;
  }
  void carried(List<const Var*> iter_args, List<const Var*> return_vars, const Stmt* body) {
    const int loop = loops_++;
    for (size_t i = 0; i < iter_args.size(); ++i) {
      TaskIdSources::Definition& definition = out_.definitions_[iter_args[i]];
      definition.values[0] = as<IterArg>(iter_args[i]) != nullptr ? as<IterArg>(iter_args[i])->init_value : nullptr;
      definition.values[1] = yielded(body, i);
      definition.loop = loop;
      if (i >= return_vars.size()) continue;
      TaskIdSources::Definition result = definition;
      result.loop = -1;
      result.over = loop;
      result.carry = iter_args[i];
      out_.definitions_[return_vars[i]] = result;
    }
    stmt(body);
  }

  TaskIdSources& out_;
  int loops_ = 0;
  int depth_ = 0;
};

TaskIdSources::TaskIdSources(const TaskProgram& tasks) : program_(tasks) {}

void TaskIdSources::find_definitions() {
  has_definitions_ = true;
  TaskIdDefinitions(*this).stmt(program_.function->body);
  for (size_t t = 0; t < program_.tasks.size(); ++t)
    if (program_.tasks[t].result != nullptr) definitions_[program_.tasks[t].result].task = static_cast<int>(t);
}

void TaskIdSources::merge(TaskSources& into, const TaskSources& from, int loop) {
  into.complete = into.complete && from.complete;
  for (TaskSource source : from.tasks) {
    if (source.loop < 0 && loop >= 0) source = {source.task, loop, false, 0, 0};
    auto same = std::find_if(into.tasks.begin(), into.tasks.end(),
                             [&](const TaskSource& s) { return s.task == source.task && s.loop == source.loop; });
    if (same != into.tasks.end()) {
      same->all |= source.all;
      if (same->extent == source.extent) same->slots |= source.slots;
      same->all |= same->extent > 0 && same->slots == all_slots(same->extent);
    } else if (into.tasks.size() < kMaxSources)
      into.tasks.push_back(source);
    else
      into.complete = false;
  }
}

// The expression that made a tuple, or the task that did.
const Expr* TaskIdSources::tuple_definition(const Expr* tuple, int& task) const {
  for (int steps = 0; steps < kMaxDepth; ++steps) {
    const Definition* definition = definitions_.find(tuple);
    if (definition == nullptr) return tuple;
    if (definition->task >= 0) {
      task = definition->task;
      return tuple;
    }
    if (definition->values[0] == nullptr) return tuple;
    tuple = definition->values[0];
  }
  return tuple;
}

// An array that is written in place holds more than what it held when it was named.
TaskSources TaskIdSources::of(const Expr* id) {
  if (!has_definitions_) find_definitions();
  TaskSources out = known(id);
  out.complete = out.complete && !updated_.contains(id);
  return out;
}

const TaskSources& TaskIdSources::known(const Expr* id) {
  if (const Known* found = known_.find(id)) {
    if (found->state == Known::State::Done) return found->sources;
    if (found->state == Known::State::Open) {  // a carry that feeds itself adds nothing
      met_cycle_ = true;
      return nothing_;
    }
  }
  known_[id].state = Known::State::Open;
  const bool outer_cycle = met_cycle_;
  met_cycle_ = false;
  TaskSources found = find(id);
  // What was found inside of a cycle is not all there is, unless this is where the cycle was entered.
  const bool partial = met_cycle_ && depth_ > 0;
  met_cycle_ = outer_cycle || partial;
  Known& result = known_[id];
  result.sources = std::move(found);
  result.state = partial ? Known::State::New : Known::State::Done;
  return result.sources;
}

TaskSources TaskIdSources::find(const Expr* id) {
  TaskSources out;
  if (depth_ >= kMaxDepth) {
    out.complete = false;
    return out;
  }
  ++depth_;
  auto include = [&](const Expr* e, int loop) {
    if (e == nullptr) {
      out.complete = false;
      return;
    }
    TaskSources part = known(e);  // a copy: the map may grow
    merge(out, part, loop);
  };
  if (const TupleGetItemExpr* get = as<TupleGetItemExpr>(id)) {
    int task = -1;
    const Expr* tuple = tuple_definition(get->tuple, task);
    const TupleType* type = as_tuple(get->tuple->type);
    if (task >= 0 && type != nullptr && static_cast<size_t>(get->index) + 1 == type->types.size())
      out.tasks.push_back({task, -1, false, 0, 0});
    else if (const MakeTuple* made = as<MakeTuple>(tuple);
             made != nullptr && static_cast<size_t>(get->index) < made->elements.size())
      include(made->elements[static_cast<size_t>(get->index)], -1);
    else
      out.complete = false;
  } else if (const Call* call = as<Call>(id)) {
    if (call->op->id == OpId::ArrayGetElement && call->args.size() == 2) {
      include(call->args[0], -1);
      std::optional<int64_t> slot = const_int(call->args[1]);
      for (TaskSource& source : out.tasks) {
        const bool one = source.all && slot && *slot >= 0 && *slot < source.extent && source.extent <= kMaxSlots;
        source.slots = one ? uint64_t{1} << *slot : 0;
        source.all = one && source.extent == 1;
      }
    }
    if (call->op->id == OpId::ArrayUpdateElement && call->args.size() == 3) {
      include(call->args[0], -1);
      include(call->args[2], -1);
    }
    const OpId op = call->op->id;
    out.complete = out.complete && (op == OpId::SystemTaskInvalid || op == OpId::ArrayCreate ||
                                    op == OpId::ArrayGetElement || op == OpId::ArrayUpdateElement);
  } else if (const Definition* definition = definitions_.find(id)) {
    if (definition->task >= 0 && program_.tasks[static_cast<size_t>(definition->task)].is_dummy)
      out.tasks.push_back({definition->task, -1, false, 0, 0});
    else
      out = find_variable(*definition);
  } else {
    out.complete = false;
  }
  --depth_;
  return out;
}

TaskSources TaskIdSources::find_variable(const Definition& given) {
  const Definition definition = given;  // the map may grow
  TaskSources out;
  if (definition.values[0] == nullptr) {
    out.complete = false;
    return out;
  }
  merge(out, TaskSources(known(definition.values[0])), -1);
  if (definition.values[1] == nullptr) {
    out.complete = out.complete && definition.loop < 0 && definition.over < 0;
    return out;
  }
  TaskSources second = known(definition.values[1]);
  if (definition.over >= 0) mark_all(second, definition);
  merge(out, second, definition.loop);
  return out;
}

void TaskIdSources::mark_all(TaskSources& sources, const Definition& definition) {
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
    for (int steps = 0; steps < kMaxDepth; ++steps) {
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

}  // namespace pyptoc::passes
