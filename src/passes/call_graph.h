// SPDX-License-Identifier: Apache-2.0
// Who calls whom.
#pragma once

#include <vector>

#include "ir/program.h"

namespace pyptoc::passes {

// The callee of a Call or Submit of a function, or null.
inline const ir::Op* called_function(const ir::Node* e) {
  const ir::Op* op = nullptr;
  if (const ir::Call* call = ir::as<ir::Call>(e)) op = call->op;
  if (const ir::Submit* submit = ir::as<ir::Submit>(e)) op = submit->op;
  return op != nullptr && op->is_global_var ? op : nullptr;
}
inline ir::List<const ir::Expr*> call_args(const ir::Node* e) {
  if (const ir::Call* call = ir::as<ir::Call>(e)) return call->args;
  if (const ir::Submit* submit = ir::as<ir::Submit>(e)) return submit->args;
  return {};
}
inline ir::List<ir::Attr> call_attrs(const ir::Node* e) {
  if (const ir::Call* call = ir::as<ir::Call>(e)) return call->attrs;
  if (const ir::Submit* submit = ir::as<ir::Submit>(e)) return submit->attrs;
  return {};
}
// The `device=` of a dispatch, or null.
inline const ir::Expr* dispatch_device(const ir::Node* e) {
  const ir::AttrValue* attr = ir::find_attr(call_attrs(e), "device");
  return attr != nullptr && attr->kind() == ir::AttrKind::Expr ? attr->as_expr() : nullptr;
}
// Whether a run may skip this task.
inline bool has_predicate(const ir::Node* e) {
  const ir::Submit* submit = ir::as<ir::Submit>(e);
  return (submit != nullptr && submit->predicate != nullptr) || ir::find_attr(call_attrs(e), "predicate") != nullptr;
}

// Every call of a function that a statement of the body evaluates, in order; a call that two statements share is met
// twice. Requires NoNestedCalls.
std::vector<const ir::Expr*> function_calls(const ir::Function* function);

// All functions, callees before their callers; in a cycle, in order of name.
std::vector<const ir::Function*> callees_first(const ir::Program* program);

}  // namespace pyptoc::passes
