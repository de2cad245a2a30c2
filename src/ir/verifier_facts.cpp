// SPDX-License-Identifier: Apache-2.0
// Collects definitions and dynamic extents.
#include "ir/verifier_facts.h"

#include "ir/depth_guard.h"
#include "ir/reflect.h"

namespace pyptoc::ir {

const Var* task_id_var(const ScopeStmt& scope) {
  const AttrValue* value = find_attr(scope.attrs, "task_id_var");
  return value != nullptr && value->kind() == AttrKind::Var ? value->as_var() : nullptr;
}

std::vector<std::string_view> VerifierFacts::function_names() const {
  std::vector<std::string_view> names;
  for (const Function* f : program_->functions) names.push_back(f->name);
  return names;
}

void VerifierFacts::collect_symbols(const Function* function) {
  for (const Var* param : function->params) collect_symbols(param->type);
  for (const Type* type : function->return_types) collect_symbols(type);
}

void VerifierFacts::claim(const Function* function) {
  for (const Var* param : function->params) define(param, function, function);
  int depth = 0;
  scan(function->body, function, depth);
}

void VerifierFacts::scan(const Stmt* stmt, const Function* function, int& depth) {
  DepthGuard guard(depth);
  dispatch(stmt, [&](const auto& s) {
    using S = std::remove_cvref_t<decltype(s)>;
    if constexpr (std::is_base_of_v<ScopeStmt, S>) define(task_id_var(s), function, stmt);
    for_each_field<S>([&](const auto& described) {
      const auto& value = s.*(described.member);
      using V = std::remove_cvref_t<decltype(value)>;
      if (described.defines) {
        for_each_node_in(value, [&](const Node* var) { define(as<Var>(var), function, stmt); });
      } else if constexpr (std::is_same_v<V, const Stmt*>) {
        if (value != nullptr) scan(value, function, depth);
      } else if constexpr (std::is_same_v<V, List<const Stmt*>>) {
        for (const Stmt* inner : value) scan(inner, function, depth);
      }
    });
  });
}

void VerifierFacts::collect_symbols(const Type* type) {
  int depth = 0;
  for_each_node_in_type(type, [&](const Node* node) { collect_symbols(node, depth); });
}

void VerifierFacts::collect_symbols(const Node* node, int& depth) {
  if (!seen_.insert(node)) return;
  DepthGuard guard(depth);
  if (const Var* var = as<Var>(node)) {
    const ScalarType* scalar = as_scalar(var->type);
    if (scalar != nullptr && is_integer(scalar->dtype) && !definitions_.contains(var)) symbols_.insert(var);
    return;
  }
  for_each_child(node, [&](const Node* child) { collect_symbols(child, depth); });
}

}  // namespace pyptoc::ir
