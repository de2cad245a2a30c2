// SPDX-License-Identifier: Apache-2.0
#include "passes/call_graph.h"

#include "ir/walker.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

class CallWalk : public Walker {
 public:
  std::vector<const Expr*> calls;

 protected:
  void visit(const Node* node) override {
    if (!is_stmt(node->kind) || !node->contents.has(Content::FunctionCall)) return;
    if (const AssignStmt* assign = as<AssignStmt>(node)) {
      add(assign->value);
    } else if (const EvalStmt* eval = as<EvalStmt>(node)) {
      add(eval->expr);
    } else if (const ReturnStmt* result = as<ReturnStmt>(node)) {
      for (const Expr* value : result->value) add(value);
    } else {
      children(node);
    }
  }

 private:
  void add(const Expr* value) {
    if (called_function(value) != nullptr) calls.push_back(value);
  }
};

}  // namespace

std::vector<const Expr*> function_calls(const Function* function) {
  CallWalk walk;
  walk.walk(function->body);
  return std::move(walk.calls);
}

std::vector<const Function*> callees_first(const Program* program) {
  struct Frame {
    const Function* function;
    std::vector<const Function*> callees;
    size_t next = 0;
  };
  auto enter = [&](const Function* f) {
    Frame frame{f, {}, 0};
    for (const Expr* call : function_calls(f))
      if (const Function* callee = program->find(called_function(call))) frame.callees.push_back(callee);
    return frame;
  };
  std::vector<const Function*> out;
  std::vector<bool> met(program->by_op.size(), false);  // by Op::function
  auto meet = [&](uint32_t number) {
    const bool first = !met[number];
    met[number] = true;
    return first;
  };
  for (size_t i = 0; i < program->functions.size(); ++i) {
    const Function* root = program->functions[i];
    if (!meet(program->op_numbers[i])) continue;
    std::vector<Frame> stack = {enter(root)};
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == top.callees.size()) {
        out.push_back(top.function);
        stack.pop_back();
      } else if (const Function* callee = top.callees[top.next++]; meet(callee->op->function)) {
        stack.push_back(enter(callee));
      }
    }
  }
  return out;
}

}  // namespace pyptoc::passes
