// SPDX-License-Identifier: Apache-2.0
// Lower bounds by interval arithmetic with one end.
#include "passes/task_bounds.h"

#include <algorithm>

#include "ir/op_table.h"

namespace pyptoc::passes {

using namespace ir;

namespace {
constexpr int kMaxDepth = 64;

// An extent that the type tells, else any.
int64_t extent_of(const Call* call) {
  const TensorType* type = call->args.size() > 1 ? as_tensor(call->args[0]->type) : nullptr;
  std::optional<int64_t> axis = call->args.size() > 1 ? const_int(call->args[1]) : std::nullopt;
  if (type == nullptr || !axis) return 0;
  const int64_t rank = static_cast<int64_t>(type->shape.size());
  const int64_t at = *axis < 0 ? *axis + rank : *axis;
  if (at < 0 || at >= rank) return 0;
  return std::max<int64_t>(const_int(type->shape[static_cast<size_t>(at)]).value_or(0), 0);
}

bool is_integer_type(const Type* type) {
  const ScalarType* scalar = as_scalar(type);
  return scalar != nullptr && is_integer(scalar->dtype);
}
}  // namespace

void LeastValues::assign(const Var* var, const Expr* value) {
  if (is_integer_type(var->type)) known_[var] = of(value);
}

void LeastValues::loop(const ForStmt* loop) {
  std::optional<int64_t> step = const_int(loop->step);
  if (step && *step > 0) known_[loop->loop_var] = of(loop->start);
}

void LeastValues::extents(const Function* function) {
  for (const Var* param : function->params) {
    const TensorType* type = as_tensor(param->type);
    if (type == nullptr) continue;
    for (const Expr* extent : type->shape)
      if (is<Var>(extent)) known_[extent] = 0;
  }
}

std::optional<int64_t> LeastValues::of(const Expr* e, int depth) const {
  if (depth > kMaxDepth) return std::nullopt;
  if (std::optional<int64_t> value = const_int(e)) return value;
  if (is_var(e->kind)) {
    const std::optional<int64_t>* known = known_.find(e);
    return known != nullptr ? *known : std::nullopt;
  }
  if (e->kind == NodeKind::Cast && is_integer_type(e->type) && is_integer_type(as<UnaryExpr>(e)->operand->type))
    return of(as<UnaryExpr>(e)->operand, depth + 1);
  if (const BinaryExpr* binary = as<BinaryExpr>(e)) return of_binary(binary, depth);
  if (const Call* call = as<Call>(e)) {
    const OpId id = call->op->id;
    if (id == OpId::SystemAvailableAivCount || id == OpId::SystemAvailableClusterCount) return 1;
    if (id == OpId::TensorDim) return extent_of(call);
  }
  return std::nullopt;
}

std::optional<int64_t> LeastValues::of_binary(const BinaryExpr* e, int depth) const {
  std::optional<int64_t> left = of(e->left, depth + 1);
  std::optional<int64_t> right = of(e->right, depth + 1);
  if (e->kind == NodeKind::Max && (!left || !right)) return left ? left : right;
  int64_t out = 0;
  if (e->kind == NodeKind::Sub) {
    std::optional<int64_t> most = const_int(e->right);
    if (left && most && !__builtin_sub_overflow(*left, *most, &out)) return out;
    return std::nullopt;
  }
  if (e->kind == NodeKind::FloorMod) return right && *right > 0 ? std::optional<int64_t>(0) : std::nullopt;
  if (!left || !right) return std::nullopt;
  switch (e->kind) {
    case NodeKind::Max:
      return std::max(*left, *right);
    case NodeKind::Min:
      return std::min(*left, *right);
    case NodeKind::Add:
      return __builtin_add_overflow(*left, *right, &out) ? std::nullopt : std::optional<int64_t>(out);
    case NodeKind::Mul:
      if (*left < 0 || *right < 0 || __builtin_mul_overflow(*left, *right, &out)) return std::nullopt;
      return out;
    case NodeKind::FloorDiv: {
      std::optional<int64_t> by = const_int(e->right);
      if (by && *by > 0) return *left >= 0 ? *left / *by : -((-(*left + 1)) / *by) - 1;
      return *left >= 0 && *right > 0 ? std::optional<int64_t>(0) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace pyptoc::passes
