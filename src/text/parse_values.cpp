// SPDX-License-Identifier: Apache-2.0
// Parsing: values of keyword arguments and attributes.
#include <fmt/format.h>

#include "text/parse_support.h"

namespace pyptoc::text {

using ir::AttrKind;
using ir::AttrValue;

namespace {

enum class Family {
  MemorySpace,
  TensorLayout,
  TileLayout,
  PadValue,
  Adir,
  SplitMode,
  Reduce,
  Notify,
  Wait,
  Atomic,
  Pipe
};
struct FamilyRow {
  std::string_view name;
  Family family;
};
// Enumerations behind `pl.` and `pld.`.
constexpr FamilyRow kFamilies[] = {
    {"Mem", Family::MemorySpace},       {"MemorySpace", Family::MemorySpace}, {"TensorLayout", Family::TensorLayout},
    {"TileLayout", Family::TileLayout}, {"PadValue", Family::PadValue},       {"adir", Family::Adir},
    {"SplitMode", Family::SplitMode},   {"ReduceOp", Family::Reduce},         {"NotifyOp", Family::Notify},
    {"WaitCmp", Family::Wait},          {"AtomicType", Family::Atomic},       {"PipeType", Family::Pipe},
};

// In the order of the runtime's pipes.
constexpr std::string_view kPipes[] = {"MTE1", "MTE2", "MTE3", "M", "V", "S", "FIX", "ALL"};

template <class E>
std::vector<std::string_view> names_of() {
  std::vector<std::string_view> out;
  for (const ir::EnumRow& row : ir::EnumTraits<E>::kRows) out.push_back(row.name);
  return out;
}
std::vector<std::string_view> copied(ir::List<std::string_view> names) {
  return {names.begin(), names.end()};
}

// The names that an enumeration has, for help.
std::vector<std::string_view> members(Family family) {
  switch (family) {
    case Family::MemorySpace:
      return names_of<ir::MemorySpace>();
    case Family::TensorLayout:
      return names_of<ir::TensorLayout>();
    case Family::TileLayout:
      return names_of<ir::TileLayout>();
    case Family::PadValue:
      return names_of<ir::PadValue>();
    case Family::Adir:
      return {"input", "output", "inout", "output_existing", "no_dep", "scalar", "none"};
    case Family::SplitMode:
      return {"NONE", "UP_DOWN", "LEFT_RIGHT"};
    case Family::Reduce:
      return copied(ir::enumerators(ir::KeywordKind::ReduceOp));
    case Family::Notify:
      return copied(ir::enumerators(ir::KeywordKind::NotifyOp));
    case Family::Wait:
      return copied(ir::enumerators(ir::KeywordKind::WaitCmp));
    case Family::Atomic:
      return copied(ir::enumerators(ir::KeywordKind::Atomic));
    case Family::Pipe:
      return copied(kPipes);
  }
  return {};
}

template <class E>
std::optional<AttrValue> enum_value(AttrKind kind, std::string_view name) {
  std::optional<E> value = ir::enum_from_name<E>(name);
  if (!value.has_value()) return std::nullopt;
  return AttrValue::of_enum(kind, static_cast<int64_t>(*value));
}

std::optional<AttrValue> position_in(ir::List<std::string_view> names, std::string_view name) {
  if (name.ends_with('_')) name.remove_suffix(1);  // `AtomicType.None_`
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return AttrValue::of_int(static_cast<int64_t>(i));
  return std::nullopt;
}

std::optional<AttrValue> member(Family family, std::string_view name) {
  switch (family) {
    case Family::MemorySpace:
      return enum_value<ir::MemorySpace>(AttrKind::MemorySpace, name);
    case Family::TensorLayout:
      return enum_value<ir::TensorLayout>(AttrKind::TensorLayout, name);
    case Family::TileLayout:
      return enum_value<ir::TileLayout>(AttrKind::TileLayout, name);
    case Family::PadValue:
      return enum_value<ir::PadValue>(AttrKind::PadValue, name);
    case Family::Adir: {
      std::optional<ir::ArgDirection> direction = adir_from_name(name);
      if (name == "none") return AttrValue::of_ints(AttrKind::ArgDirectionVector, {});
      if (!direction.has_value()) return std::nullopt;
      return AttrValue::of_enum(AttrKind::ArgDirection, static_cast<int64_t>(*direction));
    }
    case Family::SplitMode: {
      std::optional<ir::SplitMode> mode = split_mode_from_name(name);
      if (!mode.has_value()) return std::nullopt;
      return AttrValue::of_int(static_cast<int64_t>(*mode));
    }
    case Family::Reduce:
      return position_in(ir::enumerators(ir::KeywordKind::ReduceOp), name);
    case Family::Notify:
      return position_in(ir::enumerators(ir::KeywordKind::NotifyOp), name);
    case Family::Wait:
      return position_in(ir::enumerators(ir::KeywordKind::WaitCmp), name);
    case Family::Atomic:
      return position_in(ir::enumerators(ir::KeywordKind::Atomic), name);
    case Family::Pipe:
      return position_in(kPipes, name);
  }
  return std::nullopt;
}

}  // namespace

// `pl.FP32`, `pl.Mem.Vec`, `"text"` and their like. False when something else stands here.
bool Parser::static_value(Value& out) {
  out.begin = pos_;
  auto done = [&](AttrValue value) {
    out.kind = Value::Kind::Attr;
    out.attr = value;
    out.end = pos_;
    return true;
  };
  if (is(Tok::String)) return done(AttrValue::of_string(context_.copy_string(string_value())));
  bool module = (is_word(words::w_pl) || is_word(words::w_pld)) && tok(1).kind == Tok::Dot && tok(2).kind == Tok::Name;
  if (!module) return false;
  std::string_view name = text(tok(2));
  if (tok(3).kind == Tok::Dot && tok(4).kind == Tok::Name) {
    for (const FamilyRow& row : kFamilies) {
      if (row.name != name) continue;
      std::string_view wanted = text(tok(4));
      std::optional<AttrValue> value = member(row.family, wanted);
      if (!value.has_value()) {
        auto builder = report(diag::codes::unknown_attribute, pos_ + 4, pos_ + 4, fmt::format("pl.{}", name), wanted);
        if (std::string help = closest_help(wanted, members(row.family)); !help.empty()) builder.help(std::move(help));
        throw Fault{};
      }
      pos_ += 5;
      return done(*value);
    }
    return false;
  }
  if (tok(3).kind == Tok::LParen) return false;
  if (std::optional<ir::DType> found_dtype = ir::enum_from_name<ir::DType>(name)) {
    pos_ += 3;
    return done(AttrValue::of_dtype(*found_dtype));
  }
  if (std::optional<ir::TensorLayout> layout = ir::enum_from_name<ir::TensorLayout>(name)) {
    pos_ += 3;
    return done(AttrValue::of_enum(AttrKind::TensorLayout, static_cast<int64_t>(*layout)));
  }
  if (name == "no_ints") {
    pos_ += 3;
    return done(AttrValue::of_ints(AttrKind::Int32Vector, {}));
  }
  if (name == "AUTO") {  // of reserve_buffer: the compiler chooses
    pos_ += 3;
    return done(AttrValue::of_int(-1));
  }
  return false;
}

Value Parser::list_value() {
  Deeper deeper(*this);
  Value out;
  out.kind = Value::Kind::List;
  out.begin = pos_;
  expect(Tok::LBracket);
  while (!is(Tok::RBracket)) {
    out.items.push_back(value());
    if (!take(Tok::Comma)) break;
  }
  expect(Tok::RBracket);
  out.end = pos_;
  return out;
}

Value Parser::value() {
  Value out;
  out.begin = pos_;
  if (is(Tok::LBracket)) {
    // A list that is only a part of an expression is none of values.
    uint32_t start = pos_;
    Value list = list_value();
    if (is(Tok::Comma) || is(Tok::RParen) || is(Tok::RBracket) || is(Tok::RBrace)) return list;
    pos_ = start;
  } else if (take_word(words::kw_None)) {
    out.end = pos_;
    return out;
  } else if (static_value(out)) {
    return out;
  }
  bool wraps = is_word(words::w_pl) && tok(1).kind == Tok::Dot && tok(3).kind == Tok::LParen;
  if (wraps && (is_word_at(2, words::w_expr) || is_word_at(2, words::w_var) || is_word_at(2, words::w_int)))
    return wrapped_value();
  out.expr = expr();
  out.kind = Value::Kind::Expr;
  out.end = pos_;
  return out;
}

// `pl.expr(x)`, `pl.var(x)`, `pl.int(1)`: say the kind of a value that its look would leave open.
Value Parser::wrapped_value() {
  Value out;
  out.kind = Value::Kind::Attr;
  out.begin = pos_;
  NameId form_word = tok(2).id;
  pos_ += 3;
  expect(Tok::LParen);
  if (form_word == words::w_int) {
    out.attr = AttrValue::of_int(int_value());
  } else if (take_word(words::kw_None)) {
    out.attr = form_word == words::w_var ? AttrValue::of_var(nullptr) : AttrValue::of_expr(nullptr);
  } else {
    uint32_t at = pos_;
    const ir::Expr* inner = expr();
    if (form_word == words::w_expr) {
      out.attr = AttrValue::of_expr(inner);
    } else if (const ir::Var* var = ir::as<ir::Var>(inner)) {
      out.attr = AttrValue::of_var(var);
    } else {
      report(diag::codes::not_a_variable, at, pos_ - 1, "an expression");
      throw Fault{};
    }
  }
  expect(Tok::RParen);
  out.end = pos_;
  return out;
}

void Parser::var_list(Value& list, std::vector<const ir::Var*>& out) {
  for (Value& item : list.items) {
    const ir::Var* var = item.kind == Value::Kind::Expr ? ir::as<ir::Var>(item.expr) : nullptr;
    if (var == nullptr && item.kind != Value::Kind::None) {
      report(diag::codes::not_a_variable, item.begin, item.end - 1, found(tokens_[item.begin]));
      throw Fault{};
    }
    out.push_back(var);
  }
}

AttrValue Parser::list_attr(Value& list) {
  std::vector<int32_t> numbers;
  bool directions = false;
  bool variables = list.items.empty();
  for (Value& item : list.items) {
    if (item.kind == Value::Kind::Attr && item.attr.kind() == AttrKind::ArgDirection) {
      directions = true;
      numbers.push_back(static_cast<int32_t>(item.attr.enum_number()));
    } else if (const auto* constant = item.kind == Value::Kind::Expr ? ir::as<ir::ConstInt>(item.expr) : nullptr) {
      numbers.push_back(static_cast<int32_t>(constant->value));
    } else {
      variables = true;
    }
  }
  if (!variables)
    return AttrValue::of_ints(directions ? AttrKind::ArgDirectionVector : AttrKind::Int32Vector,
                              context_.list(numbers));
  std::vector<const ir::Var*> vars;
  var_list(list, vars);
  return AttrValue::of_vars(context_.list(vars));
}

// What a value means where any kind is possible.
AttrValue Parser::attr_value(std::string_view key, Value& given) {
  switch (given.kind) {
    case Value::Kind::Attr:
      return given.attr;
    case Value::Kind::List:
      return list_attr(given);
    case Value::Kind::None:
      report(diag::codes::text_syntax, given.begin, given.begin, "a value", "`None`")
          .help("write `pl.var(None)` or `pl.expr(None)` for an absent node");
      throw Fault{};
    case Value::Kind::Expr:
      break;
  }
  bool int_or_name = ir::is_var(given.expr->kind) || given.expr->kind == ir::NodeKind::ConstInt;
  if (int_or_name && key_takes_expr(key)) return AttrValue::of_expr(given.expr);
  if (const ir::Var* var = ir::as<ir::Var>(given.expr)) {
    // A scope with this attribute defines the variable.
    if (key == "task_id_var" && given.end - given.begin == 1) bind(tokens_[given.begin].id, var);
    return AttrValue::of_var(var);
  }
  bool literal = given.end - given.begin <= 2 || tokens_[given.begin].id == words::w_float;
  if (const auto* constant = ir::as<ir::ConstInt>(given.expr); constant != nullptr && literal)
    return AttrValue::of_int(constant->value);
  if (const auto* constant = ir::as<ir::ConstFloat>(given.expr); constant != nullptr && literal)
    return AttrValue::of_float(constant->value);
  if (const auto* constant = ir::as<ir::ConstBool>(given.expr); constant != nullptr && literal)
    return AttrValue::of_bool(constant->value);
  return AttrValue::of_expr(given.expr);
}

const ir::Expr* Parser::expr_of(Value& given) {
  if (given.kind == Value::Kind::Expr) return given.expr;
  if (given.kind == Value::Kind::List) {
    std::vector<const ir::Expr*> elements;
    for (Value& item : given.items) elements.push_back(expr_of(item));
    ir::MakeTuple node;
    node.kind = ir::NodeKind::MakeTuple;
    node.span = span(given.begin, given.end - 1);
    node.elements = context_.list(elements);
    node.type = types_.of_tuple(node.elements);
    return context_.make(node);
  }
  if (given.kind == Value::Kind::Attr && given.attr.kind() == AttrKind::Expr && given.attr.as_expr() != nullptr)
    return given.attr.as_expr();
  report(diag::codes::text_syntax, given.begin, given.begin, "an expression", found(tokens_[given.begin]));
  throw Fault{};
}

std::vector<ir::Attr> Parser::attr_dict() {
  std::vector<ir::Attr> out;
  expect(Tok::LBrace);
  while (!is(Tok::RBrace)) {
    std::string_view key = context_.intern(string_value());
    expect(Tok::Colon);
    Value one = value();
    out.push_back({key, attr_value(key, one)});
    if (!take(Tok::Comma)) break;
  }
  expect(Tok::RBrace);
  return out;
}

}  // namespace pyptoc::text
