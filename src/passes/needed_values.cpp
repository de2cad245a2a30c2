// SPDX-License-Identifier: Apache-2.0
#include "passes/needed_values.h"

#include "ir/op_id.h"
#include "passes/call_graph.h"

namespace pyptoc::passes {

using namespace ir;

NeededValues::NeededValues(const Stmt* body) {
  walk(body);
  while (!work_.empty()) {
    const Expr* e = work_.back();
    work_.pop_back();
    walk(e);
  }
}

// Statements come first; of their expressions only those that are needed are walked, once each.
void NeededValues::visit(const Node* node) {
  if (is_stmt(node->kind)) return statement(node);
  if (const Var* var = as<Var>(node)) need(var);
  children(node);
}

void NeededValues::statement(const Node* node) {
  if (const AssignStmt* assign = as<AssignStmt>(node)) {
    values_[assign->var] = assign->value;
    root(assign->value);
  } else if (const EvalStmt* eval = as<EvalStmt>(node)) {
    root(eval->expr);
  } else if (const ForStmt* loop = as<ForStmt>(node)) {
    for (const Expr* bound : {loop->start, loop->stop, loop->step}) work_.push_back(bound);
  } else if (const WhileStmt* loop_while = as<WhileStmt>(node)) {
    work_.push_back(loop_while->condition);
  } else if (const IfStmt* branch = as<IfStmt>(node)) {
    work_.push_back(branch->condition);
  }
  for_each_child(node, [&](const Node* child) {
    if (is_stmt(child->kind)) walk(child);
  });
}

void NeededValues::root(const Expr* e) {
  const Call* call = as<Call>(e);
  if (called_function(e) != nullptr || (call != nullptr && call->op->id == OpId::TensorWrite)) work_.push_back(e);
}

void NeededValues::need(const Var* var) {
  if (!needed_.insert(var)) return;
  if (const Expr* const* value = values_.find(var)) work_.push_back(*value);
}

}  // namespace pyptoc::passes
