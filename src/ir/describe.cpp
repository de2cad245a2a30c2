// SPDX-License-Identifier: Apache-2.0
// Texts of bounded length, whatever they describe: at most kMaxDepth levels and kMaxParts parts of a list.
#include "ir/describe.h"

#include <fmt/format.h>

namespace pyptoc::ir {

namespace {

constexpr int kMaxDepth = 4;
constexpr size_t kMaxParts = 8;

std::string_view infix(NodeKind kind) {
  switch (kind) {
    case NodeKind::Add:
      return "+";
    case NodeKind::Sub:
      return "-";
    case NodeKind::Mul:
      return "*";
    case NodeKind::FloorDiv:
      return "//";
    case NodeKind::FloorMod:
      return "%";
    case NodeKind::FloatDiv:
      return "/";
    case NodeKind::Eq:
      return "==";
    case NodeKind::Ne:
      return "!=";
    case NodeKind::Lt:
      return "<";
    case NodeKind::Le:
      return "<=";
    case NodeKind::Gt:
      return ">";
    case NodeKind::Ge:
      return ">=";
    default:
      return {};
  }
}

void append(std::string& out, const Expr* expr, int depth);
void append(std::string& out, const Type* type, int depth);

template <class T>
void append_list(std::string& out, List<const T*> list, int depth) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += ", ";
    if (i == kMaxParts) {
      out += "...";
      return;
    }
    append(out, list[i], depth + 1);
  }
}

void append_binary(std::string& out, const BinaryExpr* e, int depth) {
  std::string_view sign = infix(e->kind);
  auto side = [&](const Expr* operand) {
    bool wrap = is_binary(operand->kind) && !infix(operand->kind).empty();
    if (wrap) out += '(';
    append(out, operand, depth + 1);
    if (wrap) out += ')';
  };
  if (sign.empty()) {
    out += name_of(e->kind);
    out += '(';
    append(out, e->left, depth + 1);
    out += ", ";
    append(out, e->right, depth + 1);
    out += ')';
    return;
  }
  side(e->left);
  out += fmt::format(" {} ", sign);
  side(e->right);
}

void append(std::string& out, const Expr* expr, int depth) {
  if (depth > kMaxDepth) {
    out += "...";
  } else if (const Var* var = as<Var>(expr)) {
    out += var->name_hint;
  } else if (const ConstInt* integer = as<ConstInt>(expr)) {
    out += std::to_string(integer->value);
  } else if (const ConstFloat* real = as<ConstFloat>(expr)) {
    out += fmt::format("{}", real->value);
  } else if (const ConstBool* boolean = as<ConstBool>(expr)) {
    out += boolean->value ? "True" : "False";
  } else if (const BinaryExpr* binary = as<BinaryExpr>(expr)) {
    append_binary(out, binary, depth);
  } else if (const UnaryExpr* unary = as<UnaryExpr>(expr)) {
    out += name_of(unary->kind);
    out += '(';
    append(out, unary->operand, depth + 1);
    out += ')';
  } else if (const Call* call = as<Call>(expr)) {
    out += fmt::format("{}(", call->op->name);
    append_list(out, call->args, depth);
    out += ')';
  } else if (const MakeTuple* tuple = as<MakeTuple>(expr)) {
    out += '(';
    append_list(out, tuple->elements, depth);
    out += ')';
  } else if (const TupleGetItemExpr* item = as<TupleGetItemExpr>(expr)) {
    append(out, item->tuple, depth + 1);
    out += fmt::format("[{}]", item->index);
  } else {
    out += "...";
  }
}

void append_shaped(std::string& out, std::string_view name, List<const Expr*> shape, DType dtype, int depth) {
  out += fmt::format("{}[[", name);
  append_list(out, shape, depth);
  out += fmt::format("], {}]", name_of(dtype));
}

void append(std::string& out, const Type* type, int depth) {
  if (depth > kMaxDepth) {
    out += "...";
  } else if (const ScalarType* scalar = as_scalar(type)) {
    out += fmt::format("Scalar[{}]", name_of(scalar->dtype));
  } else if (const TensorType* tensor = as_tensor(type)) {
    append_shaped(out, is_distributed(type) ? "DistributedTensor" : "Tensor", tensor->shape, tensor->dtype, depth);
  } else if (const TileType* tile = as_tile(type)) {
    append_shaped(out, "Tile", tile->shape, tile->dtype, depth);
  } else if (const ArrayType* array = as_array(type)) {
    append_shaped(out, "Array", array->shape, array->dtype, depth);
  } else if (const TupleType* tuple = as_tuple(type)) {
    out += "Tuple[";
    append_list(out, tuple->types, depth);
    out += ']';
  } else {
    out += name_of(type->kind);
  }
}

}  // namespace

std::string describe(const Type* type) {
  std::string out;
  append(out, type, 0);
  return out;
}

std::string describe(const Expr* expr) {
  std::string out;
  append(out, expr, 0);
  return out;
}

}  // namespace pyptoc::ir
