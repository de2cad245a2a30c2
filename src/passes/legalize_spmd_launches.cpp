// SPDX-License-Identifier: Apache-2.0
// Guards launches whose width may be 0.
#include "passes/legalize_spmd_launches.h"

#include <algorithm>
#include <string>

#include "diag/codes_orch.h"
#include "ir/equal.h"
#include "ir/op_table.h"
#include "ir/rewriter.h"
#include "passes/call_graph.h"
#include "passes/leading_comments.h"
#include "passes/returned_params.h"
#include "passes/task_bounds.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

class Launches : public Rewriter {
 public:
  Launches(const Program* program, PassContext& context)
      : Rewriter(context.ir),
        program_(program),
        diags_(context.diags),
        roots_(program, context.roots),
        returned_(roots_) {}

  const Function* function(const Function* f) override {
    if (!f->contents.has(Content::Width)) return f;
    if (!is_chip_orchestration(f) && f->func_type != FunctionType::Graph) return f;
    least_ = LeastValues();
    least_.extents(f);
    return Rewriter::function(f);
  }

 protected:
  using Rewriter::rewrite;
  const Stmt* rewrite(const Stmt* s) override {
    if (const ForStmt* loop = as<ForStmt>(s)) least_.loop(loop);
    if (const IfStmt* branch = as<IfStmt>(s)) return guard(branch);
    const AssignStmt* assign = as<AssignStmt>(s);
    const EvalStmt* eval = as<EvalStmt>(s);
    const Expr* call = assign != nullptr ? assign->value : eval != nullptr ? eval->expr : nullptr;
    if (call == nullptr) return rebuild(s);
    if (assign != nullptr) least_.assign(assign->var, assign->value);
    const Expr* width = called_function(call) != nullptr ? width_of(call) : nullptr;
    if (width == nullptr || is_collective_kernel(call)) return rebuild(s);
    std::optional<int64_t> least = least_.of(width);
    if ((least && *least >= 1) || is_guarded(width)) return rebuild(s);
    return guarded(s, call, width, assign != nullptr ? assign->var : nullptr);
  }

 private:
  // Inside of `if width > 0` the launch is safe; so a second run changes nothing.
  const Stmt* guard(const IfStmt* s) {
    IfStmt draft = *s;
    draft.condition = expr(s->condition);
    const BinaryExpr* test = as<BinaryExpr>(draft.condition);
    const bool positive = test != nullptr && test->kind == NodeKind::Gt && const_int(test->right) == 0;
    if (positive) positive_.push_back(test->left);
    draft.then_body = stmt(s->then_body);
    if (positive) positive_.pop_back();
    if (s->else_body != nullptr) draft.else_body = stmt(s->else_body);
    const bool changed =
        draft.condition != s->condition || draft.then_body != s->then_body || draft.else_body != s->else_body;
    return changed ? context().make(draft) : s;
  }
  bool is_guarded(const Expr* width) const {
    return std::any_of(positive_.begin(), positive_.end(), [&](const Expr* e) { return expr_equal(e, width); });
  }

  const Expr* width_of(const Expr* call) {
    const Submit* submit = as<Submit>(call);
    if (submit != nullptr && submit->core_num != nullptr) return submit->core_num;
    const AttrValue* attr = find_attr(call_attrs(call), "core_num");
    if (attr != nullptr && attr->kind() == AttrKind::Int)
      return context().const_int(attr->as_int(), DType::Index, call->span);
    return attr != nullptr && attr->kind() == AttrKind::Expr ? attr->as_expr() : nullptr;
  }

  bool is_collective_kernel(const Expr* call) const {
    const Function* callee = program_->find(called_function(call));
    return callee != nullptr && find_attr(callee->attrs, "builtin_template_dir") != nullptr;
  }

  // What each result is when nothing is launched; reports what there is none for.
  std::optional<std::vector<const Expr*>> without_launch(const Expr* call, size_t results) {
    const Function* callee = program_->find(called_function(call));
    if (callee == nullptr) return std::nullopt;
    std::string missing;
    auto miss = [&](std::string_view name) { missing += (missing.empty() ? "`" : ", `") + std::string(name) + "`"; };
    List<const Expr*> args = call_args(call);
    for (size_t p = args.size(); p < callee->params.size(); ++p) miss(callee->params[p]->name_hint);
    const std::vector<std::optional<int>>& returned = returned_.of(callee);
    std::vector<const Expr*> values;
    for (size_t k = 0; k < results; ++k) {
      std::optional<int> param = k < returned.size() ? returned[k] : std::nullopt;
      if (!param)
        miss("result " + std::to_string(k));
      else if (static_cast<size_t>(*param) < args.size())
        values.push_back(args[static_cast<size_t>(*param)]);
    }
    if (missing.empty()) return values;
    diags_.report(diag::codes::launch_may_be_empty, place_of(call), callee->name, missing)
        .help("create these tensors and pass them, or launch at least one block");
    return std::nullopt;
  }

  const Stmt* guarded(const Stmt* s, const Expr* call, const Expr* width, const Var* result) {
    const TupleType* tuple = as_tuple(call->type);
    const bool has_id = call->kind == NodeKind::Submit;
    const size_t all = tuple != nullptr ? tuple->types.size() : result != nullptr ? 1 : 0;
    std::optional<std::vector<const Expr*>> values = without_launch(call, has_id ? all - 1 : all);
    if (!values) return s;
    if (const_int(width)) return nothing_launched(s, call, *values, result);
    IfStmt draft;
    draft.kind = NodeKind::IfStmt;
    draft.span = s->span;
    draft.leading_comments = s->leading_comments;
    draft.condition = context().binary(NodeKind::Gt, width, zero_like(width), s->span);
    if (result == nullptr) {
      draft.then_body = s;
      return context().make(draft);
    }
    std::vector<const Stmt*> then_body;
    std::vector<const Stmt*> else_body;
    if (has_id) values->push_back(stand_in(as<Submit>(call), s, else_body));
    const Var* launched = context().var(result->name_hint, result->type, result->span);
    then_body.push_back(context().assign(launched, call, s->span));
    std::vector<const Expr*> launched_values;
    std::vector<const Var*> results;
    if (tuple == nullptr) {
      launched_values.push_back(launched);
      results.push_back(result);
    }
    for (size_t k = 0; tuple != nullptr && k < all; ++k) {
      launched_values.push_back(context().element(launched, k, launched->span));
      results.push_back(context().var(result->name_hint, tuple->types[k], result->span));
    }
    then_body.push_back(yield(launched_values, s->span));
    else_body.push_back(yield(*values, s->span));
    draft.then_body = context().seq(then_body, s->span);
    draft.else_body = context().seq(else_body, s->span);
    draft.return_vars = context().list(results);
    const Stmt* branch = context().make(draft);
    if (tuple == nullptr) return branch;
    const Expr* whole = whole_result(call, {results.begin(), results.end()});
    return context().seq({branch, context().assign(result, whole, s->span)}, s->span);
  }

  // The result of the launch `call` as a tuple of values.
  const Expr* whole_result(const Expr* call, const std::vector<const Expr*>& elements) {
    MakeTuple draft;
    draft.kind = NodeKind::MakeTuple;
    draft.span = call->span;
    draft.type = call->type;
    draft.elements = context().list(elements);
    return context().make(draft);
  }

  // A width that is known to be no block.
  const Stmt* nothing_launched(const Stmt* s, const Expr* call, std::vector<const Expr*> values, const Var* result) {
    std::vector<const Stmt*> out;
    if (result != nullptr && call->kind == NodeKind::Submit) values.push_back(stand_in(as<Submit>(call), s, out));
    if (result != nullptr) {
      const bool several = as_tuple(call->type) != nullptr;
      out.push_back(context().assign(result, several ? whole_result(call, values) : values.front(), s->span));
    }
    return seq_with_comments(context(), std::move(out), s->leading_comments, s->span);
  }

  const Expr* zero_like(const Expr* width) {
    const ScalarType* type = as_scalar(width->type);
    return context().const_int(0, type != nullptr ? type->dtype : DType::Index, width->span);
  }

  const Stmt* yield(const std::vector<const Expr*>& values, const Span* span) {
    YieldStmt draft;
    draft.kind = NodeKind::YieldStmt;
    draft.span = span;
    draft.value = context().list(values);
    return context().make(draft);
  }

  // A task without a kernel that waits for what the launch would have waited for.
  const Expr* stand_in(const Submit* submit, const Stmt* at, std::vector<const Stmt*>& out) {
    std::vector<const Var*> deps;
    for (const Expr* dep : submit->deps) {
      const Var* var = as<Var>(dep);
      if (var == nullptr) {
        var = context().var("dep", dep->type, dep->span);
        out.push_back(context().assign(var, dep, at->span));
      }
      deps.push_back(var);
    }
    Call draft;
    draft.kind = NodeKind::Call;
    draft.span = submit->span;
    draft.type = context().scalar_type(DType::TaskId);
    draft.op = context().op(op_name(OpId::SystemTaskDummy), false);
    std::vector<Attr> attrs = {{context().intern("dummy_task"), AttrValue::of_bool(true)}};
    if (!deps.empty())
      attrs.push_back({context().intern("manual_dep_edges"), AttrValue::of_vars(context().list(deps))});
    draft.attrs = context().list(attrs);
    const Var* barrier = context().var("barrier", draft.type, submit->span);
    out.push_back(context().assign(barrier, context().make(draft), at->span));
    return barrier;
  }

  const Program* program_;
  diag::Engine& diags_;
  BufferRoots roots_;
  ReturnedParams returned_;
  LeastValues least_;
  std::vector<const Expr*> positive_;  // by the conditions around
};

}  // namespace

const Program* legalize_spmd_launches(const Program* program, PassContext& context) {
  return Launches(program, context).program(program);
}

}  // namespace pyptoc::passes
