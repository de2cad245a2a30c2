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
      out_.definitions_[return_vars[i]] = result;
    }
    stmt(body);
  }

  TaskIdSources& out_;
  int loops_ = 0;
  int depth_ = 0;
};

TaskIdSources::TaskIdSources(const TaskProgram& tasks) : program_(tasks) {
  TaskIdDefinitions(*this).stmt(tasks.function->body);
  for (size_t t = 0; t < tasks.tasks.size(); ++t)
    if (tasks.tasks[t].result != nullptr) definitions_[tasks.tasks[t].result].task = static_cast<int>(t);
}

void TaskIdSources::merge(TaskSources& into, const TaskSources& from, int loop) {
  into.complete = into.complete && from.complete;
  for (TaskSource source : from.tasks) {
    if (source.loop < 0) source.loop = loop;
    if (std::find(into.tasks.begin(), into.tasks.end(), source) != into.tasks.end()) continue;
    if (into.tasks.size() < kMaxSources)
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

const TaskSources& TaskIdSources::of(const Expr* id) {
  if (const Known* known = known_.find(id)) {
    if (known->state == Known::State::Done) return known->sources;
    if (known->state == Known::State::Open) {  // a carry that feeds itself adds nothing
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
  Known& known = known_[id];
  known.sources = std::move(found);
  known.state = partial ? Known::State::New : Known::State::Done;
  return known.sources;
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
    TaskSources part = of(e);  // a copy: the map may grow
    merge(out, part, loop);
  };
  if (const TupleGetItemExpr* get = as<TupleGetItemExpr>(id)) {
    int task = -1;
    const Expr* tuple = tuple_definition(get->tuple, task);
    const TupleType* type = as_tuple(get->tuple->type);
    if (task >= 0 && type != nullptr && static_cast<size_t>(get->index) + 1 == type->types.size())
      out.tasks.push_back({task, -1});
    else if (const MakeTuple* made = as<MakeTuple>(tuple);
             made != nullptr && static_cast<size_t>(get->index) < made->elements.size())
      include(made->elements[static_cast<size_t>(get->index)], -1);
    else
      out.complete = false;
  } else if (const Call* call = as<Call>(id)) {
    if (call->op->id == OpId::ArrayGetElement && !call->args.empty())
      include(call->args[0], -1);
    else if (call->op->id == OpId::ArrayUpdateElement && call->args.size() == 3) {
      include(call->args[0], -1);
      include(call->args[2], -1);
    } else if (call->op->id != OpId::SystemTaskInvalid && call->op->id != OpId::ArrayCreate)
      out.complete = false;
  } else if (const Definition* known = definitions_.find(id)) {
    const Definition definition = *known;
    if (definition.task >= 0 && program_.tasks[static_cast<size_t>(definition.task)].is_dummy) {
      out.tasks.push_back({definition.task, -1});
    } else {
      include(definition.values[0], -1);
      if (definition.values[1] != nullptr) include(definition.values[1], definition.loop);
    }
  } else {
    out.complete = false;
  }
  --depth_;
  return out;
}

}  // namespace pyptoc::passes
