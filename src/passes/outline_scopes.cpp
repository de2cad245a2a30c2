// SPDX-License-Identifier: Apache-2.0
#include "passes/outline_scopes.h"

#include <algorithm>
#include <cctype>

#include "diag/codes_front.h"
#include "ir/describe.h"
#include "ir/rewriter.h"
#include "ir/walker.h"
#include "passes/outline_dispatch.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

NodeKind scope_kind(OutlineKind kind) {
  switch (kind) {
    case OutlineKind::Hierarchy:
      return NodeKind::HierarchyScopeStmt;
    case OutlineKind::InCore:
      return NodeKind::InCoreScopeStmt;
    case OutlineKind::Cluster:
      return NodeKind::ClusterScopeStmt;
    case OutlineKind::Spmd:
      return NodeKind::SpmdScopeStmt;
  }
  PYPTOC_UNREACHABLE("unknown kind of scope");
}

FunctionType function_type(OutlineKind kind) {
  switch (kind) {
    case OutlineKind::Hierarchy:
      return FunctionType::Opaque;
    case OutlineKind::InCore:
      return FunctionType::InCore;
    case OutlineKind::Cluster:
      return FunctionType::Group;
    case OutlineKind::Spmd:
      return FunctionType::Spmd;
  }
  PYPTOC_UNREACHABLE("unknown kind of scope");
}

std::string lower(std::string_view text) {
  std::string out;
  for (char c : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// `_incore_`, `_chip_orch_`: what stands between the function's name and the number of a scope without a hint.
std::string infix(const ScopeStmt* scope) {
  switch (scope->kind) {
    case NodeKind::InCoreScopeStmt:
      return "_incore_";
    case NodeKind::ClusterScopeStmt:
      return "_cluster_";
    case NodeKind::SpmdScopeStmt:
      return "_spmd_";
    default:
      break;
  }
  const HierarchyScopeStmt* hierarchy = as<HierarchyScopeStmt>(scope);
  std::string level = lower(name_of(hierarchy->level));
  if (level.starts_with("cluster_")) level.erase(7, 1);
  std::string role = !hierarchy->role.has_value() ? "" : *hierarchy->role == Role::Orchestrator ? "_orch" : "_worker";
  return "_" + level + role + "_";
}

// Gives an outlined body its own parameters, result variables and type-only symbols.
class BodyBinder : public Rewriter {
 public:
  explicit BodyBinder(Context& context) : Rewriter(context, true) {}

  const Var* bind(const Var* var, const Span* span) {
    const Var* fresh = context().var(var->name_hint, type(var->type), span);
    substitute(var, fresh);
    return fresh;
  }
};

// Statements of a body, found without a look at values.
class FindInBody : public Walker {
 public:
  // Whether a statement of its own calls the operator.
  static bool has_op(const Stmt* body, OpId id) {
    for (const Node* node : nodes(body, NodeKind::EvalStmt)) {
      const Call* call = as<Call>(as<EvalStmt>(node)->expr);
      if (call != nullptr && call->op->id == id) return true;
    }
    return false;
  }
  static std::vector<const Node*> nodes(const Stmt* body, NodeKind kind) {
    FindInBody walk(kind);
    walk.walk(body);
    return std::move(walk.nodes_);
  }

 protected:
  void visit(const Node* node) override {
    if (!is_stmt(node->kind)) return;
    if (node->kind == kind_) nodes_.push_back(node);
    children(node);
  }

 private:
  explicit FindInBody(NodeKind kind) : kind_(kind) {}
  NodeKind kind_;
  std::vector<const Node*> nodes_;
};

class ScopeOutliner : public Rewriter {
 public:
  ScopeOutliner(const Function* f, OutlineKind kind, FunctionNames& taken, PassContext& context)
      : Rewriter(context.ir),
        function_(f),
        kind_(kind),
        taken_(taken),
        pass_(context),
        captures_(
            f, [kind](const ScopeStmt* s) { return s->kind == scope_kind(kind); }, kind == OutlineKind::Cluster) {
    naming_.push_back({std::string(f->name), 0, {}});
  }

  Outlined run() {
    Outlined out;
    if (!captures_.has_targets()) return {function_, {}};
    for (const UseBeforeDefinition& early : captures_.used_before_definition())
      pass_.diags.report(diag::codes::scope_uses_undefined, place_of(early.scope), label(early.scope),
                         early.var->name_hint);
    Function draft = *function_;
    draft.body = stmt(function_->body);
    out.function = context().make(draft);
    out.outlined = std::move(made_);
    return out;
  }

 protected:
  const Expr* rewrite(const Expr* e) override { return e; }
  const Stmt* rewrite(const Stmt* s) override {
    if (const AssignStmt* assign = as<AssignStmt>(s)) return is_placeholder(assign) ? nullptr : s;
    if (const ScopeStmt* scope = as<ScopeStmt>(s)) {
      if (const Captures* captures = captures_.of(scope)) return outline(scope, *captures);
    }
    return rebuild(s);
  }

 private:
  struct Naming {
    std::string function;
    int next = 0;
    std::unordered_set<std::string> used;
  };

  std::string_view label(const ScopeStmt* scope) const {
    return scope->name_hint.empty() ? std::string_view(name_of(scope->kind)) : scope->name_hint;
  }

  // `tid = system.task_invalid()` in front of a scope that binds tid.
  bool is_placeholder(const AssignStmt* assign) const {
    if (!captures_.is_task_of_target(assign->var)) return false;
    const Call* call = as<Call>(assign->value);
    return call != nullptr && call->op->id == OpId::SystemTaskInvalid;
  }

  // --- names

  std::string name_for(const ScopeStmt* scope) {
    Naming& naming = naming_.back();
    int n = naming.next++;
    std::string wanted =
        scope->name_hint.empty() ? naming.function + infix(scope) + std::to_string(n) : std::string(scope->name_hint);
    std::string name = wanted;
    if (taken_.taken(name)) {
      if (naming.used.contains(name)) {
        name = taken_.numbered(name);
      } else {
        name = naming.function + "_" + wanted;
        if (taken_.taken(name)) name = taken_.numbered(name);
      }
    }
    naming.used.insert(name);
    taken_.take(name);
    return name;
  }

  // --- faults

  void check(const Captures& captures, std::string_view name) {
    diag::Engine& diags = pass_.diags;
    if (captures.early_return != nullptr)
      diags.report(diag::codes::scope_returns, place_of(captures.early_return), name);
    if (captures.nested != nullptr && kind_ != OutlineKind::Hierarchy)
      diags.report(diag::codes::scope_in_kernel, place_of(captures.nested),
                   label(static_cast<const ScopeStmt*>(captures.nested)), name);
  }

  // Only tensors leave a kernel or a launch.
  void check_outputs(const Captures& captures, std::string_view name, const NodeSet& reported) {
    if (kind_ == OutlineKind::Hierarchy) return;
    for (const Var* output : captures.outputs) {
      if (as_tensor(output->type) != nullptr || reported.contains(output)) continue;
      pass_.diags.report(diag::codes::value_leaves_kernel, place_of(output), output->name_hint, describe(output->type),
                         name);
    }
  }

  // --- a scope

  const Stmt* outline(const ScopeStmt* scope, const Captures& captures) {
    std::string_view name = context().intern(name_for(scope));
    check(captures, name);
    naming_.push_back({std::string(name), 0, {}});
    const Stmt* body = stmt(scope->body);
    naming_.pop_back();

    DispatchRequest request;
    request.scope = scope;
    request.captures = &captures;
    request.callee = name;
    std::vector<Attr> attrs = function_attrs(scope);
    if (const SpmdScopeStmt* spmd = as<SpmdScopeStmt>(scope)) request.width = {spmd->core_num, spmd->sync_start};
    NodeSet width_of_launch;
    if (kind_ == OutlineKind::Cluster) body = unwrap_spmd(body, captures, name, request.width, attrs, width_of_launch);
    check_outputs(captures, name, width_of_launch);

    const Function* f = make_function(scope, captures, name, body, attrs);
    made_.push_back(f);
    request.result_types.assign(f->return_types.begin(), f->return_types.end());
    // In the caller the results have the types that its own variables have.
    for (size_t i = 0; i < captures.outputs.size(); ++i) request.result_types[i] = captures.outputs[i]->type;
    return context().seq(make_dispatch(request, pass_), scope->span);
  }

  const Function* make_function(const ScopeStmt* scope, const Captures& captures, std::string_view name,
                                const Stmt* body, const std::vector<Attr>& attrs) {
    BodyBinder binder(context());
    // Scalars first: the types of tensors may name them.
    for (const Var* var : captures.type_inputs) binder.bind(var, scope->span);
    for (const Var* var : captures.inputs)
      if (as_scalar(var->type) != nullptr) binder.bind(var, scope->span);
    for (const Var* var : captures.inputs)
      if (as_scalar(var->type) == nullptr) binder.bind(var, scope->span);

    Function draft;
    draft.kind = NodeKind::Function;
    draft.span = scope->span;
    draft.name = name;
    draft.func_type = function_type(kind_);
    set_level(draft, scope);
    draft.attrs = context().list(attrs);
    std::vector<const Var*> params;
    for (const Var* var : captures.inputs) params.push_back(as<Var>(binder.substitution(var)));
    draft.params = context().list(params);
    draft.param_directions = context().list(std::vector<ParamDirection>(params.size(), ParamDirection::In));
    draft.body = with_return(binder, captures, binder_body(binder, captures, body, scope->span), scope->span, draft);
    return context().make(draft);
  }

  // The results keep their variables in the caller, so the body gets new ones.
  const Stmt* binder_body(BodyBinder& binder, const Captures& captures, const Stmt* body, const Span* span) {
    for (const Var* output : captures.outputs) binder.bind(output, span);
    return binder.stmt(body);
  }

  const Stmt* with_return(BodyBinder& binder, const Captures& captures, const Stmt* body, const Span* span,
                          Function& draft) {
    if (captures.outputs.empty()) return body;
    ReturnStmt result;
    result.kind = NodeKind::ReturnStmt;
    result.span = span;
    std::vector<const Expr*> values;
    std::vector<const Type*> types;
    for (const Var* output : captures.outputs) {
      values.push_back(binder.substitution(output));
      types.push_back(values.back()->type);
    }
    result.value = context().list(values);
    draft.return_types = context().list(types);
    return context().seq({body, context().make(result)}, span);
  }

  void set_level(Function& draft, const ScopeStmt* scope) const {
    if (const HierarchyScopeStmt* hierarchy = as<HierarchyScopeStmt>(scope)) {
      draft.level = hierarchy->level;
      draft.role = hierarchy->role;
    } else if (kind_ != OutlineKind::Spmd) {
      draft.level = kind_ == OutlineKind::InCore ? Level::ChipDie : Level::CoreGroup;
      draft.role = Role::SubWorker;
    }
  }

  std::vector<Attr> function_attrs(const ScopeStmt* scope) {
    std::vector<Attr> out;
    const InCoreScopeStmt* kernel = as<InCoreScopeStmt>(scope);
    if (kernel == nullptr) return out;
    auto split = [&](SplitMode mode) {
      if (mode != SplitMode::None) out.push_back({"split", AttrValue::of_int(static_cast<int64_t>(mode))});
    };
    SplitMode own = kernel->split.value_or(SplitMode::None);
    split(own);
    for (std::string_view key : {"slot_num", "windowize"})
      if (const AttrValue* value = find_attr(scope->attrs, key)) out.push_back({key, *value});
    const Contents inside = scope->body->contents;
    if (inside.has(Content::Window) && FindInBody::has_op(scope->body, OpId::PldSystemDeferWait))
      out.push_back({"deferred_completion_waiter", AttrValue::of_bool(true)});
    if (!inside.has(Content::Scope)) return out;
    std::vector<const Node*> regions = FindInBody::nodes(scope->body, NodeKind::SplitAivScopeStmt);
    if (regions.empty()) return out;
    if (own != SplitMode::None)
      pass_.diags.report(diag::codes::two_ways_to_split, place_of(regions.front()), label(scope));
    out.push_back({"split_aiv", AttrValue::of_bool(true)});
    SplitMode first = as<SplitAivScopeStmt>(regions.front())->split;
    bool uniform = std::all_of(regions.begin(), regions.end(),
                               [&](const Node* region) { return as<SplitAivScopeStmt>(region)->split == first; });
    if (uniform) split(first);
    return out;
  }

  // A launch inside a cluster is the launch of the cluster.
  const Stmt* unwrap_spmd(const Stmt* body, const Captures& captures, std::string_view name, LaunchWidth& width,
                          std::vector<Attr>& attrs, NodeSet& width_of_launch) {
    std::vector<const Node*> launches = FindInBody::nodes(body, NodeKind::SpmdScopeStmt);
    if (launches.empty()) return body;
    if (launches.size() > 1) pass_.diags.report(diag::codes::two_launches_in_cluster, place_of(launches[1]), name);
    const SpmdScopeStmt* spmd = as<SpmdScopeStmt>(launches.front());
    if (!spmd->attrs.empty())
      pass_.diags.report(diag::codes::task_in_cluster, place_of(spmd), spmd->attrs.front().key, name);
    width = {spmd->core_num, spmd->sync_start};
    attrs.push_back({"spmd_unwrapped", AttrValue::of_bool(true)});
    check_width(spmd, captures, name, width_of_launch);

    class Unwrap : public Rewriter {
     public:
      using Rewriter::Rewriter;

     protected:
      const Expr* rewrite(const Expr* e) override { return e; }
      const Stmt* rewrite(const Stmt* s) override {
        if (const SpmdScopeStmt* scope = as<SpmdScopeStmt>(s)) return stmt(scope->body);
        return rebuild(s);
      }
    };
    return Unwrap(context()).stmt(body);
  }

  void check_width(const SpmdScopeStmt* spmd, const Captures& captures, std::string_view name, NodeSet& reported) {
    NodeSet inside;
    for (const Var* output : captures.outputs) inside.insert(output);
    std::vector<const Node*> work = {spmd->core_num};
    while (!work.empty()) {
      const Node* node = work.back();
      work.pop_back();
      if (const Var* var = as<Var>(node); var != nullptr && inside.contains(var) && reported.insert(var))
        pass_.diags.report(diag::codes::width_from_cluster, place_of(spmd), var->name_hint, name);
      for_each_child(node, [&](const Node* child) { work.push_back(child); });
    }
  }

  const Function* function_;
  OutlineKind kind_;
  FunctionNames& taken_;
  PassContext& pass_;
  CaptureAnalysis captures_;
  std::vector<Naming> naming_;  // of the function and of the scopes around the current one
  std::vector<const Function*> made_;
};

}  // namespace

std::string FunctionNames::numbered(const std::string& name) {
  for (int& n = next_[name];; ++n) {
    std::string candidate = name + "_" + std::to_string(n);
    if (!taken(candidate)) return candidate;
  }
}

Outlined outline_scopes(const Function* f, OutlineKind kind, FunctionNames& taken, PassContext& context) {
  if (FindInBody::nodes(f->body, scope_kind(kind)).empty()) return {f, {}};
  return ScopeOutliner(f, kind, taken, context).run();
}

}  // namespace pyptoc::passes
