// SPDX-License-Identifier: Apache-2.0
// Types that follow from the parts of an expression.
#include "text/result_type.h"

#include <vector>

#include "ir/op_types.h"
#include "text/type_match.h"

namespace pyptoc::text {

using ir::NodeKind;

bool operands_fit(const ir::OpInfo& info, ir::List<const ir::Expr*> args) {
  if (args.size() < info.min_args() || args.size() > info.max_args()) return false;
  for (size_t i = 0; i < args.size(); ++i)
    if (!operand_fits(info.operand_at(i)->kind, args[i]->type)) return false;
  return true;
}

void ResultTypes::add_function(std::string_view name, ir::List<const ir::Type*> return_types) {
  functions_.emplace(name, return_types);
}

const ir::Type* ResultTypes::of_binary(NodeKind kind, const ir::Expr* left, const ir::Expr* right) {
  if (ir::is_comparison(kind) || kind == NodeKind::And || kind == NodeKind::Or || kind == NodeKind::Xor)
    return context_.scalar_type(ir::DType::Bool);
  const ir::ScalarType* a = ir::as_scalar(left->type);
  const ir::ScalarType* b = ir::as_scalar(right->type);
  if (a != nullptr && b != nullptr && ir::is_float(b->dtype) && !ir::is_float(a->dtype)) return b;
  return left->type;
}

const ir::Type* ResultTypes::of_unary(NodeKind kind, const ir::Expr* operand) {
  return kind == NodeKind::Not ? context_.scalar_type(ir::DType::Bool) : operand->type;
}

const ir::Type* ResultTypes::of_tuple(ir::List<const ir::Expr*> elements) {
  std::vector<const ir::Type*> types;
  types.reserve(elements.size());
  for (const ir::Expr* element : elements) types.push_back(element->type);
  return context_.tuple_type(types);
}

const ir::Type* ResultTypes::of_item(const ir::Expr* tuple, int64_t index) {
  const ir::TupleType* type = ir::as_tuple(tuple->type);
  if (type == nullptr || index < 0 || static_cast<uint64_t>(index) >= type->types.size()) return nullptr;
  return type->types[static_cast<size_t>(index)];
}

const ir::Type* ResultTypes::of_call(const ir::Call& call) {
  const ir::Type* unknown = context_.plain_type(ir::TypeKind::UnknownType);
  if (call.op->is_global_var) {
    auto found = functions_.find(call.op->name);
    if (found == functions_.end() || found->second.empty()) return unknown;
    if (found->second.size() == 1) return found->second.front();
    return context_.tuple_type(std::vector<const ir::Type*>(found->second.begin(), found->second.end()));
  }
  if (!operands_fit(ir::op_info(call.op->id), call.args)) return unknown;
  const ir::Type* deduced = ir::deduce_type(context_, call.op->id, call.args, call.kwargs, nullptr, diag::kNowhere);
  return deduced != nullptr ? deduced : unknown;
}

const ir::Type* ResultTypes::of_submit(const ir::Op* op) {
  std::vector<const ir::Type*> types;
  if (auto found = functions_.find(op->name); op->is_global_var && found != functions_.end())
    types.assign(found->second.begin(), found->second.end());
  types.push_back(context_.scalar_type(ir::DType::TaskId));
  return context_.tuple_type(types);
}

bool ResultTypes::follows(const ir::Expr* expr) {
  if (ir::is_var(expr->kind) || ir::is_const(expr->kind)) return true;
  if (const auto* binary = ir::as<ir::BinaryExpr>(expr))
    return same_type(of_binary(binary->kind, binary->left, binary->right), binary->type);
  if (expr->kind == NodeKind::Cast) return ir::as_scalar(expr->type) != nullptr;
  if (const auto* unary = ir::as<ir::UnaryExpr>(expr))
    return same_type(of_unary(unary->kind, unary->operand), unary->type);
  if (const auto* call = ir::as<ir::Call>(expr)) return same_type(of_call(*call), call->type);
  if (const auto* submit = ir::as<ir::Submit>(expr)) return same_type(of_submit(submit->op), submit->type);
  if (const auto* item = ir::as<ir::TupleGetItemExpr>(expr)) {
    const ir::Type* member = of_item(item->tuple, item->index);
    return member != nullptr && same_type(member, item->type);
  }
  const auto* tuple = ir::as<ir::MakeTuple>(expr);
  const ir::TupleType* type = ir::as_tuple(expr->type);
  if (type == nullptr || type->types.size() != tuple->elements.size()) return false;
  for (size_t i = 0; i < type->types.size(); ++i)
    if (!same_type(tuple->elements[i]->type, type->types[i])) return false;
  return true;
}

bool has_storage(const ir::Type* type) {
  const ir::ShapedType* shaped = ir::as_shaped(type);
  const ir::TensorType* tensor = ir::as_tensor(type);
  return (shaped != nullptr && shaped->memref != nullptr) || (tensor != nullptr && tensor->window_buffer != nullptr);
}

const ir::Type* without_storage(ir::Context& context, const ir::Type* type) {
  if (!has_storage(type)) return type;
  if (const ir::TensorType* tensor = ir::as_tensor(type)) {
    ir::TensorType bare = *tensor;
    bare.memref = nullptr;
    bare.window_buffer = nullptr;
    return context.copy(bare);
  }
  ir::TileType bare = *ir::as_tile(type);
  bare.memref = nullptr;
  return context.copy(bare);
}

}  // namespace pyptoc::text
