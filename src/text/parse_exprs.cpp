// SPDX-License-Identifier: Apache-2.0
// Parsing: expressions other than calls.
#include "text/parse_support.h"

namespace pyptoc::text {

using ir::NodeKind;

namespace {

struct Infix {
  Prec prec;
  NodeKind kind;
};
// Infix operators; Prec::Lowest for what is none. `not in` and `is` are no operators of the DSL.
Infix infix_of(const Token& token) {
  switch (token.kind) {
    case Tok::Plus:
      return {Prec::Arith, NodeKind::Add};
    case Tok::Minus:
      return {Prec::Arith, NodeKind::Sub};
    case Tok::Star:
      return {Prec::Term, NodeKind::Mul};
    case Tok::Slash:
      return {Prec::Term, NodeKind::FloatDiv};
    case Tok::SlashSlash:
      return {Prec::Term, NodeKind::FloorDiv};
    case Tok::Percent:
      return {Prec::Term, NodeKind::FloorMod};
    case Tok::StarStar:
      return {Prec::Power, NodeKind::Pow};
    case Tok::Amp:
      return {Prec::BitAnd, NodeKind::BitAnd};
    case Tok::Pipe:
      return {Prec::BitOr, NodeKind::BitOr};
    case Tok::Caret:
      return {Prec::BitXor, NodeKind::BitXor};
    case Tok::Shl:
      return {Prec::Shift, NodeKind::BitShiftLeft};
    case Tok::Shr:
      return {Prec::Shift, NodeKind::BitShiftRight};
    case Tok::EqEq:
      return {Prec::Compare, NodeKind::Eq};
    case Tok::NotEq:
      return {Prec::Compare, NodeKind::Ne};
    case Tok::Lt:
      return {Prec::Compare, NodeKind::Lt};
    case Tok::Le:
      return {Prec::Compare, NodeKind::Le};
    case Tok::Gt:
      return {Prec::Compare, NodeKind::Gt};
    case Tok::Ge:
      return {Prec::Compare, NodeKind::Ge};
    case Tok::Name:
      if (token.id == words::kw_and) return {Prec::And, NodeKind::And};
      if (token.id == words::kw_or) return {Prec::Or, NodeKind::Or};
      return {Prec::Lowest, NodeKind::Add};
    default:
      return {Prec::Lowest, NodeKind::Add};
  }
}

Prec above(Prec prec) {
  return static_cast<Prec>(static_cast<int>(prec) + 1);
}
bool is_bool(const ir::Expr* expr) {
  return ir::is_scalar_of(expr->type, ir::DType::Bool);
}

}  // namespace

const ir::Expr* Parser::expr(Prec at_least) {
  Deeper deeper(*this);
  uint32_t first = pos_;
  const ir::Expr* left = prefix(at_least);
  bool compared = false;
  int chain = 0;
  while (true) {
    Infix op = infix_of(tok());
    if (op.prec == Prec::Lowest || op.prec < at_least) break;
    if (op.prec == Prec::Compare && compared) {
      report(diag::codes::chained_comparison, pos_, pos_).help("write `a < b and b < c`");
      throw Fault{};
    }
    compared = op.prec == Prec::Compare;
    // The tree grows one level deeper with each operator of a chain.
    if (++chain + depth_ > kMaxTextNesting) {
      report(diag::codes::text_too_deep, pos_, pos_, kMaxTextNesting);
      throw Fault{};
    }
    next();
    const ir::Expr* right = expr(op.prec == Prec::Power ? Prec::Unary : above(op.prec));
    left = make_binary(op.kind, left, right, first);
  }
  if (is_word(words::kw_if) && at_least == Prec::Lowest) {
    report(diag::codes::not_in_dsl, pos_, pos_, "a conditional expression").help("use an `if` statement");
    throw Fault{};
  }
  return left;
}

const ir::Expr* Parser::prefix(Prec at_least) {
  uint32_t first = pos_;
  if (is_word(words::kw_not)) {
    if (at_least > Prec::Not) fail_expected("an expression");
    next();
    return make_unary(NodeKind::Not, expr(Prec::Not), first);
  }
  if (take(Tok::Minus)) {
    // `-5` is a constant, but `-5 ** 2` negates a power.
    bool literal = (is(Tok::Int) || is(Tok::Float)) && tok(1).kind != Tok::StarStar;
    if (literal) return number(true, first);
    return make_unary(NodeKind::Neg, expr(Prec::Unary), first);
  }
  if (take(Tok::Plus)) return expr(Prec::Unary);
  if (take(Tok::Tilde)) return make_unary(NodeKind::BitNot, expr(Prec::Unary), first);
  return postfix(primary(), first);
}

const ir::Expr* Parser::postfix(const ir::Expr* value, uint32_t first) {
  int chain = 0;
  while (is(Tok::LBracket)) {
    if (++chain + depth_ > kMaxTextNesting) {
      report(diag::codes::text_too_deep, pos_, pos_, kMaxTextNesting);
      throw Fault{};
    }
    value = subscript(value, first);
  }
  if (is(Tok::LParen) || is(Tok::Dot)) fail_expected("an operator or the end of the expression");
  return value;
}

const ir::Expr* Parser::int_literal(bool negative, uint32_t first, ir::DType dtype) {
  std::optional<int64_t> value = parse_int(text(tok()), negative);
  bool wraps = value.has_value() && *value < 0 && !negative;
  if (!value.has_value() || wraps) {
    diag::Engine::Builder fault = report(diag::codes::bad_number, pos_, pos_, text(tok()));
    // Files hold no greater one either.
    if (wraps) fault.help("integers of a program are below 2^63, those of type UINT64 too");
    throw Fault{};
  }
  next();
  if (ir::is_float(dtype)) {
    ir::ConstFloat node = draft<ir::ConstFloat>(NodeKind::ConstFloat, first, context_.scalar_type(dtype));
    node.value = static_cast<double>(*value);
    return context_.make(node);
  }
  ir::ConstInt node = draft<ir::ConstInt>(NodeKind::ConstInt, first, context_.scalar_type(dtype));
  node.value = *value;
  return context_.make(node);
}

const ir::Expr* Parser::float_literal(bool negative, uint32_t first, ir::DType dtype) {
  std::optional<double> value = parse_float(text(tok()));
  if (!value.has_value()) {
    report(diag::codes::bad_number, pos_, pos_, text(tok()));
    throw Fault{};
  }
  next();
  ir::ConstFloat node = draft<ir::ConstFloat>(NodeKind::ConstFloat, first, context_.scalar_type(dtype));
  node.value = negative ? -*value : *value;
  return context_.make(node);
}

const ir::Expr* Parser::number(bool negative, uint32_t first) {
  if (is(Tok::Int)) return int_literal(negative, first, ir::DType::Index);
  return float_literal(negative, first, ir::DType::Fp32);
}

const ir::Expr* Parser::bracketed_list() {
  uint32_t first = pos_;
  expect(Tok::LBracket);
  std::vector<const ir::Expr*> elements;
  while (!is(Tok::RBracket)) {
    elements.push_back(expr());
    if (!take(Tok::Comma)) break;
  }
  expect(Tok::RBracket);
  return make_tuple(elements, first);
}

const ir::Expr* Parser::primary() {
  uint32_t first = pos_;
  switch (tok().kind) {
    case Tok::Int:
    case Tok::Float:
      return number(false, first);
    case Tok::LBracket:
      return bracketed_list();
    case Tok::LParen: {
      next();
      std::vector<const ir::Expr*> elements;
      bool tuple = is(Tok::RParen);
      while (!is(Tok::RParen)) {
        elements.push_back(expr());
        if (!take(Tok::Comma)) break;
        tuple = true;
      }
      expect(Tok::RParen);
      return tuple ? make_tuple(elements, first) : elements.front();
    }
    case Tok::Name:
      break;
    case Tok::String:
      report(diag::codes::not_in_dsl, pos_, pos_, "a string as a value");
      throw Fault{};
    default:
      fail_expected("an expression");
  }
  if (const ir::Expr* call = builtin_call(first)) return call;
  switch (tok().id) {
    case words::w_pl:
    case words::w_pld:
      return pl_expr();
    case words::w_self:
      return self_call();
    case words::kw_True:
    case words::kw_False: {
      bool value = is_word(words::kw_True);
      next();
      ir::ConstBool node = draft<ir::ConstBool>(NodeKind::ConstBool, first, context_.scalar_type(ir::DType::Bool));
      node.value = value;
      return context_.make(node);
    }
    default:
      break;
  }
  if (!is_plain_name()) fail_expected("an expression");
  if (tok(1).kind == Tok::LParen) {
    std::string_view name = text(tok());
    next();
    return function_call(name, first);
  }
  return name_expr();
}

// A call of one of Python's own functions; null: none is here. Their names are also those of variables, which hide
// them.
const ir::Expr* Parser::builtin_call(uint32_t first) {
  if (tok(1).kind != Tok::LParen || lookup_var(tok().id) != nullptr) return nullptr;
  switch (tok().id) {
    case words::w_min:
      return form_two(NodeKind::Min, first);
    case words::w_max:
      return form_two(NodeKind::Max, first);
    case words::w_abs: {
      next();
      expect(Tok::LParen);
      const ir::Expr* operand = expr();
      expect(Tok::RParen);
      return make_unary(NodeKind::Abs, operand, first);
    }
    case words::w_float:
      return float_call(first);
    default:
      return nullptr;
  }
}

const ir::Expr* Parser::make_binary(NodeKind kind, const ir::Expr* left, const ir::Expr* right, uint32_t first) {
  if (ir::as_shaped(left->type) != nullptr || ir::as_shaped(right->type) != nullptr)
    return shaped_binary(kind, left, right, first);
  if (kind == NodeKind::BitXor && is_bool(left) && is_bool(right)) kind = NodeKind::Xor;
  ir::BinaryExpr node = draft<ir::BinaryExpr>(kind, first, types_.of_binary(kind, left, right));
  if (is_poison(left) || is_poison(right)) node.type = poison_type_;
  node.left = left;
  node.right = right;
  return context_.make(node);
}

const ir::Expr* Parser::make_unary(NodeKind kind, const ir::Expr* operand, uint32_t first) {
  ir::UnaryExpr node = draft<ir::UnaryExpr>(kind, first, types_.of_unary(kind, operand));
  node.operand = operand;
  return context_.make(node);
}

const ir::Expr* Parser::make_tuple(const std::vector<const ir::Expr*>& elements, uint32_t first) {
  ir::MakeTuple node = draft<ir::MakeTuple>(NodeKind::MakeTuple, first);
  node.elements = context_.list(elements);
  node.type = types_.of_tuple(node.elements);
  return context_.make(node);
}

// The same node with another type.
const ir::Expr* Parser::with_type(const ir::Expr* node, const ir::Type* type) {
  if (ir::is_var(node->kind)) return node;
  return ir::dispatch(node, [&](const auto& there) -> const ir::Expr* {
    using S = std::remove_cvref_t<decltype(there)>;
    if constexpr (std::is_base_of_v<ir::Expr, S>) {
      S copy = there;
      copy.type = type;
      return context_.make(copy);
    } else {
      PYPTOC_UNREACHABLE("not an expression");
    }
  });
}

}  // namespace pyptoc::text
