// SPDX-License-Identifier: Apache-2.0
// Printing of expressions other than calls.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "support/literals.h"
#include "text/print_impl.h"
#include "text/type_match.h"

namespace pyptoc::text {

using ir::NodeKind;

namespace {
Prec above(Prec prec) {
  return static_cast<Prec>(static_cast<int>(prec) + 1);
}
bool is_bool(const ir::Expr* expr) {
  return ir::is_scalar_of(expr->type, ir::DType::Bool);
}
bool is_shaped(const ir::Expr* expr) {
  return ir::as_shaped(expr->type) != nullptr;
}
}  // namespace

void Printer::number(int64_t value) {
  char digits[24];
  out_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void Printer::float_literal(double value) {
  if (!std::isfinite(value)) {
    out_ += std::isnan(value) ? "float(\"nan\")" : value < 0 ? "float(\"-inf\")" : "float(\"inf\")";
    return;
  }
  char digits[40];
  std::string_view text(digits, static_cast<size_t>(std::to_chars(digits, digits + sizeof digits, value).ptr - digits));
  out_ += text;
  if (text.find_first_of(".e") == std::string_view::npos) out_ += ".0";
}

void Printer::string_literal(std::string_view text) {
  bool plain =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (!plain) {
    out_ += support::python_string_literal(text);
    return;
  }
  out_ += '"';
  out_ += text;
  out_ += '"';
}

void Printer::const_int(const ir::ConstInt& value, ir::DType otherwise, Prec at_least) {
  const ir::ScalarType* scalar = ir::as_scalar(value.type);
  if (scalar != nullptr && scalar->dtype == otherwise) {
    bool bracket = value.value < 0 && at_least > Prec::Unary;
    if (bracket) out_ += '(';
    number(value.value);
    if (bracket) out_ += ')';
    return;
  }
  bool typed_literal = scalar != nullptr && !ir::is_float(scalar->dtype);
  out_ += typed_literal ? "pl.const(" : "pl.typed(";
  number(value.value);
  out_ += ", ";
  if (typed_literal)
    dtype(scalar->dtype);
  else
    type(value.type);
  out_ += ')';
}

void Printer::const_float(const ir::ConstFloat& value, Prec at_least) {
  const ir::ScalarType* scalar = ir::as_scalar(value.type);
  if (scalar != nullptr && scalar->dtype == ir::DType::Fp32) {
    bool bracket = std::signbit(value.value) && at_least > Prec::Unary;
    if (bracket) out_ += '(';
    float_literal(value.value);
    if (bracket) out_ += ')';
    return;
  }
  bool typed_literal = scalar != nullptr && ir::is_float(scalar->dtype);
  out_ += typed_literal ? "pl.const(" : "pl.typed(";
  float_literal(value.value);
  out_ += ", ";
  if (typed_literal)
    dtype(scalar->dtype);
  else
    type(value.type);
  out_ += ')';
}

void Printer::binary(const ir::BinaryExpr& node, Prec at_least) {
  // Infix on tensors and tiles is sugar for operators, so the node itself needs another spelling there.
  if (is_shaped(node.left) || is_shaped(node.right)) {
    out_ += "pl.binary(\"";
    out_ += ir::name_of(node.kind);
    out_ += "\", ";
    expr(node.left);
    out_ += ", ";
    expr(node.right);
    out_ += ')';
    return;
  }
  BinarySpelling spelling = spelling_of(node.kind, is_bool(node.left) && is_bool(node.right));
  if (spelling.prec == Prec::Atom) {
    out_ += spelling.text;
    out_ += '(';
    expr(node.left);
    out_ += ", ";
    expr(node.right);
    out_ += ')';
    return;
  }
  Prec left = spelling.prec;
  Prec right = above(spelling.prec);
  if (spelling.prec == Prec::Compare) left = right;  // comparisons do not chain
  if (spelling.prec == Prec::Power) {
    left = Prec::Atom;
    right = Prec::Unary;
  }
  bool bracket = spelling.prec < at_least;
  if (bracket) out_ += '(';
  expr(node.left, left);
  out_ += spelling.text;
  expr(node.right, right);
  if (bracket) out_ += ')';
}

void Printer::unary(const ir::UnaryExpr& node, Prec at_least) {
  if (node.kind == NodeKind::Abs) {
    out_ += "abs(";
    expr(node.operand);
    out_ += ')';
    return;
  }
  if (node.kind == NodeKind::Cast) {
    // `pl.cast` of a tensor or tile is an operator.
    out_ += ir::as_scalar(node.operand->type) != nullptr ? "pl.cast(" : "pl.scalar_cast(";
    expr(node.operand);
    out_ += ", ";
    const ir::ScalarType* scalar = ir::as_scalar(node.type);
    dtype(scalar != nullptr ? scalar->dtype : ir::DType::Index);
    out_ += ')';
    return;
  }
  Prec own = node.kind == NodeKind::Not ? Prec::Not : Prec::Unary;
  bool bracket = own < at_least;
  if (bracket) out_ += '(';
  out_ += node.kind == NodeKind::Not ? "not " : node.kind == NodeKind::Neg ? "-" : "~";
  // `-5` is a constant, so the negation of 5 is `-(5)`.
  bool literal = node.kind == NodeKind::Neg && ir::is_const(node.operand->kind);
  if (literal) out_ += '(';
  expr(node.operand, own);
  if (literal) out_ += ')';
  if (bracket) out_ += ')';
}

void Printer::item(const ir::TupleGetItemExpr& node) {
  if (types_.of_item(node.tuple, node.index) != nullptr || program_ == nullptr) {
    expr(node.tuple, Prec::Atom);
    out_ += '[';
    number(node.index);
    out_ += ']';
    return;
  }
  out_ += "pl.get_item(";
  expr(node.tuple);
  out_ += ", ";
  number(node.index);
  out_ += ')';
}

void Printer::raw_expr(const ir::Expr* node, Prec at_least) {
  if (const auto* variable = ir::as<ir::Var>(node)) return var(variable);
  if (const auto* value = ir::as<ir::ConstInt>(node)) return const_int(*value, ir::DType::Index, at_least);
  if (const auto* value = ir::as<ir::ConstFloat>(node)) return const_float(*value, at_least);
  if (const auto* value = ir::as<ir::BinaryExpr>(node)) return binary(*value, at_least);
  if (const auto* value = ir::as<ir::UnaryExpr>(node)) return unary(*value, at_least);
  if (const auto* value = ir::as<ir::Call>(node)) return call(*value);
  if (const auto* value = ir::as<ir::Submit>(node)) return submit(*value);
  if (const auto* value = ir::as<ir::TupleGetItemExpr>(node)) return item(*value);
  if (const auto* value = ir::as<ir::MakeTuple>(node)) return shape(value->elements);
  const auto* value = ir::as<ir::ConstBool>(node);
  bool plain = is_bool(node);
  if (!plain) out_ += "pl.typed(";
  out_ += value->value ? "True" : "False";
  if (plain) return;
  out_ += ", ";
  type(node->type);
  out_ += ')';
}

void Printer::typed(const ir::Expr* node, const ir::Type* type_node) {
  out_ += "pl.typed(";
  raw_expr(node, Prec::Lowest);
  out_ += ", ";
  type(type_node);
  out_ += ')';
}

void Printer::expr(const ir::Expr* node, Prec at_least) {
  Deeper deeper(*this);
  if (deeper.too_deep() || --budget_ < 0) {
    out_ += "...";
  } else if (program_ == nullptr || types_.follows(node)) {
    raw_expr(node, at_least);
  } else {
    typed(node, node->type);
  }
}

}  // namespace pyptoc::text
