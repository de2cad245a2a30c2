// SPDX-License-Identifier: Apache-2.0
// Finds and replaces the yield at the end of a body.
#include "passes/trailing_yield.h"

#include <algorithm>

#include "ir/contains.h"
#include "passes/leading_comments.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

const ScopeStmt* transparent(const Stmt* stmt) {
  return is_transparent_scope(stmt) ? static_cast<const ScopeStmt*>(stmt) : nullptr;
}

const Stmt* with_body(Context& context, const ScopeStmt* scope, const Stmt* body) {
  if (const RuntimeScopeStmt* runtime = as<RuntimeScopeStmt>(scope)) {
    RuntimeScopeStmt draft = *runtime;
    draft.body = body;
    return context.make(draft);
  }
  SplitAivScopeStmt draft = *as<SplitAivScopeStmt>(scope);
  draft.body = body;
  return context.make(draft);
}

const Stmt* make_yield(Context& context, const std::vector<const Expr*>& values, const Stmt* at) {
  YieldStmt draft;
  draft.kind = NodeKind::YieldStmt;
  draft.span = at->span;
  if (const YieldStmt* old = as<YieldStmt>(at)) draft.leading_comments = old->leading_comments;
  draft.value = context.list(values);
  return context.make(draft);
}

}  // namespace

const YieldStmt* trailing_yield(const Stmt* body) {
  while (body != nullptr) {
    if (const YieldStmt* yield = as<YieldStmt>(body)) return yield;
    if (const ScopeStmt* scope = transparent(body)) {
      body = scope->body;
    } else if (const SeqStmts* seq = as<SeqStmts>(body); seq != nullptr && !seq->stmts.empty()) {
      body = seq->stmts.back();
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

const Stmt* with_trailing_yield(Context& context, const Stmt* body, const std::vector<const Expr*>& values,
                                const std::vector<const Stmt*>& before) {
  if (const ScopeStmt* scope = transparent(body))
    return with_body(context, scope, with_trailing_yield(context, scope->body, values, before));
  std::vector<const Stmt*> stmts;
  if (const SeqStmts* seq = as<SeqStmts>(body))
    stmts.assign(seq->stmts.begin(), seq->stmts.end());
  else
    stmts.push_back(body);
  const Stmt* last = stmts.empty() ? nullptr : stmts.back();
  if (last != nullptr && !is<YieldStmt>(last) && trailing_yield(last) != nullptr) {
    stmts.back() = with_trailing_yield(context, last, values, before);
    return context.seq(stmts, body->span);
  }
  if (is<YieldStmt>(last)) stmts.pop_back();
  stmts.insert(stmts.end(), before.begin(), before.end());
  if (!values.empty()) stmts.push_back(make_yield(context, values, is<YieldStmt>(last) ? last : body));
  return context.seq(stmts, body->span);
}

void assign_all(Context& context, List<const Var*> targets, List<const Expr*> values, const Stmt* at,
                std::vector<const Stmt*>& out) {
  PYPTOC_ASSERT(targets.size() == values.size(), "a yield of another number of values");
  std::vector<const Stmt*> made;
  std::vector<const Expr*> sources(values.begin(), values.end());
  const auto is_target = [&](const Node* node) { return std::ranges::find(targets, node) != targets.end(); };
  const auto reads_target = [&](const Expr* value) { return contains(value, is_target); };
  if (values.size() > 1 && std::ranges::any_of(values, reads_target)) {
    for (const Expr*& source : sources) {
      const Var* kept = context.var("next", source->type, source->span);
      made.push_back(context.assign(kept, source, at->span));
      source = kept;
    }
  }
  for (size_t i = 0; i < targets.size(); ++i)
    if (sources[i] != targets[i]) made.push_back(context.assign(targets[i], sources[i], at->span));
  if (!made.empty()) made[0] = with_comments(context, made[0], at->leading_comments);
  out.insert(out.end(), made.begin(), made.end());
}

}  // namespace pyptoc::passes
