// SPDX-License-Identifier: Apache-2.0
#include "passes/materialize_dist_tensor_ctx.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "diag/codes_host.h"
#include "ir/describe.h"
#include "ir/map_functions.h"
#include "ir/rewriter.h"
#include "passes/buffer_roots.h"
#include "passes/call_graph.h"
#include "passes/leading_comments.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

// The new parameters of a function: one for each of its window parameters, in order.
struct Plan {
  std::vector<size_t> windows;  // indices of parameters
  std::vector<const Var*> contexts;

  bool empty() const { return windows.empty(); }
};

bool is_window_type(const Expr* e) {
  return is_distributed(e->type);
}

class Planner {
 public:
  explicit Planner(Context& context) : context_(context) {}

  Plan plan(const Function* f) {
    Plan out;
    if (is_host_orchestrator(f) || has_contexts(f)) return out;
    std::set<std::string_view> names;
    for (const Var* param : f->params) names.insert(param->name_hint);
    for (size_t i = 0; i < f->params.size(); ++i) {
      if (!is_window_type(f->params[i])) continue;
      std::string wanted = fmt::format("{}_ctx", f->params[i]->name_hint);
      std::string_view name = context_.intern(wanted);
      for (int n = 1; !names.insert(name).second; ++n) name = context_.intern(fmt::format("{}_{}", wanted, n));
      out.windows.push_back(i);
      out.contexts.push_back(context_.var(name, context_.plain_type(TypeKind::CommCtxType), f->params[i]->span));
    }
    return out;
  }

 private:
  static bool has_contexts(const Function* f) {
    return !f->params.empty() && f->params.back()->type->kind == TypeKind::CommCtxType;
  }
  Context& context_;
};

class Contexts : public Rewriter {
 public:
  Contexts(const Program* program, const NodeMap<Plan>& plans, BufferRoots& roots, PassContext& context)
      : Rewriter(context.ir), program_(program), plans_(plans), roots_(roots), context_(context) {}

  const Function* function(const Function* f) override {
    if (is_kernel(f) && !has_windows(f)) return f;  // it calls nothing
    function_ = f;
    own_ = &plan_of(f);
    function_roots_ = &roots_.of(f);
    on_host_ = is_host_orchestrator(f);
    Function draft = *f;
    draft.body = stmt(f->body);
    if (!own_->empty()) {
      std::vector<const Var*> params(f->params.begin(), f->params.end());
      std::vector<ParamDirection> directions(f->param_directions.begin(), f->param_directions.end());
      params.insert(params.end(), own_->contexts.begin(), own_->contexts.end());
      directions.resize(params.size(), ParamDirection::In);
      draft.params = context().list(params);
      draft.param_directions = context().list(directions);
    }
    return draft.body == f->body && own_->empty() ? f : context().make(draft);
  }

 protected:
  const Stmt* rewrite(const Stmt* s) override {
    if (is<SeqStmts>(s)) return rebuild(s);
    const AssignStmt* assign = as<AssignStmt>(s);
    if (assign != nullptr && is_query(assign->value) && !on_host_) {
      const Expr* context_of_window = expr(assign->value);
      if (context_of_window == assign->value) return s;  // reported
      substitute(assign->var, context_of_window);
      return nullptr;
    }
    std::vector<const Stmt*> outer = std::exchange(pending_, {});
    const Stmt* now = rebuild(s);
    std::vector<const Stmt*> before = std::exchange(pending_, std::move(outer));
    if (before.empty()) return now;
    before.push_back(without_comments(context(), now));
    return seq_with_comments(context(), std::move(before), s->leading_comments, s->span);
  }

  const Expr* rewrite(const Expr* e) override {
    if (is_query(e)) return on_host_ ? e : context_argument(as<Call>(e)->args[0], e);
    const Op* callee = called_function(e);
    const Function* f = callee != nullptr ? program_->find(callee) : nullptr;
    if (f == nullptr || plan_of(f).empty()) return rebuild(e);
    const Expr* now = rebuild(e);
    if (const Submit* submit = as<Submit>(now)) {
      Submit draft = *submit;
      append(draft, plan_of(f), call_args(e), e);
      return context().make(draft);
    }
    Call draft = *as<Call>(now);
    append(draft, plan_of(f), call_args(e), e);
    return context().make(draft);
  }

 private:
  const Plan& plan_of(const Function* f) const { return *plans_.find(f); }
  static bool has_windows(const Function* f) {
    return std::any_of(f->params.begin(), f->params.end(), [](const Var* param) { return is_window_type(param); });
  }
  static bool is_query(const Expr* e) {
    const Call* call = as<Call>(e);
    return call != nullptr && call->op->id == OpId::PldSystemGetCommCtx && !call->op->is_global_var;
  }

  // `old_args` are those that the roots know.
  template <class C>
  void append(C& call, const Plan& callee, List<const Expr*> old_args, const Expr* at) {
    std::vector<const Expr*> args(call.args.begin(), call.args.end());
    for (size_t window : callee.windows)
      if (window < old_args.size()) args.push_back(context_argument(old_args[window], at));
    if (const AttrValue* known = find_attr(call.attrs, "arg_directions")) {
      std::vector<int32_t> directions(known->as_ints().begin(), known->as_ints().end());
      directions.resize(args.size(), static_cast<int32_t>(ArgDirection::Scalar));
      std::vector<Attr> attrs(call.attrs.begin(), call.attrs.end());
      for (Attr& attr : attrs)
        if (attr.key == "arg_directions")
          attr.value = AttrValue::of_ints(AttrKind::ArgDirectionVector, context().list(directions));
      call.attrs = context().list(attrs);
    }
    call.args = context().list(args);
  }

  const Expr* context_argument(const Expr* window, const Expr* at) {
    return on_host_ ? query(window, at) : parameter_of(window, at);
  }

  const Expr* query(const Expr* window, const Expr* at) {
    const Expr* now = expr(window);
    const Type* type = context().plain_type(TypeKind::CommCtxType);
    const Var* named = as<Var>(window);
    const Var* var =
        context().var(fmt::format("{}_ctx", named != nullptr ? named->name_hint : "window"), type, at->span);
    const Call* call = context().call(context().op("pld.system.get_comm_ctx", false), {now}, type, at->span);
    pending_.push_back(context().assign(var, call, at->span));
    return var;
  }

  // The context parameter of the window parameter that `window` is a view of; the query itself after an error.
  const Expr* parameter_of(const Expr* window, const Expr* at) {
    const Expr* found = nullptr;
    const Var* source = nullptr;
    for (int number : function_roots_->of(window)) {
      const Root& root = function_roots_->root(number);
      const Expr* one = root.kind == Root::Kind::Param ? own_context(static_cast<size_t>(root.param)) : nullptr;
      if (one == nullptr) return not_known(window, at);
      const Var* param = as<Var>(root.node);
      if (found != nullptr) {
        context_.diags
            .report(diag::codes::context_ambiguous, place_of(at), describe(window), source->name_hint, param->name_hint)
            .note(fmt::format("`{}` is here", source->name_hint), place_of(source))
            .note(fmt::format("`{}` is here", param->name_hint), place_of(param));
        return one;
      }
      found = one;
      source = param;
    }
    return found != nullptr ? found : not_known(window, at);
  }
  const Expr* own_context(size_t param) const {
    for (size_t i = 0; i < own_->windows.size(); ++i)
      if (own_->windows[i] == param) return own_->contexts[i];
    return nullptr;
  }
  const Expr* not_known(const Expr* window, const Expr* at) {
    context_.diags.report(diag::codes::context_not_known, place_of(at), describe(window), function_->name);
    return context().var("unknown_ctx", context().plain_type(TypeKind::CommCtxType), at->span);
  }

  const Program* program_;
  const NodeMap<Plan>& plans_;
  BufferRoots& roots_;
  PassContext& context_;
  std::vector<const Stmt*> pending_;  // to stand before the statement that is being rewritten
  const Function* function_ = nullptr;
  const Plan* own_ = nullptr;
  const FunctionRoots* function_roots_ = nullptr;
  bool on_host_ = false;
};

}  // namespace

const Program* materialize_dist_tensor_ctx(const Program* program, PassContext& context) {
  if (!program->contents.has(Content::Window)) return program;
  Planner planner(context.ir);
  NodeMap<Plan> plans;
  for (const Function* f : program->functions) plans[f] = planner.plan(f);
  BufferRoots roots(program, context.roots);
  return map_functions(program, context.ir,
                       [&](const Function* f) { return Contexts(program, plans, roots, context).function(f); });
}

}  // namespace pyptoc::passes
