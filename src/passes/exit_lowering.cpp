// SPDX-License-Identifier: Apache-2.0
// Moves what follows an exit into the branch that does not take it.
#include "passes/exit_lowering.h"

#include "passes/trailing_yield.h"

namespace pyptoc::passes {

using namespace ir;

ExitLowering::Flow ExitLowering::flow(const Stmt* s) {
  if (s == nullptr) return Flow::Falls;
  if (const Flow* known = flows_.find(s)) return *known;
  DepthGuard guard(nesting_);
  Flow result = Flow::Falls;
  if (is_exit(s)) {
    result = Flow::Exits;
  } else if (const SeqStmts* seq = as<SeqStmts>(s)) {
    for (const Stmt* one : seq->stmts) {
      Flow f = flow(one);
      if (f != Flow::Falls && result != Flow::Exits) result = f;
    }
  } else if (const IfStmt* branch = as<IfStmt>(s)) {
    Flow then_flow = flow(branch->then_body);
    Flow else_flow = flow(branch->else_body);
    result = then_flow == else_flow ? then_flow : Flow::May;
  } else if (const ScopeStmt* scope = as<ScopeStmt>(s)) {
    result = flow(scope->body);
  }
  flows_[s] = result;
  return result;
}

std::vector<const Stmt*> ExitLowering::lower_region(const Stmt* body, List<const Var*> targets, Region& region) {
  Region* outer = region_;
  region_ = &region;
  std::vector<const Stmt*> out;
  std::vector<const Stmt*> one{body};
  Rest rest{context().list(one), targets, nullptr};
  lower(&rest, out);
  if (region.made_left) out.insert(out.begin(), assign_bool(region.left, false, body->span));
  region_ = outer;
  return out;
}

bool ExitLowering::is_empty(const Rest* rest) {
  for (; rest != nullptr; rest = rest->next)
    if (!rest->stmts.empty()) return false;
  return true;
}

void ExitLowering::lower(const Rest* rest, std::vector<const Stmt*>& out) {
  DepthGuard guard(nesting_);
  for (; rest != nullptr; rest = rest->next) {
    for (size_t i = 0; i < rest->stmts.size(); ++i) {
      Rest tail{rest->stmts.subspan(i + 1), rest->targets, rest->next};
      if (!lower_one(rest->stmts[i], rest->targets, &tail, out)) return;
    }
  }
}

// False when `tail` was dealt with too.
bool ExitLowering::lower_one(const Stmt* s, List<const Var*> targets, const Rest* tail, std::vector<const Stmt*>& out) {
  if (const YieldStmt* yield = as<YieldStmt>(s); yield != nullptr && !targets.empty()) {
    std::vector<const Expr*> values;
    for (const Expr* value : yield->value) values.push_back(expr(value));
    assign_all(context(), targets, context().list(values), s, out);
    return true;
  }
  Flow f = flow(s);
  if (const SeqStmts* seq = as<SeqStmts>(s); seq != nullptr && (f != Flow::Falls || !targets.empty())) {
    Rest all{seq->stmts, targets, tail};
    lower(&all, out);
    return false;
  }
  if (f == Flow::Falls) {
    if (!targets.empty() && is_transparent_scope(s) && trailing_yield(s) != nullptr) {
      lower_scope(static_cast<const ScopeStmt*>(s), targets, out);
      return true;
    }
    const Stmt* now = stmt(s);
    const SeqStmts* many = as<SeqStmts>(now);
    if (many != nullptr && many->leading_comments.empty())
      out.insert(out.end(), many->stmts.begin(), many->stmts.end());
    else
      out.push_back(now);
    return true;
  }
  if (is_exit(s)) {
    replace_exit(s, out);
    if (region_->made_left) out.push_back(assign_bool(region_->left, true, s->span));
    return false;
  }
  if (const IfStmt* branch = as<IfStmt>(s)) {
    lower_if(branch, f == Flow::Exits ? nullptr : tail, out);
    return false;
  }
  const ScopeStmt* scope = as<ScopeStmt>(s);
  PYPTOC_ASSERT(scope != nullptr, "an exit in a statement of another kind");
  if (!may_leave(scope, first_exit(s))) return false;
  bool skips = f == Flow::May && !is_empty(tail);
  if (skips && region_->left == nullptr) {
    region_->left = context().var("left", context().scalar_type(DType::Bool), s->span);
    region_->made_left = true;
  }
  lower_scope(scope, targets, out);
  if (skips) skip_unless_left(tail, s->span, out);
  return false;
}

void ExitLowering::lower_if(const IfStmt* s, const Rest* tail, std::vector<const Stmt*>& out) {
  bool then_exits = flow(s->then_body) == Flow::Exits;
  bool else_exits = flow(s->else_body) == Flow::Exits;
  bool skips = !then_exits && !else_exits && !is_empty(tail);
  if (skips && region_->left == nullptr) {
    region_->left = context().var("left", context().scalar_type(DType::Bool), s->span);
    region_->made_left = true;
  }
  IfStmt draft = *s;
  draft.condition = expr(s->condition);
  draft.return_vars = {};  // they are assigned instead
  draft.then_body = lower_branch(s->then_body, s->return_vars, skips || then_exits ? nullptr : tail, s->span);
  draft.else_body = lower_branch(s->else_body, s->return_vars, skips || else_exits ? nullptr : tail, s->span);
  const SeqStmts* nothing = as<SeqStmts>(draft.else_body);
  if (nothing != nullptr && nothing->stmts.empty()) draft.else_body = nullptr;
  out.push_back(context().make(draft));
  if (skips) skip_unless_left(tail, s->span, out);
}

const Stmt* ExitLowering::lower_branch(const Stmt* body, List<const Var*> targets, const Rest* tail, const Span* span) {
  std::vector<const Stmt*> one;
  if (body != nullptr) one.push_back(body);
  Rest rest{context().list(one), targets, tail};
  std::vector<const Stmt*> out;
  lower(&rest, out);
  return context().seq(out, body != nullptr ? body->span : span);
}

void ExitLowering::lower_scope(const ScopeStmt* s, List<const Var*> targets, std::vector<const Stmt*>& out) {
  const Stmt* made = dispatch(s, [&](const auto& scope) -> const Stmt* {
    using S = std::remove_cvref_t<decltype(scope)>;
    if constexpr (std::is_base_of_v<ScopeStmt, S>) {
      S draft = scope;
      rewrite_attrs(draft.attrs);
      draft.body = lower_branch(scope.body, targets, nullptr, scope.span);
      return context().make(draft);
    } else {
      PYPTOC_UNREACHABLE("a scope of another kind");
    }
  });
  out.push_back(made);
}

void ExitLowering::skip_unless_left(const Rest* tail, const Span* span, std::vector<const Stmt*>& out) {
  std::vector<const Stmt*> body;
  lower(tail, body);
  if (!body.empty()) out.push_back(guarded(negated(region_->left, span), std::move(body), span));
}

const Stmt* ExitLowering::assign_bool(const Var* var, bool value, const Span* span) {
  return context().assign(var, context().const_bool(value, span), span);
}

const Expr* ExitLowering::negated(const Expr* e, const Span* span) {
  return context().unary(NodeKind::Not, e, context().scalar_type(DType::Bool), span);
}

const Stmt* ExitLowering::guarded(const Expr* condition, std::vector<const Stmt*> body, const Span* span) {
  IfStmt draft;
  draft.kind = NodeKind::IfStmt;
  draft.span = span;
  draft.condition = condition;
  draft.then_body = context().seq(body, span);
  return context().make(draft);
}

const Stmt* ExitLowering::first_exit(const Stmt* s) {
  const Stmt* found = nullptr;
  for_each_child(s, [&](const Node* child) {
    if (found != nullptr || !is_stmt(child->kind)) return;
    const Stmt* one = static_cast<const Stmt*>(child);
    if (is_exit(one))
      found = one;
    else if (flow(one) != Flow::Falls)
      found = first_exit(one);
  });
  return found;
}

}  // namespace pyptoc::passes
