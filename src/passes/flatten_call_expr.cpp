// SPDX-License-Identifier: Apache-2.0
// Takes nested calls out of expressions, innermost and leftmost first.
#include "passes/flatten_call_expr.h"

#include <string>
#include <utility>

#include "ir/contains.h"
#include "ir/map_functions.h"
#include "ir/node_map.h"
#include "ir/rewriter.h"
#include "passes/leading_comments.h"
#include "passes/plain_value.h"
#include "passes/trailing_yield.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

bool is_call(const Node* node) {
  return (node->kind == NodeKind::Call || node->kind == NodeKind::Submit) && !is_plain_value(node);
}

// The runtime evaluates it when the task is due, so it stays an expression.
constexpr std::string_view kPredicate = "predicate";

class Flattener : public Rewriter {
 public:
  explicit Flattener(Context& context) : Rewriter(context) {}

 protected:
  const Stmt* rewrite(const Stmt* s) override {
    if (is<SeqStmts>(s)) return rebuild(s);
    Frame outer = std::exchange(frame_, Frame{});
    if (const AssignStmt* assign = as<AssignStmt>(s)) frame_.root = assign->value;
    if (const EvalStmt* eval = as<EvalStmt>(s)) frame_.root = eval->expr;
    const WhileStmt* loop = as<WhileStmt>(s);
    const Stmt* now =
        loop != nullptr && contains(loop->condition, is_call) ? carry_condition(loop) : rebuild_around_predicate(s);
    const Stmt* result = now;
    if (!frame_.pending.empty()) {
      std::vector<const Stmt*> out = std::move(frame_.pending);
      out.push_back(without_comments(context(), now));
      result = seq_with_comments(context(), std::move(out), s->leading_comments, s->span);
    }
    frame_ = std::move(outer);
    return result;
  }

  const Expr* rewrite(const Expr* e) override {
    if (!is_call(e)) return rebuild(e);
    const Expr* now = own(rebuild_call(e));
    return e == frame_.root ? now : bind(now);
  }

 private:
  // Of the statement that is being rewritten.
  struct Frame {
    std::vector<const Stmt*> pending = {};  // to stand before it
    const Expr* root = nullptr;             // the value that may be a call
  };

  const Var* bind(const Expr* value) {
    const Var* var = context().var("t" + std::to_string(next_++), value->type, value->span);
    frame_.pending.push_back(context().assign(var, value, value->span));
    return var;
  }

  // Statements that share a call, as copies of an inlined or unrolled body do, evaluate it once each: analyses of
  // what a call makes go by its node.
  const Expr* own(const Expr* e) {
    if (calls_.insert(e)) return e;
    if (const Submit* submit = as<Submit>(e)) return context().make(*submit);
    return context().make(*as<Call>(e));
  }

  const Expr* rebuild_call(const Expr* e) {
    const Submit* submit = as<Submit>(e);
    if (submit != nullptr && submit->predicate != nullptr) {
      Submit draft = *submit;
      draft.predicate = nullptr;
      const Expr* without = context().make(draft);
      const Expr* now = rebuild(without);
      if (now == without) return e;
      Submit done = *as<Submit>(now);
      done.predicate = submit->predicate;
      return context().make(done);
    }
    const Call* call = as<Call>(e);
    if (call == nullptr || find_attr(call->attrs, kPredicate) == nullptr) return rebuild(e);
    Call draft = *call;
    draft.attrs = without_predicate(call->attrs);
    const Expr* without = context().make(draft);
    const Expr* now = rebuild(without);
    if (now == without) return e;
    Call done = *as<Call>(now);
    done.attrs = with_predicate_of(call->attrs, done.attrs);
    return context().make(done);
  }

  const Stmt* rebuild_around_predicate(const Stmt* s) {
    const ScopeStmt* scope = is<ScopeStmt>(s) ? static_cast<const ScopeStmt*>(s) : nullptr;
    if (scope == nullptr || find_attr(scope->attrs, kPredicate) == nullptr) return rebuild(s);
    return dispatch(s, [&](const auto& old) -> const Stmt* {
      using S = std::remove_cvref_t<decltype(old)>;
      if constexpr (std::is_base_of_v<ScopeStmt, S>) {
        S draft = old;
        draft.attrs = without_predicate(old.attrs);
        const Stmt* without = context().make(draft);
        const Stmt* now = rebuild(without);
        if (now == without) return s;
        S done = *as<S>(now);
        done.attrs = with_predicate_of(old.attrs, done.attrs);
        return context().make(done);
      } else {
        PYPTOC_UNREACHABLE("a scope of another kind");
      }
    });
  }

  List<Attr> without_predicate(List<Attr> attrs) {
    std::vector<Attr> out;
    for (const Attr& attr : attrs)
      if (attr.key != kPredicate) out.push_back(attr);
    return context().list(out);
  }
  // `now` with the predicate of `old` back in its place.
  List<Attr> with_predicate_of(List<Attr> old, List<Attr> now) {
    std::vector<Attr> out;
    size_t next = 0;
    for (const Attr& attr : old) out.push_back(attr.key == kPredicate ? attr : now[next++]);
    return context().list(out);
  }

  // The condition holds calls, which each iteration evaluates again: the loop carries its value.
  const Stmt* carry_condition(const WhileStmt* loop) {
    WhileStmt draft = *loop;
    std::vector<const Var*> args;
    std::vector<const Expr*> inits;
    for (const Var* arg : loop->iter_args) {
      args.push_back(define(arg));
      inits.push_back(as<IterArg>(args.back())->init_value);
    }
    const Expr* first = condition_for(loop, inits);
    IterArg more;
    more.kind = NodeKind::IterArg;
    more.span = loop->condition->span;
    more.type = loop->condition->type;
    more.name_hint = context().intern("more");
    more.init_value = first;
    args.push_back(context().make(more));
    draft.condition = args.back();
    draft.body = body_with_condition(loop);
    std::vector<const Var*> results(loop->return_vars.begin(), loop->return_vars.end());
    results.push_back(context().var("more", more.type, more.span));
    draft.iter_args = context().list(args);
    draft.return_vars = context().list(results);
    return context().make(draft);
  }
  // With the given values of what the loop carries; the calls in it become pending.
  const Expr* condition_for(const WhileStmt* loop, const std::vector<const Expr*>& values) {
    Rewriter substitution(context());
    for (size_t i = 0; i < values.size(); ++i) substitution.substitute(loop->iter_args[i], values[i]);
    return expr(substitution.expr(loop->condition));
  }
  const Stmt* body_with_condition(const WhileStmt* loop) {
    Frame outer = std::exchange(frame_, Frame{});
    const Stmt* body = stmt(loop->body);
    std::vector<const Expr*> values;
    if (const YieldStmt* yield = trailing_yield(body)) values.assign(yield->value.begin(), yield->value.end());
    values.push_back(condition_for(loop, values));
    const Stmt* result = with_trailing_yield(context(), body, values, frame_.pending);
    frame_ = std::move(outer);
    return result;
  }

  Frame frame_;
  NodeSet calls_;  // of statements so far
  int next_ = 0;
};

}  // namespace

const Program* flatten_call_expr(const Program* program, PassContext& context) {
  return map_functions(program, context.ir, [&](const Function* f) { return Flattener(context.ir).function(f); });
}

}  // namespace pyptoc::passes
