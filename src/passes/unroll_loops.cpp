// SPDX-License-Identifier: Apache-2.0
// Copies the bodies of unroll loops, with a limit on what comes out.
#include "passes/unroll_loops.h"

#include <utility>

#include "diag/codes_front.h"
#include "ir/contains.h"
#include "ir/map_functions.h"
#include "ir/rewriter.h"
#include "ir/walker.h"
#include "passes/body_cloner.h"
#include "passes/integer_arithmetic.h"
#include "passes/leading_comments.h"
#include "passes/trailing_yield.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

bool is_unrolled(const Node* node) {
  const ForStmt* loop = as<ForStmt>(node);
  return loop != nullptr && loop->for_kind == ForKind::Unroll;
}

// What copies of a loop body have to know of it.
class BodyScan : public Walker {
 public:
  explicit BodyScan(const ForStmt* loop) : var_(loop->loop_var) { walk(loop->body); }
  const Stmt* jump = nullptr;  // that belongs to this loop
  bool assigns_var = false;

 protected:
  void visit(const Node* node) override {
    if (is_expr(node->kind)) return;
    bool leaves = node->kind == NodeKind::BreakStmt || node->kind == NodeKind::ContinueStmt;
    if (leaves && loops_ == 0 && jump == nullptr) jump = static_cast<const Stmt*>(node);
    if (const AssignStmt* assign = as<AssignStmt>(node)) assigns_var |= assign->var == var_;
    bool loop = node->kind == NodeKind::ForStmt || node->kind == NodeKind::WhileStmt;
    loops_ += loop ? 1 : 0;
    children(node);
    loops_ -= loop ? 1 : 0;
  }

 private:
  const Var* var_;
  int loops_ = 0;
};

struct Made {
  const Var* var = nullptr;
  uint64_t copy = 0;
};

class Unroller : public Rewriter {
 public:
  explicit Unroller(PassContext& context) : Rewriter(context.ir, true), context_(context) {}

 protected:
  using Rewriter::rewrite;
  const Stmt* rewrite(const Stmt* s) override {
    if (copies_ > 0) ++made_;
    bool outer = std::exchange(assigns_, s->kind == NodeKind::AssignStmt);
    const ForStmt* loop = as<ForStmt>(s);
    bool unrolls = loop != nullptr && loop->for_kind == ForKind::Unroll && !too_large_;
    const Stmt* result = unrolls ? unroll(loop) : rebuild(s);
    assigns_ = outer;
    return result;
  }

  // What loops and branches define may be defined only once, so each copy has its own. So it has where the type
  // mentions the loop variable, which makes it another type.
  const Var* define(const Var* var) override {
    if (!assigns_ && copies_ > 0) return fresh(var);
    if (var->kind != NodeKind::Var) return Rewriter::define(var);
    const Type* now = type(var->type);
    if (now == var->type) {
      const Var* made_by_loop = as<Var>(substitution(var));
      return made_by_loop != nullptr ? made_by_loop : var;
    }
    Made& made = made_vars_[var];
    if (made.var == nullptr || made.copy != copy_) made = {context().var(var->name_hint, now, var->span), copy_};
    substitute(var, made.var);
    return made.var;
  }

 private:
  const Var* fresh(const Var* var) {
    const Var* made = fresh_copy(*this, context(), var);
    substitute(var, made);
    return made;
  }

  std::optional<int64_t> bound(const ForStmt* loop, const Expr* e, std::string_view what) {
    std::optional<int64_t> value = constant_value(expr(e));
    if (!value) context_.diags.report(diag::codes::unroll_bound_not_constant, place_of(loop), what);
    return value;
  }

  const Stmt* unroll(const ForStmt* loop) {
    BodyScan scan(loop);
    std::optional<int64_t> start = bound(loop, loop->start, "the start");
    std::optional<int64_t> stop = bound(loop, loop->stop, "the stop");
    std::optional<int64_t> step = bound(loop, loop->step, "the step");
    if (step && *step == 0) context_.diags.report(diag::codes::constant_step_zero, place_of(loop));
    if (scan.jump != nullptr)
      context_.diags.report(diag::codes::jump_in_unroll, place_of(scan.jump),
                            scan.jump->kind == NodeKind::BreakStmt ? "break" : "continue");
    if (!start || !stop || !step || *step == 0 || scan.jump != nullptr) return loop;
    std::vector<const Stmt*> out;
    for (size_t i = 0; i < loop->iter_args.size() && i < loop->return_vars.size(); ++i) {
      const Expr* init = expr(as<IterArg>(loop->iter_args[i])->init_value);
      out.push_back(context().assign(loop->return_vars[i], init, loop->span));
    }
    for (size_t i = 0; i < loop->iter_args.size() && i < loop->return_vars.size(); ++i)
      substitute(loop->iter_args[i], loop->return_vars[i]);
    ++copies_;
    int64_t count = *trip_count(expr(loop->start), expr(loop->stop), expr(loop->step));
    uint64_t value = static_cast<uint64_t>(*start);  // the last addition may leave the signed range
    for (int64_t i = 0; i < count && !is_too_large(loop); ++i, value += static_cast<uint64_t>(*step))
      copy(loop, static_cast<int64_t>(value), scan.assigns_var, out);
    --copies_;
    substitute(loop->loop_var, nullptr);
    return seq_with_comments(context(), std::move(out), loop->leading_comments, loop->span);
  }

  bool is_too_large(const ForStmt* loop) {
    ++made_;
    if (made_ > kMaxUnrolledStatements && !std::exchange(too_large_, true))
      context_.diags.report(diag::codes::unroll_too_large, place_of(loop), kMaxUnrolledStatements);
    return too_large_;
  }

  void copy(const ForStmt* loop, int64_t value, bool assigns_var, std::vector<const Stmt*>& out) {
    const ScalarType* type = as_scalar(loop->loop_var->type);
    const Expr* number = context().const_int(value, type != nullptr ? type->dtype : DType::Index, loop->loop_var->span);
    if (assigns_var)
      out.push_back(context().assign(loop->loop_var, number, loop->span));
    else
      substitute(loop->loop_var, number);
    ++copy_;
    const Stmt* body = stmt(loop->body);
    const YieldStmt* yield = trailing_yield(body);
    if (yield == nullptr || loop->return_vars.empty()) {
      out.push_back(body);
      return;
    }
    out.push_back(with_trailing_yield(context(), body, {}));
    assign_all(context(), loop->return_vars, yield->value, yield, out);
  }

  PassContext& context_;
  NodeMap<Made> made_vars_;
  uint64_t copy_ = 0;     // number of the current copy
  bool assigns_ = false;  // the current statement is an assignment
  int copies_ = 0;        // unroll loops around the current statement
  int64_t made_ = 0;      // statements in copies
  bool too_large_ = false;
};

}  // namespace

const Program* unroll_loops(const Program* program, PassContext& context) {
  return map_functions(program, context.ir, [&](const Function* f) {
    return contains_statement(f->body, is_unrolled) ? Unroller(context).function(f) : f;
  });
}

}  // namespace pyptoc::passes
