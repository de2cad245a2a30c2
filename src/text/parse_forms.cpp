// SPDX-License-Identifier: Apache-2.0
// Parsing: calls that have a form of their own.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "text/forms.h"
#include "text/parse_support.h"

namespace pyptoc::text {

using ir::NodeKind;

// Stands at the `(`.
const ir::Expr* Parser::form(uint32_t form_number, uint32_t first) {
  switch (static_cast<Form>(form_number)) {
    case Form::Const:
      return form_const(first);
    case Form::Typed:
      return form_typed(first);
    case Form::Cast:
      return form_cast(first, false);
    case Form::ScalarCast:
      return form_cast(first, true);
    case Form::Min:
      return form_two(NodeKind::Min, first);
    case Form::Max:
      return form_two(NodeKind::Max, first);
    case Form::LogicalXor:
      return form_two(NodeKind::Xor, first);
    case Form::BitXor:
      return form_two(NodeKind::BitXor, first);
    case Form::Binary:
      return form_binary(first);
    case Form::GetItem:
      return form_item(first);
    case Form::Op:
    case Form::Func:
      return form_op(first, static_cast<Form>(form_number) == Form::Func);
    case Form::Submit:
    case Form::SpmdSubmit:
      return form_submit(first);
  }
  PYPTOC_UNREACHABLE("form");
}

const ir::Expr* Parser::form_const(uint32_t first) {
  expect(Tok::LParen);
  uint32_t at = pos_;
  bool negative = take(Tok::Minus);
  uint32_t literal = pos_;
  bool number_ahead = is(Tok::Int) || is(Tok::Float);
  if (number_ahead) {
    next();
  } else if (is_word(words::w_float) && !negative) {
    float_call(pos_);
  } else {
    fail_expected("a number");
  }
  expect(Tok::Comma);
  ir::DType element = dtype();
  expect(Tok::RParen);
  uint32_t end = pos_;
  pos_ = literal;
  const ir::Expr* out = nullptr;
  if (!number_ahead)
    out = with_type(float_call(at), context_.scalar_type(element));
  else if (is(Tok::Int))
    out = int_literal(negative, first, element);
  else
    out = float_literal(negative, first, element);
  pos_ = end;
  return out;
}

// `float("inf")` and its like.
const ir::Expr* Parser::float_call(uint32_t first) {
  expect_word(words::w_float);
  expect(Tok::LParen);
  uint32_t at = pos_;
  std::string name = string_value();
  double value = 0;
  if (name == "nan") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (name == "inf" || name == "-inf") {
    value = name[0] == '-' ? -HUGE_VAL : HUGE_VAL;
  } else {
    report(diag::codes::bad_number, at, at, name);
    throw Fault{};
  }
  expect(Tok::RParen);
  ir::ConstFloat node = draft<ir::ConstFloat>(NodeKind::ConstFloat, first, context_.scalar_type(ir::DType::Fp32));
  node.value = value;
  return context_.make(node);
}

// `pl.typed(value, type)`: the value with a type that does not follow from its parts.
const ir::Expr* Parser::form_typed(uint32_t) {
  expect(Tok::LParen);
  const ir::Expr* inner = expr();
  expect(Tok::Comma);
  const ir::Type* wanted = type();
  expect(Tok::RParen);
  return with_type(inner, wanted);
}

// `pl.cast(x, pl.INT32)` of a scalar; of a tensor or tile it is an operator.
const ir::Expr* Parser::form_cast(uint32_t first, bool always_scalar) {
  uint32_t start = pos_;
  expect(Tok::LParen);
  const ir::Expr* operand = expr();
  if (!always_scalar && ir::as_shaped(operand->type) != nullptr) {
    pos_ = start;
    Callee to;
    to.name = "cast";
    return short_call(to, first);
  }
  expect(Tok::Comma);
  if (is(Tok::Name) && tok(1).kind == Tok::Assign) pos_ += 2;  // target_type=
  ir::DType element = dtype();
  expect(Tok::RParen);
  ir::UnaryExpr node = draft<ir::UnaryExpr>(NodeKind::Cast, first, context_.scalar_type(element));
  node.operand = operand;
  return context_.make(node);
}

// A function of two operands: `min(a, b)`. Stands at its name or at its `(`.
const ir::Expr* Parser::form_two(NodeKind kind, uint32_t first) {
  if (is(Tok::Name)) next();
  expect(Tok::LParen);
  const ir::Expr* left = expr();
  expect(Tok::Comma);
  const ir::Expr* right = expr();
  take(Tok::Comma);
  expect(Tok::RParen);
  return raw_binary(kind, left, right, first);
}

const ir::Expr* Parser::raw_binary(NodeKind kind, const ir::Expr* left, const ir::Expr* right, uint32_t first) {
  ir::BinaryExpr node = draft<ir::BinaryExpr>(kind, first, types_.of_binary(kind, left, right));
  if (is_poison(left) || is_poison(right)) node.type = poison_type_;
  node.left = left;
  node.right = right;
  return context_.make(node);
}

// `pl.binary("Add", a, b)`: the node itself, where infix would mean an operator of the table.
const ir::Expr* Parser::form_binary(uint32_t first) {
  expect(Tok::LParen);
  uint32_t at = pos_;
  std::string name = string_value();
  std::optional<NodeKind> kind;
  for (int k = static_cast<int>(NodeKind::Add); k <= static_cast<int>(NodeKind::BitShiftRight); ++k)
    if (ir::name_of(static_cast<NodeKind>(k)) == name) kind = static_cast<NodeKind>(k);
  if (!kind.has_value()) {
    report(diag::codes::unknown_operator, at, at, name);
    throw Fault{};
  }
  expect(Tok::Comma);
  const ir::Expr* left = expr();
  expect(Tok::Comma);
  const ir::Expr* right = expr();
  expect(Tok::RParen);
  return raw_binary(*kind, left, right, first);
}

const ir::Expr* Parser::form_item(uint32_t first) {
  expect(Tok::LParen);
  const ir::Expr* tuple = expr();
  expect(Tok::Comma);
  int64_t index = int_value();
  expect(Tok::RParen);
  return make_item(tuple, index, first);
}

const ir::Expr* Parser::make_item(const ir::Expr* tuple, int64_t index, uint32_t first) {
  const ir::Type* member = types_.of_item(tuple, index);
  ir::TupleGetItemExpr node = draft<ir::TupleGetItemExpr>(NodeKind::TupleGetItemExpr, first);
  node.type = member != nullptr ? member : context_.plain_type(ir::TypeKind::UnknownType);
  if (is_poison(tuple)) node.type = poison_type_;
  node.tuple = tuple;
  node.index = index;
  return context_.make(node);
}

// `pl.op("name")(...)` and `pl.func("name")(...)`, for names that are no Python names.
const ir::Expr* Parser::form_op(uint32_t first, bool function) {
  const ir::Op* op = named_op(function);
  if (!is(Tok::LParen)) fail_expected("`(`");
  return op_call_written(op, first, false);
}

const ir::Op* Parser::named_op(bool function) {
  expect(Tok::LParen);
  uint32_t at = pos_;
  std::string_view name = context_.intern(string_value());
  expect(Tok::RParen);
  return function ? function_op(name, at) : context_.op(name, false);
}

// The callee as an argument of a submit: `self.kernel`, `kernel`, `pl.tensor.add`, `pl.op("...")`.
const ir::Op* Parser::callee_argument() {
  uint32_t first = pos_;
  if (take_word(words::w_self)) {
    expect(Tok::Dot);
    if (!is(Tok::Name)) fail_expected("the name of a function");
    next();
    return function_op(context_.intern(text(tokens_[pos_ - 1])), pos_ - 1);
  }
  bool distributed = is_word(words::w_pld);
  if (!distributed && !is_word(words::w_pl)) {
    NameId name = expect_name("the function to submit");
    return function_op(context_.intern(names_.text(name)), first);
  }
  next();
  expect(Tok::Dot);
  const Callee to = callee(first, distributed);
  if (to.kind == Callee::Kind::Op) return to.op;
  bool named = to.kind == Callee::Kind::Form &&
               (to.form == static_cast<uint32_t>(Form::Op) || to.form == static_cast<uint32_t>(Form::Func));
  if (!named) fail_expected("the function to submit");
  return named_op(to.form == static_cast<uint32_t>(Form::Func));
}

const ir::Expr* Parser::form_submit(uint32_t first) {
  expect(Tok::LParen);
  const ir::Op* op = callee_argument();
  std::vector<Argument> given;
  if (!is(Tok::RParen)) expect(Tok::Comma);
  given = arguments_behind();
  ir::Submit node = draft<ir::Submit>(NodeKind::Submit, first);
  node.op = op;
  std::vector<ir::Attr> attrs = std::move(attrs_);
  std::vector<const ir::Expr*> args;
  std::vector<ir::Attr> kwargs;
  for (Argument& argument : given) submit_argument(node, argument, args, kwargs, attrs);
  add_overrides(given, attrs);
  node.args = context_.list(args);
  node.kwargs = context_.list(kwargs);
  node.attrs = context_.list(attrs);
  bool whole_value = wanted_type_ != nullptr && wanted_at_ == first && is(Tok::Newline);
  node.type = whole_value ? without_storage(context_, wanted_type_) : types_.of_submit(op);
  return context_.make(node);
}

void Parser::submit_argument(ir::Submit& node, Argument& argument, std::vector<const ir::Expr*>& args,
                             std::vector<ir::Attr>& kwargs, std::vector<ir::Attr>& attrs) {
  Value& given = argument.value;
  if (argument.key.empty()) {
    args.push_back(expr_of(given));
  } else if (argument.spread) {
    kwargs.push_back({argument.key, attr_value(argument.key, given)});
  } else if (argument.key == "deps") {
    std::vector<const ir::Expr*> deps;
    if (given.kind != Value::Kind::List) deps = {expr_of(given)};
    for (Value& item : given.items) deps.push_back(expr_of(item));
    node.deps = context_.list(deps);
  } else if (argument.key == "core_num") {
    node.core_num = expr_of(given);
  } else if (argument.key == "sync_start") {
    node.sync_start = flag_of(given);
  } else if (argument.key == "allow_early_resolve") {
    node.allow_early_resolve = flag_of(given);
  } else if (argument.key == "predicate") {
    node.predicate = expr_of(given);
  } else if (argument.key == "device") {
    attrs.insert(attrs.begin(), {"device", ir::AttrValue::of_expr(expr_of(given))});
  } else if (argument.key == "dumps") {
    std::vector<const ir::Var*> vars;
    var_list(given, vars);
    attrs.push_back({"dump_vars", ir::AttrValue::of_vars(context_.list(vars))});
  } else {
    kwargs.push_back({context_.intern(argument.key), attr_value(argument.key, given)});
  }
}

bool Parser::flag_of(Value& given) {
  const auto* constant = given.kind == Value::Kind::Expr ? ir::as<ir::ConstBool>(given.expr) : nullptr;
  if (constant == nullptr) {
    report(diag::codes::text_syntax, given.begin, given.begin, "`True` or `False`", found(tokens_[given.begin]));
    throw Fault{};
  }
  return constant->value;
}

}  // namespace pyptoc::text
