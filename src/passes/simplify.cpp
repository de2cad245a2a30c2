// SPDX-License-Identifier: Apache-2.0
// Folds on one walk from top to bottom; what that leaves unused goes afterwards.
#include "passes/simplify.h"

#include "diag/codes_front.h"
#include "ir/map_functions.h"
#include "ir/rewriter.h"
#include "passes/folded_windows.h"
#include "passes/leading_comments.h"
#include "passes/simplify_dead.h"
#include "passes/simplify_fold.h"
#include "passes/trailing_yield.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// The start of a loop of one iteration takes the place of its variable when it has at most so many nodes; otherwise it
// is assigned, since nested loops would multiply it.
constexpr int kMaxCopiedNodes = 16;

int count_nodes(const Expr* e, int limit) {
  int count = 1;
  if (is_var(e->kind)) return count;
  for_each_child(e, [&](const Node* child) {
    if (count < limit && is_expr(child->kind)) count += count_nodes(static_cast<const Expr*>(child), limit - count);
  });
  return count;
}

class Simplifier : public Rewriter {
 public:
  explicit Simplifier(PassContext& context)
      : Rewriter(context.ir, true), context_(context), folder_(context, bounds_) {}

 private:
  // Runs inside of a branch or loop.
  template <class F>
  auto nested(F&& f) {
    ++nesting_;
    auto result = f();
    --nesting_;
    return result;
  }

 protected:
  const Expr* rewrite(const Expr* e) override {
    if (is_var(e->kind) || is_const(e->kind)) return e;
    const Expr* now = rebuild(e);
    if (const BinaryExpr* binary = as<BinaryExpr>(now)) return folder_.fold(binary);
    if (const UnaryExpr* unary = as<UnaryExpr>(now)) return folder_.fold(unary);
    if (const TupleGetItemExpr* item = as<TupleGetItemExpr>(now)) return fold_item(item);
    return now;
  }

  const Stmt* rewrite(const Stmt* s) override {
    switch (s->kind) {
      case NodeKind::AssignStmt:
        return simplify_assign(as<AssignStmt>(s));
      case NodeKind::IfStmt:
        return simplify_if(as<IfStmt>(s));
      case NodeKind::ForStmt:
        return simplify_for(as<ForStmt>(s));
      case NodeKind::WhileStmt:
        return simplify_while(as<WhileStmt>(s));
      case NodeKind::SpmdScopeStmt:
        return nested([&] { return rebuild(s); });
      default:
        return rebuild(s);
    }
  }

 private:
  // ---- Values

  const Expr* fold_item(const TupleGetItemExpr* e) {
    const MakeTuple* tuple = as<MakeTuple>(e->tuple);
    if (tuple == nullptr)
      if (const MakeTuple* const* known = tuples_.find(e->tuple)) tuple = *known;
    if (tuple == nullptr || e->index < 0 || static_cast<size_t>(e->index) >= tuple->elements.size()) return e;
    const Expr* element = tuple->elements[static_cast<size_t>(e->index)];
    return is_name(element) ? element : e;
  }
  static bool is_name(const Expr* e) { return is_var(e->kind) || is_const(e->kind); }

  const Stmt* simplify_assign(const AssignStmt* s) {
    const Expr* value = expr(s->value);
    if (is<TupleGetItemExpr>(s->value) && is_var(value->kind)) {
      substitute(s->var, value);
      return nullptr;
    }
    AssignStmt draft = *s;
    draft.value = value;
    draft.var = define(s->var);
    if (const ScalarType* type = as_scalar(draft.var->type)) note_scalar(s->var, draft.var, value, type->dtype);
    if (const MakeTuple* tuple = as<MakeTuple>(value)) tuples_[draft.var] = tuple;
    return draft.value == s->value && draft.var == s->var ? s : context().make(draft);
  }

  void note_scalar(const Var* old_var, const Var* var, const Expr* value, DType dtype) {
    if (is_const(value->kind) && nesting_ == 0) {
      substitute(old_var, of_type(value, dtype));
    } else if (is_integer(dtype)) {
      const Var* copied = as<Var>(value);
      if (copied != nullptr && is_scalar_of(copied->type, dtype)) bounds_.is_copy(var, copied);
      bounds_.restrict_to(var, bounds_.of(value));
    }
  }
  // The constant with the type of the variable that it was assigned to.
  const Expr* of_type(const Expr* value, DType dtype) {
    const ConstInt* number = as<ConstInt>(value);
    if (number == nullptr || is_scalar_of(value->type, dtype) || !is_integer(dtype)) return value;
    return context().const_int(number->value, dtype, value->span);
  }

  // From here on `var` is `value`; by an assignment in `out` where it cannot be replaced.
  void make_name(const Var* var, const Expr* value, const Span* span, bool any_scalar, std::vector<const Stmt*>& out) {
    bool copied = any_scalar && as_scalar(value->type) != nullptr && is_pure(value) &&
                  count_nodes(value, kMaxCopiedNodes + 1) <= kMaxCopiedNodes;
    if (is_name(value) || copied) {
      substitute(var, value);
      return;
    }
    const Var* made =
        var->kind == NodeKind::Var ? Rewriter::define(var) : context().var(var->name_hint, type(var->type), var->span);
    if (made != var) substitute(var, made);
    out.push_back(context().assign(made, value, span));
  }

  // ---- Branches

  const Stmt* simplify_if(const IfStmt* s) {
    IfStmt draft = *s;
    draft.condition = expr(s->condition);
    if (const ConstBool* known = as<ConstBool>(draft.condition)) return splice(s, known->value);
    nested([&] {
      size_t mark = bounds_.mark();
      bounds_.assume(draft.condition, true);
      draft.then_body = stmt(s->then_body);
      bounds_.forget_since(mark);
      bounds_.assume(draft.condition, false);
      if (s->else_body != nullptr) draft.else_body = stmt(s->else_body);
      bounds_.forget_since(mark);
      return 0;
    });
    bool changed = define_all(draft.return_vars);
    bool same = !changed && draft.condition == s->condition && draft.then_body == s->then_body &&
                draft.else_body == s->else_body;
    return same ? s : context().make(draft);
  }

  // The branch that runs, in place of the if.
  const Stmt* splice(const IfStmt* s, bool condition) {
    const Stmt* kept = condition ? s->then_body : s->else_body;
    std::vector<const Stmt*> out;
    if (kept != nullptr) lift(stmt(kept), s->return_vars, s->span, out);
    return seq_with_comments(context(), std::move(out), s->leading_comments, s->span);
  }

  // `body` in the list around it; what it yields are the results.
  void lift(const Stmt* body, List<const Var*> results, const Span* span, std::vector<const Stmt*>& out) {
    const YieldStmt* yield = trailing_yield(body);
    if (yield == nullptr || yield->value.size() != results.size()) {
      out.push_back(body);
      return;
    }
    out.push_back(with_trailing_yield(context(), body, {}));
    for (size_t i = 0; i < results.size(); ++i) make_name(results[i], yield->value[i], span, false, out);
  }

  bool define_all(List<const Var*>& vars) {
    std::vector<const Var*> out;
    bool changed = false;
    for (const Var* var : vars) {
      out.push_back(define(var));
      changed |= out.back() != var;
    }
    if (changed) vars = context().list(out);
    return changed;
  }

  // ---- Loops

  const Stmt* simplify_for(const ForStmt* s) {
    ForStmt draft = *s;
    draft.start = expr(s->start);
    draft.stop = expr(s->stop);
    draft.step = expr(s->step);
    if (const_int(draft.step) == 0) {
      context_.diags.report(diag::codes::constant_step_zero, place_of(s));
      return s;
    }
    bool changed = rewrite_attrs(draft.attrs);
    std::optional<int64_t> trips = known_trips(draft);
    if (trips == 0) return never_runs(s, s->iter_args, s->return_vars);
    if (trips == 1 && s->for_kind == ForKind::Sequential && s->attrs.empty()) return runs_once(s, draft.start);
    changed |= define_all(draft.iter_args);
    draft.loop_var = define(s->loop_var);
    size_t mark = bounds_.mark();
    bound_loop_var(draft);
    draft.body = nested([&] { return stmt(s->body); });
    bounds_.forget_since(mark);
    changed |= define_all(draft.return_vars);
    bool same = !changed && draft.start == s->start && draft.stop == s->stop && draft.step == s->step &&
                draft.loop_var == s->loop_var && draft.body == s->body;
    return same ? s : context().make(draft);
  }

  // 0, 1 or unknown.
  std::optional<int64_t> known_trips(const ForStmt& loop) {
    Interval step = bounds_.of(loop.step);
    if (step.low <= 0 && step.high >= 0) return std::nullopt;
    Interval distance = bounds_.of_difference(loop.stop, loop.start);
    bool upwards = step.low > 0;
    if (upwards ? distance.high <= 0 : distance.low >= 0) return 0;
    if (!(upwards ? distance.low > 0 : distance.high < 0)) return std::nullopt;
    return (upwards ? distance.high <= step.low : distance.low >= step.high) ? std::optional<int64_t>(1) : std::nullopt;
  }

  void bound_loop_var(const ForStmt& loop) {
    Interval start = bounds_.of(loop.start);
    Interval stop = bounds_.of(loop.stop);
    Interval step = bounds_.of(loop.step);
    if (step.low > 0 && stop.high > std::numeric_limits<int64_t>::min())
      bounds_.restrict_to(loop.loop_var, {start.low, stop.high - 1});
    if (step.high < 0 && stop.low < std::numeric_limits<int64_t>::max())
      bounds_.restrict_to(loop.loop_var, {stop.low + 1, start.high});
  }

  const Stmt* never_runs(const Stmt* loop, List<const Var*> iter_args, List<const Var*> results) {
    std::vector<const Stmt*> out;
    for (size_t i = 0; i < iter_args.size() && i < results.size(); ++i) {
      const Expr* init = expr(as<IterArg>(iter_args[i])->init_value);
      out.push_back(context().assign(define(results[i]), init, loop->span));
    }
    return seq_with_comments(context(), std::move(out), loop->leading_comments, loop->span);
  }

  const Stmt* runs_once(const ForStmt* s, const Expr* start) {
    std::vector<const Stmt*> out;
    std::vector<const Expr*> inits;
    for (const Var* arg : s->iter_args) inits.push_back(expr(as<IterArg>(arg)->init_value));
    for (size_t i = 0; i < inits.size(); ++i) make_name(s->iter_args[i], inits[i], s->span, false, out);
    const ScalarType* type = as_scalar(s->loop_var->type);
    make_name(s->loop_var, type != nullptr ? of_type(start, type->dtype) : start, s->span, true, out);
    lift(stmt(s->body), s->return_vars, s->span, out);
    return seq_with_comments(context(), std::move(out), s->leading_comments, s->span);
  }

  const Stmt* simplify_while(const WhileStmt* s) {
    WhileStmt draft = *s;
    bool changed = define_all(draft.iter_args);
    draft.condition = expr(s->condition);
    const ConstBool* known = as<ConstBool>(draft.condition);
    if (known != nullptr && !known->value) return never_runs(s, s->iter_args, s->return_vars);
    draft.body = nested([&] { return stmt(s->body); });
    changed |= define_all(draft.return_vars);
    bool same = !changed && draft.condition == s->condition && draft.body == s->body;
    return same ? s : context().make(draft);
  }

  PassContext& context_;
  Bounds bounds_;
  Folder folder_;
  NodeMap<const MakeTuple*> tuples_;
  int nesting_ = 0;  // branches, loops and spmd scopes around the current statement
};

}  // namespace

const Program* simplify(const Program* program, PassContext& context) {
  return map_functions(program, context.ir, [&](const Function* f) {
    if (!f->contents.has_any(Content::Scalar | Content::Loop | Content::Branch)) return f;
    const Function* now = Simplifier(context).function(f);
    if (is_host_orchestrator(f)) now = drop_folded_windows(f, now, context.ir);
    return drop_dead_scalars(now, context.ir);
  });
}

}  // namespace pyptoc::passes
