// SPDX-License-Identifier: Apache-2.0
// Checkers of the properties that the HOST passes ensure.
#include <fmt/format.h>

#include "ir/op_table.h"
#include "ir/walker.h"
#include "passes/call_graph.h"
#include "passes/property_checks.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

void add(Findings& findings, const Function* f, const std::string& what) {
  if (findings.size() < kMaxFindings) findings.push_back(fmt::format("`{}`: {}", f->name, what));
}

const Call* operator_call(const Node* node, OpId id) {
  const Call* call = as<Call>(node);
  return call != nullptr && !call->op->is_global_var && call->op->id == id ? call : nullptr;
}

// The slots of the enclosing domains stand for one allocation each, and views name the slot of theirs.
class DomainCheck : public Walker {
 public:
  DomainCheck(const Function* f, Findings& findings) : function_(f), findings_(findings) {
    walk(f->body);
    for (const Var* base : allocated_)
      if (!slots_.contains(base))
        add(findings_, function_, fmt::format("allocation `{}` has no slot", base->name_hint));
  }

 protected:
  void visit(const Node* node) override {
    if (const CommDomainScopeStmt* domain = as<CommDomainScopeStmt>(node))
      for (const Var* slot : domain->slots)
        if (!slots_.insert(as<WindowBuffer>(slot)->base, slot))
          add(findings_, function_, fmt::format("`{}` has two slots", as<WindowBuffer>(slot)->base->name_hint));
    if (const AssignStmt* assign = as<AssignStmt>(node)) assignment(assign);
    if (is_stmt(node->kind)) children(node);
  }

 private:
  void assignment(const AssignStmt* assign) {
    if (operator_call(assign->value, OpId::PldTensorAllocWindowBuffer) != nullptr) allocated_.push_back(assign->var);
    const Call* view = operator_call(assign->value, OpId::PldTensorWindow);
    if (view == nullptr) return;
    const Var* const* slot = slots_.find(view->args[0]);
    if (slot == nullptr || as_tensor(assign->var->type)->window_buffer != *slot)
      add(findings_, function_, fmt::format("the type of view `{}` does not name its slot", assign->var->name_hint));
  }

  const Function* function_;
  Findings& findings_;
  NodeMap<const Var*> slots_;  // by their allocations
  std::vector<const Var*> allocated_;
};

template <class F>
class EachCall : public Walker {
 public:
  explicit EachCall(F f) : f_(std::move(f)) {}

 protected:
  void visit(const Node* node) override {
    f_(node);
    children(node);
  }

 private:
  F f_;
};

template <class F>
void for_each_expr(const Function* f, F each) {
  EachCall<F>(std::move(each)).walk(f->body);
}

size_t count_params(const Function* f, TypeKind kind) {
  size_t out = 0;
  for (const Var* param : f->params) out += param->type->kind == kind ? 1 : 0;
  return out;
}

}  // namespace

void check_CommDomainScopesMaterialized(const Program* program, Findings& findings) {
  for (const Function* f : program->functions)
    if (is_host_orchestrator(f)) DomainCheck(f, findings);
}

void check_HostCollectivesLowered(const Program* program, Findings& findings) {
  for (const Function* f : program->functions) {
    if (!is_host_orchestrator(f)) continue;
    for_each_expr(f, [&](const Node* node) {
      const Call* call = as<Call>(node);
      if (call == nullptr || call->op->is_global_var) return;
      if (is_collective(call->op->id)) add(findings, f, fmt::format("has a call of `{}`", call->op->name));
      if (is_builtin(call->op->id) &&
          (find_attr(call->attrs, "device") == nullptr || find_attr(call->attrs, "arg_directions") == nullptr))
        add(findings, f, fmt::format("a call of `{}` lacks its device or directions", call->op->name));
    });
  }
}

void check_DistTensorCtxMaterialized(const Program* program, Findings& findings) {
  if (!program->contents.has(Content::Window)) return;
  for (const Function* f : program->functions) {
    bool on_host = is_host_orchestrator(f);
    if (is_kernel(f) && count_params(f, TypeKind::DistributedTensorType) == 0 &&
        count_params(f, TypeKind::CommCtxType) == 0)
      continue;  // it has no window, and calls nothing
    size_t contexts = count_params(f, TypeKind::CommCtxType);
    if (!on_host && contexts != count_params(f, TypeKind::DistributedTensorType))
      add(findings, f, fmt::format("has {} context parameters for its windows", contexts));
    for_each_expr(f, [&](const Node* node) {
      if (!on_host && operator_call(node, OpId::PldSystemGetCommCtx) != nullptr)
        add(findings, f, "asks for a context that is a parameter");
      const Op* callee = called_function(node);
      const Function* called = callee != nullptr ? program->find(callee) : nullptr;
      if (called == nullptr) return;
      size_t given = 0;
      for (const Expr* arg : call_args(node)) given += arg->type->kind == TypeKind::CommCtxType ? 1 : 0;
      if (given != count_params(called, TypeKind::CommCtxType))
        add(findings, f, fmt::format("a call of `{}` passes {} contexts", called->name, given));
    });
  }
}

}  // namespace pyptoc::passes
