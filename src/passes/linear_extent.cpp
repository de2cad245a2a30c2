// SPDX-License-Identifier: Apache-2.0
#include "passes/linear_extent.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

constexpr int kMaxDepth = 16;
constexpr int64_t kSmall = int64_t{1} << 31;  // products of two such numbers stay exact
bool is_small(int64_t value) {
  return value > -kSmall && value < kSmall;
}

std::optional<LinearExtent> linear(const Expr* e, int depth) {
  if (std::optional<int64_t> value = const_int(e); value && is_small(*value)) return LinearExtent{nullptr, 0, *value};
  if (is_var(e->kind)) return LinearExtent{as<Var>(e), 1, 0};
  const BinaryExpr* b = as<BinaryExpr>(e);
  if (b == nullptr || depth > kMaxDepth) return std::nullopt;
  if (b->kind != NodeKind::Add && b->kind != NodeKind::Sub && b->kind != NodeKind::Mul) return std::nullopt;
  std::optional<LinearExtent> l = linear(b->left, depth + 1);
  std::optional<LinearExtent> r = linear(b->right, depth + 1);
  if (!l || !r || (l->symbol != nullptr && r->symbol != nullptr)) return std::nullopt;
  LinearExtent out;
  out.symbol = l->symbol != nullptr ? l->symbol : r->symbol;
  if (b->kind == NodeKind::Mul) {
    const LinearExtent& with = l->symbol != nullptr ? *l : *r;
    int64_t by = l->symbol != nullptr ? r->offset : l->offset;
    out.factor = with.factor * by;
    out.offset = with.offset * by;
  } else {
    int64_t sign = b->kind == NodeKind::Add ? 1 : -1;
    out.factor = l->factor + sign * r->factor;
    out.offset = l->offset + sign * r->offset;
  }
  if (!is_small(out.factor) || !is_small(out.offset)) return std::nullopt;
  return out;
}

}  // namespace

std::optional<LinearExtent> linear_extent(const Expr* e) {
  return linear(e, 0);
}

std::optional<BindingExtent> binding_extent(const Function* function, const Var* symbol) {
  for (const Var* param : function->params) {
    const TensorType* type = as_tensor(param->type);
    for (size_t axis = 0; type != nullptr && axis < type->shape.size(); ++axis) {
      std::optional<LinearExtent> form = linear_extent(type->shape[axis]);
      if (form && form->symbol == symbol && form->factor != 0) return BindingExtent{param, axis, *form};
    }
  }
  return std::nullopt;
}

}  // namespace pyptoc::passes
