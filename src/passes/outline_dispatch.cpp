// SPDX-License-Identifier: Apache-2.0
#include "passes/outline_dispatch.h"

#include <algorithm>
#include <array>
#include <string>

#include "diag/codes_front.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// What a scope says about its task, apart from the attributes that go to the outlined function.
struct TaskAttrs {
  const Var* task = nullptr;
  List<const Var*> deps;
  List<const Var*> no_dep;
  List<const Var*> dump;
  bool allow_early_resolve = false;
  const Expr* predicate = nullptr;
  std::vector<Attr> unknown;

  bool is_submit() const { return task != nullptr || !deps.empty() || allow_early_resolve || predicate != nullptr; }
};

bool belongs_to_function(std::string_view key) {
  return key == "windowize" || key == "slot_num";
}

TaskAttrs task_attrs(const ScopeStmt* scope, PassContext& context) {
  TaskAttrs out;
  for (const Attr& attr : scope->attrs) {
    AttrKind kind = attr.value.kind();
    if (attr.key == "task_id_var" && kind == AttrKind::Var) {
      out.task = attr.value.as_var();
    } else if (attr.key == "manual_dep_edges" && kind == AttrKind::VarList) {
      out.deps = attr.value.as_vars();
    } else if (attr.key == "arg_direction_overrides_vars" && kind == AttrKind::VarList) {
      out.no_dep = attr.value.as_vars();
    } else if (attr.key == "dump_vars" && kind == AttrKind::VarList) {
      out.dump = attr.value.as_vars();
    } else if (attr.key == "allow_early_resolve" && kind == AttrKind::Bool) {
      out.allow_early_resolve = attr.value.as_bool();
    } else if (attr.key == "predicate" && kind == AttrKind::Expr) {
      out.predicate = attr.value.as_expr();
    } else if (!belongs_to_function(attr.key)) {
      context.diags.report(diag::codes::unknown_scope_attribute, place_of(scope), attr.key);
      out.unknown.push_back(attr);
    }
  }
  return out;
}

class Dispatch {
 public:
  Dispatch(const DispatchRequest& request, PassContext& context)
      : request_(request), ir_(context.ir), diags_(context.diags), span_(request.scope->span) {
    for (size_t i = 0; i < inputs().size(); ++i) position_[inputs()[i]] = static_cast<int32_t>(i);
    task_ = task_attrs(request.scope, context);
  }

  std::vector<const Stmt*> make() {
    std::vector<const Type*> results = request_.result_types;
    bool submit = task_.is_submit();
    if (submit) results.push_back(ir_.scalar_type(DType::TaskId));
    const Type* type = results.empty()                  ? ir_.plain_type(TypeKind::UnknownType)
                       : results.size() == 1 && !submit ? results.front()
                                                        : ir_.tuple_type(results);
    return bind(submit ? make_submit(type) : make_call(type), submit);
  }

 private:
  const std::vector<const Var*>& inputs() const { return request_.captures->inputs; }
  const std::vector<const Var*>& outputs() const { return request_.captures->outputs; }

  std::vector<const Expr*> args() const { return {inputs().begin(), inputs().end()}; }

  // Positions of the listed variables among the arguments, ascending, once each.
  std::vector<int32_t> positions(List<const Var*> vars, bool must_be_used) {
    std::vector<int32_t> out;
    for (const Var* var : vars) {
      if (var == nullptr) continue;
      const int32_t* at = position_.find(var);
      if (at != nullptr)
        out.push_back(*at);
      else if (must_be_used)
        diags_.report(diag::codes::no_dep_of_unused, place_of(request_.scope), var->name_hint, request_.callee);
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  std::vector<Attr> common_attrs() {
    std::vector<Attr> out;
    std::vector<const Var*> dumped;
    for (int32_t at : positions(task_.dump, false)) dumped.push_back(inputs()[static_cast<size_t>(at)]);
    if (!dumped.empty()) out.push_back({"dump_vars", AttrValue::of_vars(ir_.list(dumped))});
    std::vector<int32_t> overrides = positions(task_.no_dep, true);
    if (!overrides.empty())
      out.push_back({"arg_direction_overrides", AttrValue::of_ints(AttrKind::Int32Vector, ir_.list(overrides))});
    out.insert(out.end(), task_.unknown.begin(), task_.unknown.end());
    return out;
  }

  const Expr* make_call(const Type* type) {
    Call draft;
    draft.kind = NodeKind::Call;
    draft.span = span_;
    draft.type = type;
    draft.op = ir_.op(request_.callee, true);
    draft.args = ir_.list(args());
    std::vector<Attr> attrs = common_attrs();
    if (request_.width.core_num != nullptr) attrs.push_back({"core_num", AttrValue::of_expr(request_.width.core_num)});
    if (request_.width.sync_start) attrs.push_back({"sync_start", AttrValue::of_bool(true)});
    draft.attrs = ir_.list(attrs);
    return ir_.make(draft);
  }

  const Expr* make_submit(const Type* type) {
    Submit draft;
    draft.kind = NodeKind::Submit;
    draft.span = span_;
    draft.type = type;
    draft.op = ir_.op(request_.callee, true);
    draft.args = ir_.list(args());
    std::vector<const Expr*> deps(task_.deps.begin(), task_.deps.end());
    std::erase(deps, nullptr);
    draft.deps = ir_.list(deps);
    draft.core_num = request_.width.core_num;
    draft.sync_start = request_.width.sync_start;
    draft.allow_early_resolve = task_.allow_early_resolve;
    draft.predicate = task_.predicate;
    draft.attrs = ir_.list(common_attrs());
    return ir_.make(draft);
  }

  std::vector<const Stmt*> bind(const Expr* call, bool submit) {
    size_t results = outputs().size() + (submit ? 1 : 0);
    if (results == 0) {
      EvalStmt draft;
      draft.kind = NodeKind::EvalStmt;
      draft.span = span_;
      draft.leading_comments = request_.scope->leading_comments;
      draft.expr = call;
      return {ir_.make(draft)};
    }
    if (results == 1 && !submit) return {assign(outputs().front(), call)};
    const Var* tuple = ir_.var(std::string(request_.callee) + "_result", call->type, span_);
    std::vector<const Stmt*> out = {assign(tuple, call)};
    for (size_t i = 0; i < outputs().size(); ++i) out.push_back(element(outputs()[i], tuple, i));
    if (task_.task != nullptr) out.push_back(element(task_.task, tuple, outputs().size()));
    return out;
  }

  const Stmt* assign(const Var* var, const Expr* value) {
    AssignStmt draft;
    draft.kind = NodeKind::AssignStmt;
    draft.span = span_;
    draft.leading_comments = request_.scope->leading_comments;
    draft.var = var;
    draft.value = value;
    return ir_.make(draft);
  }

  const Stmt* element(const Var* var, const Var* tuple, size_t index) {
    return ir_.assign(var, ir_.element(tuple, index, span_), span_);
  }

  const DispatchRequest& request_;
  Context& ir_;
  diag::Engine& diags_;
  const Span* span_;
  TaskAttrs task_;
  NodeMap<int32_t> position_;
};

}  // namespace

std::vector<const Stmt*> make_dispatch(const DispatchRequest& request, PassContext& context) {
  return Dispatch(request, context).make();
}

}  // namespace pyptoc::passes
