// SPDX-License-Identifier: Apache-2.0
#include "passes/start_values.h"

#include <algorithm>

#include "ir/rewriter.h"
#include "ir/walker.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

constexpr int kMaxChain = 1000;

// Every variable that some statement defines, and the values of scalar assignments.
class Definitions : public Walker {
 public:
  Definitions(NodeSet& defined, NodeMap<const Expr*>& values) : defined_(defined), values_(values) {}

 protected:
  void visit(const Node* node) override {
    if (!is_stmt(node->kind)) return;
    dispatch(node, [&](const auto& n) {
      using S = std::remove_cvref_t<decltype(n)>;
      for_each_field<S>([&](const auto& described) {
        if (!described.defines) return;
        for_each_node_in(n.*(described.member), [&](const Node* var) { defined_.insert(var); });
      });
    });
    const AssignStmt* assign = as<AssignStmt>(node);
    if (assign != nullptr && as_scalar(assign->var->type) != nullptr) values_[assign->var] = assign->value;
    children(node);
  }

 private:
  NodeSet& defined_;
  NodeMap<const Expr*>& values_;
};

// Calls f(var) for each variable in an expression, and g() for a call whose value is not known at the start.
template <class F, class G>
class Inputs {
 public:
  Inputs(const NodeSet& params, F f, G g) : params_(params), f_(f), g_(g) {}
  void visit(const Expr* e) {
    DepthGuard guard(depth_);
    if (const Var* var = as<Var>(e)) return f_(var);
    if (is_start_call(e)) return;
    if (e->kind == NodeKind::Call || e->kind == NodeKind::Submit) g_();
    for_each_child(e, [&](const Node* child) {
      if (is_expr(child->kind)) visit(static_cast<const Expr*>(child));
    });
  }

 private:
  bool is_start_call(const Expr* e) const {
    const Call* call = as<Call>(e);
    if (call == nullptr) return false;
    if (call->op->id == OpId::PldSystemWorldSize) return true;
    return call->op->id == OpId::TensorDim && params_.contains(call->args[0]) && is<ConstInt>(call->args[1]);
  }

  const NodeSet& params_;
  F f_;
  G g_;
  int depth_ = 0;
};
template <class F, class G>
void for_each_input(const Expr* e, const NodeSet& params, F f, G g) {
  Inputs<F, G>(params, f, g).visit(e);
}

class Remover : public Rewriter {
 public:
  Remover(Context& context, const NodeSet& gone) : Rewriter(context), gone_(gone) {}

 protected:
  const Expr* rewrite(const Expr* e) override { return e; }
  const Stmt* rewrite(const Stmt* s) override {
    if (gone_.contains(s)) return nullptr;
    bool descends = s->kind == NodeKind::SeqStmts || s->kind == NodeKind::CommDomainScopeStmt;
    return descends ? rebuild(s) : s;
  }

 private:
  const NodeSet& gone_;
};

}  // namespace

StartValues::StartValues(const Function* function) {
  for (const Var* param : function->params) params_.insert(param);
  Definitions(defined_, values_).walk(function->body);
  collect(function->body);
}

void StartValues::collect(const Stmt* s) {
  DepthGuard guard(depth_);
  if (const SeqStmts* seq = as<SeqStmts>(s)) {
    for (const Stmt* one : seq->stmts) collect(one);
  } else if (const CommDomainScopeStmt* domain = as<CommDomainScopeStmt>(s)) {
    collect(domain->body);
  } else if (const AssignStmt* assign = as<AssignStmt>(s);
             assign != nullptr && as_scalar(assign->var->type) != nullptr) {
    Definition definition{assign, next_++, true, false};
    for_each_input(
        assign->value, params_, [&](const Var* var) { definition.known = definition.known && is_known(var); },
        [&] { definition.known = false; });
    always_[assign->var] = definition;
  }
}

bool StartValues::is_known(const Var* var) const {
  // An extent without a definition is a symbol.
  if (params_.contains(var)) return as_scalar(var->type) != nullptr;
  if (!defined_.contains(var)) return true;
  const Definition* definition = always_.find(var);
  return definition != nullptr && definition->known;
}

const Var* StartValues::unknown_in(const Expr* e) const {
  const Var* unknown = nullptr;
  for_each_input(
      e, params_,
      [&](const Var* var) {
        if (unknown == nullptr && !is_known(var)) unknown = var;
      },
      [] {});
  return unknown;
}

void StartValues::need(const Expr* e) {
  std::vector<const Expr*> work = {e};
  while (!work.empty()) {
    const Expr* next = work.back();
    work.pop_back();
    auto visit = [&](const Var* var) {
      Definition* definition = always_.find(var);
      if (definition == nullptr || !definition->known || definition->needed) return;
      definition->needed = true;
      needed_.push_back(var);
      work.push_back(definition->at->value);
    };
    for_each_input(next, params_, visit, [] {});
  }
}

const Expr* StartValues::value_of(const Var* var) const {
  const Expr* const* value = values_.find(var);
  return value != nullptr ? *value : nullptr;
}

const Expr* StartValues::resolve(const Expr* e) const {
  // Longer chains, and rings, which only programs that are not in SSA form have, end somewhere.
  for (int step = 0; step < kMaxChain; ++step) {
    const UnaryExpr* cast = as<UnaryExpr>(e);
    if (cast != nullptr && cast->kind == NodeKind::Cast && as_scalar(cast->operand->type) != nullptr &&
        is_integer(as_scalar(cast->operand->type)->dtype) && is_integer(as_scalar(cast->type)->dtype)) {
      e = cast->operand;
      continue;
    }
    const Expr* const* value = is_var(e->kind) ? values_.find(e) : nullptr;
    if (value == nullptr) return e;
    e = *value;
  }
  return e;
}

const Function* StartValues::with_beginning(const Function* function, Context& context,
                                            const std::vector<const Stmt*>& stmts) const {
  if (needed_.empty() && stmts.empty()) return function;
  std::vector<const Var*> moved = needed_;
  std::sort(moved.begin(), moved.end(),
            [&](const Var* a, const Var* b) { return always_.find(a)->order < always_.find(b)->order; });
  NodeSet gone;
  std::vector<const Stmt*> body;
  for (const Var* var : moved) {
    body.push_back(always_.find(var)->at);
    gone.insert(body.back());
  }
  body.insert(body.end(), stmts.begin(), stmts.end());
  body.push_back(Remover(context, gone).stmt(function->body));
  Function draft = *function;
  draft.body = context.seq(body, function->body->span);
  return context.make(draft);
}

}  // namespace pyptoc::passes
