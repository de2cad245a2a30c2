// SPDX-License-Identifier: Apache-2.0
#include "passes/cube_casts.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

constexpr int64_t kRoundToNearestEven = 1;

bool is_matmul(OpId id) {
  return id == OpId::TensorMatmul || id == OpId::TileMatmul || id == OpId::TileMatmulBias;
}

}  // namespace

bool CubeCasts::holds(const Var* result, const Call* cast) const {
  const Use* uses = uses_.find(result);
  const Expr* const* source = as<Var>(cast->args[0]) != nullptr ? made_by_.find(cast->args[0]) : &cast->args[0];
  const Call* producer = source != nullptr ? as<Call>(*source) : nullptr;
  const ShapedType* from = as_shaped(cast->args[0]->type);
  const ShapedType* to = as_shaped(cast->type);
  const AttrValue* mode = find_attr(cast->kwargs, "mode");
  return uses != nullptr && uses->all == uses->in_products && producer != nullptr && is_matmul(producer->op->id) &&
         from != nullptr && to != nullptr && from->dtype == DType::Fp32 &&
         (to->dtype == DType::Bf16 || to->dtype == DType::Fp16) && mode != nullptr && mode->kind() == AttrKind::Int &&
         mode->as_int() == kRoundToNearestEven;
}

void CubeCasts::visit(const Node* node) {
  if (const AssignStmt* assign = as<AssignStmt>(node)) made_by_[assign->var] = assign->value;
  for_each_child(node, [&](const Node* child) {
    if (!is<Var>(child)) return;
    Use& use = uses_[child];
    ++use.all;
    if (const Call* call = as<Call>(node)) use.in_products += is_matmul(call->op->id) ? 1 : 0;
  });
  if (const AssignStmt* assign = as<AssignStmt>(node)) --uses_[assign->var].all;
  children(node);
}

}  // namespace pyptoc::passes
