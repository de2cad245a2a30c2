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
constexpr int kMaxSlots = 64;

uint64_t all_slots(int extent) {
  return extent >= kMaxSlots ? ~uint64_t{0} : (uint64_t{1} << extent) - 1;
}
}  // namespace

class TaskIdDefinitions {
 public:
  explicit TaskIdDefinitions(TaskIdSources& out) : out_(out) {
    const std::vector<Construct>& all = out.program_.constructs;
    for (size_t c = 0; c < all.size(); ++c)
      if (all[c].kind == Construct::Kind::Branch) branches_.push_back(static_cast<int>(c));
  }
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
      const int construct = branches_[branch_++];
      stmt(branch->then_body);
      if (branch->else_body != nullptr) stmt(branch->else_body);
      for (size_t i = 0; i < branch->return_vars.size(); ++i) {
        TaskIdSources::Definition& definition = out_.definitions_[branch->return_vars[i]];
        definition.values[0] = yielded(branch->then_body, i);
        definition.values[1] = yielded(branch->else_body, i);
        definition.branch = construct;
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
      definition.carry = iter_args[i];
      if (i >= return_vars.size()) continue;
      TaskIdSources::Definition result = definition;
      result.loop = -1;
      result.over = loop;
      out_.definitions_[return_vars[i]] = result;
    }
    stmt(body);
  }

  TaskIdSources& out_;
  std::vector<int> branches_;  // constructs, in the order in which they are met
  size_t branch_ = 0;
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

void TaskIdSources::add(TaskSources& into, const TaskSource& source) {
  auto same = std::find_if(into.tasks.begin(), into.tasks.end(),
                           [&](const TaskSource& s) { return s.task == source.task && s.loop == source.loop; });
  if (same == into.tasks.end()) {
    if (into.tasks.size() < kMaxSources)
      into.tasks.push_back(source);
    else
      into.complete = false;
    return;
  }
  if (same->extent == source.extent) same->slots |= source.slots;
  same->all |= source.all || (same->extent > 0 && same->slots == all_slots(same->extent));
  same->sure |= source.sure || same->all;
}

// The expression that made a tuple, or the task that did.
const Expr* TaskIdSources::tuple_definition(const Expr* tuple, int& task) const {
  for (int steps = 0; steps < kMaxIdDepth; ++steps) {
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
  if (!updated_.contains(id)) return out;
  out.complete = false;
  for (TaskSource& source : out.tasks) source = {source.task, source.loop};
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
  if (depth_ >= kMaxIdDepth) {
    out.complete = false;
    return out;
  }
  ++depth_;
  const Definition* definition = definitions_.find(id);
  if (const TupleGetItemExpr* get = as<TupleGetItemExpr>(id)) {
    int task = -1;
    const Expr* tuple = tuple_definition(get->tuple, task);
    const TupleType* type = as_tuple(get->tuple->type);
    if (task >= 0 && type != nullptr && static_cast<size_t>(get->index) + 1 == type->types.size())
      out.tasks.push_back({task, -1, true});
    else if (const MakeTuple* made = as<MakeTuple>(tuple);
             made != nullptr && static_cast<size_t>(get->index) < made->elements.size())
      out = TaskSources(known(made->elements[static_cast<size_t>(get->index)]));
    else
      out.complete = false;
  } else if (const Call* call = as<Call>(id)) {
    const OpId op = call->op->id;
    if (op == OpId::ArrayGetElement && call->args.size() == 2)
      out = of_element(call);
    else if (op == OpId::ArrayUpdateElement && call->args.size() == 3)
      out = of_update(call);
    else
      out.complete = op == OpId::SystemTaskInvalid || op == OpId::ArrayCreate;
    if (op == OpId::ArrayCreate) out.tracked = true;
  } else if (definition != nullptr && definition->task >= 0 &&
             program_.tasks[static_cast<size_t>(definition->task)].is_dummy) {
    out.tasks.push_back({definition->task, -1, true});
  } else if (definition != nullptr) {
    out = find_variable(*definition);
  } else {
    out.complete = false;
  }
  --depth_;
  return out;
}

// One slot of many, unless there is one only.
TaskSources TaskIdSources::of_element(const Call* call) {
  TaskSources out = known(call->args[0]);
  out.tracked = false;
  const std::optional<int64_t> slot = const_int(call->args[1]);
  for (TaskSource& source : out.tasks) {
    const bool one = source.all && slot && *slot >= 0 && *slot < source.extent && source.extent <= kMaxSlots;
    source.slots = one ? uint64_t{1} << *slot : 0;
    source.sure = source.all = one && source.extent == 1;
  }
  return out;
}

// What was in the slot before is gone.
TaskSources TaskIdSources::of_update(const Call* call) {
  TaskSources out = known(call->args[0]);
  const TaskSources value = known(call->args[2]);
  const std::optional<int64_t> slot = const_int(call->args[1]);
  const uint64_t bit = slot && *slot >= 0 && *slot < kMaxSlots ? uint64_t{1} << *slot : 0;
  out.tracked = out.tracked && bit != 0 && (out.written & bit) == 0;
  out.written |= bit;
  out.complete = out.complete && value.complete;
  if (!out.tracked)
    for (TaskSource& source : out.tasks) source = {source.task, source.loop};
  for (const TaskSource& source : value.tasks) add(out, source);
  return out;
}

TaskSources TaskIdSources::find_variable(const Definition& given) {
  const Definition definition = given;  // the map may grow
  TaskSources out;
  if (definition.values[0] == nullptr) {
    out.complete = false;
    return out;
  }
  const TaskSources first = known(definition.values[0]);
  if (definition.values[1] == nullptr) {
    out = first;
    out.complete = out.complete && definition.loop < 0 && definition.over < 0 && definition.branch < 0;
    if (!out.complete)
      for (TaskSource& source : out.tasks) source = {source.task, source.loop};
    return out;
  }
  const TaskSources second = known(definition.values[1]);
  out = definition.branch >= 0 ? of_branch(first, second, definition) : of_loop(first, second, definition);
  out.complete = first.complete && second.complete && out.tasks.size() < kMaxSources;
  return out;
}

}  // namespace pyptoc::passes
