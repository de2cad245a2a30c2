// SPDX-License-Identifier: Apache-2.0
// Lowers the jumps of each loop, inner loops on their own.
#include "passes/ctrl_flow_transform.h"

#include "diag/codes_front.h"
#include "ir/contains.h"
#include "ir/map_functions.h"
#include "ir/walker.h"
#include "passes/exit_lowering.h"
#include "passes/exit_placeholders.h"
#include "passes/integer_arithmetic.h"
#include "passes/leading_comments.h"
#include "passes/structured_returns.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

bool is_jump(const Stmt* s) {
  return s->kind == NodeKind::BreakStmt || s->kind == NodeKind::ContinueStmt;
}
std::string_view jump_name(const Stmt* s) {
  return s->kind == NodeKind::BreakStmt ? "break" : "continue";
}

// Whether a body has jumps that belong to the loop around it.
class JumpScan : public Walker {
 public:
  explicit JumpScan(const Stmt* body) { walk(body); }
  bool breaks = false;
  bool continues = false;
  bool any() const { return breaks || continues; }

 protected:
  void visit(const Node* node) override {
    if (is_expr(node->kind) || node->kind == NodeKind::ForStmt || node->kind == NodeKind::WhileStmt) return;
    breaks |= node->kind == NodeKind::BreakStmt;
    continues |= node->kind == NodeKind::ContinueStmt;
    children(node);
  }
};

bool assigns(const Stmt* body, const Var* var) {
  return contains_statement(body, [&](const Node* node) {
    const AssignStmt* assign = as<AssignStmt>(node);
    return assign != nullptr && assign->var == var;
  });
}

bool has_jumps(const Function* f) {
  return contains_statement(f->body, [](const Node* node) { return is_jump(static_cast<const Stmt*>(node)); });
}

class JumpLowering : public ExitLowering {
 public:
  explicit JumpLowering(PassContext& context) : ExitLowering(context.ir), context_(context) {}

 protected:
  using ExitLowering::rewrite;
  const Stmt* rewrite(const Stmt* s) override {
    if (is_jump(s)) {
      context_.diags.report(diag::codes::jump_outside_loop, place_of(s), jump_name(s));
      return nullptr;
    }
    const ForStmt* counted = as<ForStmt>(s);
    const WhileStmt* conditional = as<WhileStmt>(s);
    if (counted == nullptr && conditional == nullptr) return rebuild(s);
    JumpScan jumps(counted != nullptr ? counted->body : conditional->body);
    if (!jumps.any()) return rebuild(s);
    const Var* outer_stopped = stopped_;
    stopped_ = nullptr;
    const Stmt* result = counted != nullptr ? lower_for(counted, jumps) : lower_while(conditional, jumps);
    stopped_ = outer_stopped;
    return result;
  }

  bool is_exit(const Stmt* s) const override { return is_jump(s); }
  void replace_exit(const Stmt* exit, std::vector<const Stmt*>& out) override {
    if (exit->kind == NodeKind::BreakStmt) out.push_back(assign_bool(stopped_, true, exit->span));
  }
  bool may_leave(const ScopeStmt* scope, const Stmt* exit) override {
    if (scope->kind == NodeKind::RuntimeScopeStmt) return true;
    context_.diags.report(diag::codes::jump_out_of_scope, place_of(exit), jump_name(exit), name_of(scope->kind));
    return false;
  }

 private:
  // The initial values of what the loop carries, and the carries as variables from here on.
  void demote_carries(List<const Var*> iter_args, List<const Var*> return_vars, const Span* span,
                      std::vector<const Stmt*>& out) {
    std::vector<const Expr*> inits;
    for (const Var* arg : iter_args) inits.push_back(expr(as<IterArg>(arg)->init_value));
    for (size_t i = 0; i < iter_args.size() && i < return_vars.size(); ++i) {
      out.push_back(context().assign(return_vars[i], inits[i], span));
      substitute(iter_args[i], return_vars[i]);
    }
  }
  void make_flag(const Span* span, std::vector<const Stmt*>& out) {
    stopped_ = context().var("stopped", context().scalar_type(DType::Bool), span);
    out.push_back(assign_bool(stopped_, false, span));
  }
  const Expr* logical_and(const Expr* a, const Expr* b, const Span* span) {
    BinaryExpr draft;
    draft.kind = NodeKind::And;
    draft.span = span;
    draft.type = context().scalar_type(DType::Bool);
    draft.left = a;
    draft.right = b;
    return context().make(draft);
  }

  std::vector<const Stmt*> lower_body(const Stmt* body, List<const Var*> targets, const JumpScan& jumps) {
    Region region;
    // Where nothing but break leaves, its flag also tells what to skip.
    if (jumps.breaks && !jumps.continues) region.left = stopped_;
    return lower_region(body, targets, region);
  }

  const Stmt* lower_for(const ForStmt* loop, const JumpScan& jumps) {
    std::vector<const Stmt*> out;
    if (jumps.breaks && loop->for_kind == ForKind::Parallel)
      context_.diags.report(diag::codes::break_in_parallel_loop, place_of(loop));
    ForStmt draft = *loop;
    draft.start = expr(loop->start);
    draft.stop = expr(loop->stop);
    draft.step = expr(loop->step);
    rewrite_attrs(draft.attrs);
    demote_carries(loop->iter_args, loop->return_vars, loop->span, out);
    draft.iter_args = {};
    draft.return_vars = {};
    draft.leading_comments = {};
    if (jumps.breaks) make_flag(loop->span, out);
    std::optional<int64_t> step = constant_value(draft.step);
    bool counts = trip_count(draft.start, draft.stop, draft.step).has_value();
    if (!jumps.breaks || counts || !step || *step == 0 || loop->for_kind != ForKind::Sequential) {
      std::vector<const Stmt*> body = lower_body(loop->body, loop->return_vars, jumps);
      draft.body = context().seq(body, loop->body->span);
      if (jumps.breaks) draft.body = guarded(negated(stopped_, loop->span), std::move(body), loop->span);
      out.push_back(context().make(draft));
    } else {
      counted_while(loop, draft, *step > 0, jumps, out);
    }
    return seq_with_comments(context(), std::move(out), loop->leading_comments, loop->span);
  }

  void counted_while(const ForStmt* loop, const ForStmt& bounds, bool upwards, const JumpScan& jumps,
                     std::vector<const Stmt*>& out) {
    const Var* i = loop->loop_var;
    const Expr* stop = bounds.stop;
    if (!is_const(stop->kind)) {  // the body may assign what it is made of
      const Var* kept = context().var("stop", stop->type, stop->span);
      out.push_back(context().assign(kept, stop, loop->span));
      stop = kept;
    }
    std::vector<const Stmt*> body = lower_body(loop->body, loop->return_vars, jumps);
    if (assigns(loop->body, i)) {  // which does not change how the loop goes on
      i = context().var("next", i->type, i->span);
      body.insert(body.begin(), context().assign(loop->loop_var, i, loop->span));
    }
    out.push_back(context().assign(i, bounds.start, loop->span));
    body.push_back(
        context().assign(i, context().binary(NodeKind::Add, i, bounds.step, loop->step->span), loop->step->span));
    WhileStmt draft;
    draft.kind = NodeKind::WhileStmt;
    draft.span = loop->span;
    const Expr* more = context().binary(upwards ? NodeKind::Lt : NodeKind::Gt, i, stop, loop->span);
    draft.condition = logical_and(more, negated(stopped_, loop->span), loop->span);
    draft.body = context().seq(body, loop->body->span);
    out.push_back(context().make(draft));
  }

  const Stmt* lower_while(const WhileStmt* loop, const JumpScan& jumps) {
    std::vector<const Stmt*> out;
    demote_carries(loop->iter_args, loop->return_vars, loop->span, out);
    if (jumps.breaks) make_flag(loop->span, out);
    WhileStmt draft = *loop;
    draft.iter_args = {};
    draft.return_vars = {};
    draft.leading_comments = {};
    draft.condition = expr(loop->condition);
    draft.body = context().seq(lower_body(loop->body, loop->return_vars, jumps), loop->body->span);
    if (jumps.breaks)
      draft.condition = logical_and(draft.condition, negated(stopped_, loop->span), loop->condition->span);
    out.push_back(context().make(draft));
    return seq_with_comments(context(), std::move(out), loop->leading_comments, loop->span);
  }

  PassContext& context_;
  const Var* stopped_ = nullptr;  // the flag of the innermost loop that has a break
};

}  // namespace

const Program* ctrl_flow_transform(const Program* program, PassContext& context) {
  return map_functions(program, context.ir, [&](const Function* f) {
    const Function* now = structure_returns(f, context);
    return has_jumps(now) ? with_placeholders(now, JumpLowering(context).function(now), context) : now;
  });
}

}  // namespace pyptoc::passes
