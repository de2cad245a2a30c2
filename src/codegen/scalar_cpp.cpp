// SPDX-License-Identifier: Apache-2.0
#include "codegen/scalar_cpp.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "codegen/dtype_cpp.h"
#include "codegen/scalar_range.h"
#include "diag/codes_emit.h"
#include "ir/depth_guard.h"

namespace pyptoc::codegen {

using namespace ir;

DType dtype_of(const Expr* e) {
  const ScalarType* scalar = as_scalar(e->type);
  return scalar != nullptr ? scalar->dtype : DType::Index;
}

const char* comparison_operator(NodeKind kind) {
  switch (kind) {
    case NodeKind::Eq:
      return "==";
    case NodeKind::Ne:
    case NodeKind::Xor:
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
      return nullptr;
  }
}

bool may_be_negative(const Expr* e, int depth) {
  if (is_unsigned_int(dtype_of(e))) return false;
  if (std::optional<int64_t> value = const_int(e)) return *value < 0;
  const BinaryExpr* b = ir::as<BinaryExpr>(e);
  if (b == nullptr || depth > 16) return true;
  switch (b->kind) {
    case NodeKind::Add:
    case NodeKind::Mul:
    case NodeKind::FloorDiv:
    case NodeKind::Min:
      return may_be_negative(b->left, depth + 1) || may_be_negative(b->right, depth + 1);
    case NodeKind::FloorMod:
      return may_be_negative(b->right, depth + 1);
    case NodeKind::Max:
      return may_be_negative(b->left, depth + 1) && may_be_negative(b->right, depth + 1);
    default:
      return true;
  }
}

std::string ScalarCpp::primary(const Expr* e) {
  Text text = render(e);
  return text.primary ? text.text : "(" + text.text + ")";
}

std::string ScalarCpp::as(DType dtype, const Expr* e) {
  std::optional<std::string_view> to = orchestration_type(dtype);
  std::optional<std::string_view> from = orchestration_type(dtype_of(e));
  bool literal = is_const(e->kind) && dtype != DType::Bool && to != from;
  if (to == from || !to) return expr(e);
  if (literal && const_int(e) && is_integer(dtype)) return fmt::format("{}{{{}}}", *to, *const_int(e));
  return fmt::format("static_cast<{}>({})", *to, expr(e));
}

std::string ScalarCpp::integer(int64_t value, DType dtype) {
  if (value == std::numeric_limits<int64_t>::min()) return "INT64_MIN";
  bool wide = dtype == DType::Int64 || dtype == DType::Index || dtype == DType::UInt64;
  if (!wide || (value <= std::numeric_limits<int32_t>::max() && value >= std::numeric_limits<int32_t>::min()))
    return fmt::format("{}", value);
  return fmt::format("INT64_C({})", value);
}

std::string ScalarCpp::real(double value, DType dtype) {
  bool single = dtype == DType::Fp32;
  if (single) value = static_cast<double>(static_cast<float>(value));
  if (std::isnan(value) || std::isinf(value)) {
    helpers_.cmath = true;
    const char* type = single ? "float" : "double";
    if (std::isnan(value)) return fmt::format("std::numeric_limits<{}>::quiet_NaN()", type);
    return fmt::format("{}std::numeric_limits<{}>::infinity()", value < 0 ? "-" : "", type);
  }
  // The shortest text that reads back as the same value; a float's is the float's own.
  std::string text = single ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return single ? text + "f" : text;
}

ScalarCpp::Text ScalarCpp::render(const Expr* e) {
  DepthGuard guard(depth_);
  if (const ConstInt* c = ir::as<ConstInt>(e)) return {integer(c->value, dtype_of(e)), c->value >= 0};
  if (const ConstBool* c = ir::as<ConstBool>(e)) return {c->value ? "true" : "false", true};
  if (const ConstFloat* c = ir::as<ConstFloat>(e)) return {real(c->value, dtype_of(e)), !std::signbit(c->value)};
  if (!orchestration_type(dtype_of(e)))
    diags_.report(diag::codes::orchestration_scalar_type, place_of(e), name_of(dtype_of(e)));
  if (is_binary(e->kind)) return binary(static_cast<const BinaryExpr*>(e));
  if (is_unary(e->kind)) return unary(static_cast<const UnaryExpr*>(e));
  return {leaf_(e), true};
}

std::string ScalarCpp::function(const char* name, const BinaryExpr* e) {
  std::string_view type = orchestration_type(dtype_of(e)).value_or("int64_t");
  return fmt::format("{}<{}>({}, {})", name, type, expr(e->left), expr(e->right));
}

// In 64 bits, which hold every result of two INT32.
std::string ScalarCpp::wide(const Expr* e) {
  return orchestration_type(dtype_of(e)) == orchestration_type(DType::Int64) ? primary(e) : as(DType::Int64, e);
}

// Conversion of a wider integer keeps its low bits.
ScalarCpp::Text ScalarCpp::narrowed(const std::string& text) {
  return {fmt::format("static_cast<int32_t>({})", text), true};
}

ScalarCpp::Text ScalarCpp::binary(const BinaryExpr* e) {
  auto infix = [&](const char* op) -> Text {
    return {fmt::format("{} {} {}", primary(e->left), op, primary(e->right)), false};
  };
  const bool wraps = dtype_of(e) == DType::Int32 && may_overflow(e);
  // Narrow integers promote to int in C++; the IR's result has the type of its operands, and wraps where it leaves it.
  auto arithmetic = [&](const char* op) -> Text {
    if (wraps) return narrowed(fmt::format("{} {} {}", wide(e->left), op, primary(e->right)));
    Text text = infix(op);
    if (bits_of(dtype_of(e)) >= 32) return text;
    return {fmt::format("static_cast<{}>({})", orchestration_type(dtype_of(e)).value_or("int32_t"), text.text), true};
  };
  auto divided = [&](const Expr* side) {
    return dtype_of(side) == dtype_of(e) ? primary(side) : as(dtype_of(e), side);
  };
  if (const char* comparison = comparison_operator(e->kind)) return infix(comparison);
  bool floats = is_float(dtype_of(e->left));
  bool plain_division = !floats && !may_be_negative(e->left) && !may_be_negative(e->right);
  switch (e->kind) {
    case NodeKind::Add:
      return arithmetic("+");
    case NodeKind::Sub:
      return arithmetic("-");
    case NodeKind::Mul:
      if (dtype_of(e) == DType::UInt16)  // its int may not hold the product
        return {fmt::format("static_cast<uint16_t>({} * {})", as(DType::UInt32, e->left), primary(e->right)), true};
      return arithmetic("*");
    case NodeKind::FloorDiv:
      if (plain_division) return arithmetic("/");
      helpers_.floor_div = true;
      helpers_.cmath |= floats;
      if (wraps) return narrowed(fmt::format("floor_div<int64_t>({}, {})", expr(e->left), expr(e->right)));
      return {function("floor_div", e), true};
    case NodeKind::FloorMod:
      if (plain_division) return arithmetic("%");
      helpers_.floor_mod = true;
      helpers_.cmath |= floats;
      if (dtype_of(e) == DType::Int32 && const_int(e->right).value_or(-1) == -1)  // the quotient must fit as well
        return narrowed(fmt::format("floor_mod<int64_t>({}, {})", expr(e->left), expr(e->right)));
      return {function("floor_mod", e), true};
    case NodeKind::FloatDiv:
      return {fmt::format("{} / {}", divided(e->left), divided(e->right)), false};
    case NodeKind::Min:
      helpers_.algorithm = true;
      return {function("std::min", e), true};
    case NodeKind::Max:
      helpers_.algorithm = true;
      return {function("std::max", e), true};
    case NodeKind::Pow:
      helpers_.int_pow |= !floats;
      helpers_.cmath |= floats;
      return {function(floats ? "std::pow" : "int_pow", e), true};
    case NodeKind::And:
      return infix("&&");
    case NodeKind::Or:
      return infix("||");
    case NodeKind::BitAnd:
      return arithmetic("&");
    case NodeKind::BitOr:
      return arithmetic("|");
    case NodeKind::BitXor:
      return arithmetic("^");
    case NodeKind::BitShiftLeft:
      return arithmetic("<<");
    case NodeKind::BitShiftRight:
      return arithmetic(">>");
    default:
      PYPTOC_UNREACHABLE("binary kind");
  }
}

ScalarCpp::Text ScalarCpp::unary(const UnaryExpr* e) {
  std::string_view type = orchestration_type(dtype_of(e)).value_or("int64_t");
  switch (e->kind) {
    case NodeKind::Neg:
      if (is_integer(dtype_of(e)) && bits_of(dtype_of(e)) < 32)
        return {fmt::format("static_cast<{}>(-{})", type, primary(e->operand)), true};
      if (dtype_of(e) == DType::Int32 && may_overflow(e)) return narrowed("-" + wide(e->operand));
      return {"-" + primary(e->operand), false};
    case NodeKind::Not:
      return {"!" + primary(e->operand), false};
    case NodeKind::BitNot:
      return {fmt::format("static_cast<{}>(~{})", type, primary(e->operand)), true};
    case NodeKind::Abs: {
      if (is_unsigned_int(dtype_of(e))) return render(e->operand);
      helpers_.cmath = true;
      if (dtype_of(e) == DType::Int32 && may_overflow(e))
        return narrowed(fmt::format("std::abs({})", wide(e->operand)));
      return {fmt::format("static_cast<{}>(std::abs({}))", type, expr(e->operand)), true};
    }
    case NodeKind::Cast:
      if (orchestration_type(dtype_of(e->operand)) == orchestration_type(dtype_of(e))) return render(e->operand);
      return {fmt::format("static_cast<{}>({})", type, expr(e->operand)), true};
    default:
      PYPTOC_UNREACHABLE("unary kind");
  }
}

}  // namespace pyptoc::codegen
