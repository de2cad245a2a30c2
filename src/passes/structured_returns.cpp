// SPDX-License-Identifier: Apache-2.0
// Early returns become assignments of result variables.
#include "passes/structured_returns.h"

#include "diag/codes_front.h"
#include "ir/walker.h"
#include "passes/exit_lowering.h"
#include "passes/exit_placeholders.h"
#include "passes/trailing_yield.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// The returns of a body, and those inside of loops.
class Returns : public Walker {
 public:
  explicit Returns(const Stmt* body) { walk(body); }
  std::vector<const ReturnStmt*> all;
  std::vector<const ReturnStmt*> in_loops;

 protected:
  void visit(const Node* node) override {
    if (is_expr(node->kind)) return;
    if (const ReturnStmt* found = as<ReturnStmt>(node)) {
      all.push_back(found);
      if (loops_ > 0) in_loops.push_back(found);
    }
    bool loop = node->kind == NodeKind::ForStmt || node->kind == NodeKind::WhileStmt;
    loops_ += loop ? 1 : 0;
    children(node);
    loops_ -= loop ? 1 : 0;
  }

 private:
  int loops_ = 0;
};

bool stands_at_end(const Stmt* body, const ReturnStmt* wanted) {
  while (body != nullptr && body != wanted) {
    if (const SeqStmts* seq = as<SeqStmts>(body))
      body = seq->stmts.empty() ? nullptr : seq->stmts.back();
    else if (const ScopeStmt* scope = as<ScopeStmt>(body))
      body = scope->body;
    else
      body = nullptr;
  }
  return body == wanted;
}

class ReturnLowering : public ExitLowering {
 public:
  ReturnLowering(PassContext& context, const ReturnStmt* like) : ExitLowering(context.ir), context_(context) {
    for (const Expr* value : like->value) results_.push_back(context.ir.var("result", value->type, like->span));
  }

  const Function* run(const Function* f, const ReturnStmt* last) {
    if (!results_.empty() && flow(f->body) != Flow::Exits)
      context_.diags.report(diag::codes::missing_return, place_of(f), f->name);
    Region region;
    std::vector<const Stmt*> body = lower_region(f->body, {}, region);
    ReturnStmt draft = *last;
    draft.leading_comments = {};
    draft.value = context_.ir.list(std::vector<const Expr*>(results_.begin(), results_.end()));
    if (!results_.empty()) body.push_back(context_.ir.make(draft));
    Function out = *f;
    out.body = context_.ir.seq(body, f->body->span);
    return context_.ir.make(out);
  }

 protected:
  bool is_exit(const Stmt* s) const override { return s->kind == NodeKind::ReturnStmt; }
  void replace_exit(const Stmt* exit, std::vector<const Stmt*>& out) override {
    const ReturnStmt* s = as<ReturnStmt>(exit);
    if (s->value.size() != results_.size()) {
      context_.diags.report(diag::codes::missing_return, place_of(s), "this function");
      return;
    }
    assign_all(context_.ir, context_.ir.list(results_), s->value, s, out);
  }
  bool may_leave(const ScopeStmt* scope, const Stmt* exit) override {
    if (scope->kind == NodeKind::RuntimeScopeStmt) return true;
    context_.diags.report(diag::codes::jump_out_of_scope, place_of(exit), "return", name_of(scope->kind));
    return false;
  }

 private:
  PassContext& context_;
  std::vector<const Var*> results_;
};

}  // namespace

const Function* structure_returns(const Function* function, PassContext& context) {
  Returns returns(function->body);
  for (const ReturnStmt* s : returns.in_loops) context.diags.report(diag::codes::return_in_loop, place_of(s));
  if (returns.all.empty() || !returns.in_loops.empty()) return function;
  if (returns.all.size() == 1 && stands_at_end(function->body, returns.all.front())) return function;
  return with_placeholders(function, ReturnLowering(context, returns.all.front()).run(function, returns.all.back()),
                           context);
}

}  // namespace pyptoc::passes
