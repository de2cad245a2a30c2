// SPDX-License-Identifier: Apache-2.0
#include "passes/chip_scalars.h"

#include <fmt/format.h>

#include "ir/depth_guard.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// A host expression of more parts is not worth a check of its own; it would be written out as text.
constexpr int kMaxHostParts = 256;

ScalarFact known(const Expr* e) {
  return {std::nullopt, e, 1};
}
ScalarFact varying(std::string text, const Node* at) {
  return {Variation{std::move(text), at}, nullptr, 1};
}

}  // namespace

ScalarFact ChipScalars::fact(const Expr* e) {
  DepthGuard guard(depth_);
  if (is_const(e->kind)) return known(e);
  if (const Var* var = as<Var>(e)) {
    const ScalarFact* found = facts_.find(var);
    if (found == nullptr) return {};  // an extent that no argument shows
    ScalarFact out = *found;
    if (out.varies && out.varies->at == nullptr) out.varies->at = var;
    return out;
  }
  if (is_binary(e->kind)) return of_binary(as<BinaryExpr>(e));
  if (is_unary(e->kind)) return of_unary(as<UnaryExpr>(e));
  if (const Call* call = as<Call>(e)) return of_call(call);
  if (const TupleGetItemExpr* get = as<TupleGetItemExpr>(e)) {
    const Expr* tuple = get->tuple;
    if (const Expr* const* made = tuples_.find(tuple)) tuple = *made;
    const size_t k = static_cast<size_t>(get->index);
    const MakeTuple* elements = as<MakeTuple>(tuple);
    if (elements != nullptr && k < elements->elements.size()) return fact(elements->elements[k]);
  }
  return varying("a result of a task", e);
}

ScalarFact ChipScalars::of_call(const Call* call) {
  if (call->op->is_global_var) return varying(fmt::format("a result of `{}`", call->op->name), call);
  switch (call->op->id) {
    case OpId::PldSystemWorldSize:
      return known(call);
    case OpId::TensorDim:
      return of_dim(call);
    case OpId::PldSystemNranks:
    case OpId::SystemAvailableAivCount:
    case OpId::SystemAvailableClusterCount:
      return {};
    case OpId::PldSystemRank:
      return varying("the rank", call);
    case OpId::TensorRead: {
      const Var* tensor = as<Var>(call->args[0]);
      return varying(tensor != nullptr ? fmt::format("what `{}` holds", tensor->name_hint) : "what a tensor holds",
                     call);
    }
    default:
      return varying(fmt::format("what `{}` gives", call->op->name), call);
  }
}

ScalarFact ChipScalars::of_dim(const Call* call) {
  const TensorType* type = as_tensor(call->args[0]->type);
  std::optional<int64_t> axis = const_int(call->args[1]);
  if (type == nullptr || !axis) return {};
  const int64_t rank = static_cast<int64_t>(type->shape.size());
  const int64_t at = *axis < 0 ? *axis + rank : *axis;
  return at >= 0 && at < rank ? fact(type->shape[static_cast<size_t>(at)]) : ScalarFact();
}

ScalarFact ChipScalars::of_binary(const BinaryExpr* e) {
  ScalarFact left = fact(e->left);
  ScalarFact right = fact(e->right);
  ScalarFact out;
  out.varies = left.varies ? left.varies : right.varies;
  out.size = left.size + right.size + 1;
  if (left.host == nullptr || right.host == nullptr || out.size > kMaxHostParts) return out;
  if (left.host == e->left && right.host == e->right) {
    out.host = e;
    return out;
  }
  BinaryExpr draft = *e;
  draft.left = left.host;
  draft.right = right.host;
  out.host = context_.make(draft);
  return out;
}

ScalarFact ChipScalars::of_unary(const UnaryExpr* e) {
  ScalarFact out = fact(e->operand);
  ++out.size;
  if (out.host == nullptr || out.host == e->operand) {
    if (out.host != nullptr) out.host = e;
    return out;
  }
  UnaryExpr draft = *e;
  draft.operand = out.host;
  out.host = out.size <= kMaxHostParts ? context_.make(draft) : nullptr;
  return out;
}

const Expr* ChipScalars::negated(const Expr* e) {
  return context_.unary(NodeKind::Not, e, e->type, e->span);
}

}  // namespace pyptoc::passes
