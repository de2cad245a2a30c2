// SPDX-License-Identifier: Apache-2.0
// Parsing: calls of operators in other forms than the printer's: short names, operands by keyword, enumerations by
// position, infix on tensors.
#include <fmt/format.h>

#include <algorithm>

#include "text/forms.h"
#include "text/parse_support.h"

namespace pyptoc::text {

using ir::AttrKind;
using ir::NodeKind;

namespace {

std::string_view without_plural(std::string_view name) {
  return name.ends_with('s') ? name.substr(0, name.size() - 1) : name;
}

bool has_key(const std::vector<ir::Attr>& kwargs, std::string_view key) {
  return std::any_of(kwargs.begin(), kwargs.end(), [&](const ir::Attr& attr) { return attr.key == key; });
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace

std::string Parser::operand_count_text(const ir::OpInfo& info) const {
  if (info.max_args() == SIZE_MAX) return fmt::format("at least {}", info.min_args());
  if (info.min_args() == info.max_args()) return fmt::format("{}", info.min_args());
  return fmt::format("{} to {}", info.min_args(), info.max_args());
}

uint64_t Parser::count_given(const std::vector<const ir::Expr*>& args) const {
  return static_cast<uint64_t>(args.size() - static_cast<size_t>(std::count(args.begin(), args.end(), nullptr)));
}

// A value by position: an operand, or where it cannot be one the next keyword that takes its kind.
void Parser::place_argument(const ir::OpInfo& info, Argument& argument, std::vector<const ir::Expr*>& args,
                            std::vector<ir::Attr>& kwargs) {
  Value& given = argument.value;
  if (given.kind == Value::Kind::Expr) {
    bool surplus = !info.name.empty() && args.size() >= info.max_args() && ir::is_const(given.expr->kind);
    if (!surplus) {
      args.push_back(given.expr);
      return;
    }
  }
  if (given.kind == Value::Kind::None) {  // an optional operand that is left out
    args.push_back(nullptr);
    return;
  }
  ir::AttrValue value = attr_value({}, given);
  for (const ir::Keyword& keyword : info.keywords) {
    bool fits = ir::attr_kind_of(keyword.kind) == value.kind() ||
                (value.kind() == AttrKind::String && !ir::enumerators(keyword.kind).empty());
    if (!fits || has_key(kwargs, keyword.name)) continue;
    kwargs.push_back({keyword.name, keyword_value(info.name, keyword, given)});
    return;
  }
  report(diag::codes::text_syntax, given.begin, given.end - 1, "an operand", found(tokens_[given.begin]));
  throw Fault{};
}

// The operand that a keyword names, under its own name or one of those that the wrappers use; or nothing.
std::optional<size_t> Parser::operand_named(const ir::OpInfo& info, std::string_view key) const {
  for (size_t i = 0; i < info.operands.size(); ++i)
    if (without_plural(info.operands[i].name) == without_plural(key)) return i;
  static constexpr std::string_view kFirst[] = {"input", "tensor", "tile", "src", "src0", "data", "value"};
  bool first = std::find(std::begin(kFirst), std::end(kFirst), key) != std::end(kFirst);
  return first && info.operands.size() > 0 ? std::optional<size_t>(0) : std::nullopt;
}

// A width may be a keyword while it is a number, and is an operand of the same name while it is not.
bool Parser::is_run_time_operand(const ir::OpInfo& info, const Argument& argument) const {
  if (argument.value.kind != Value::Kind::Expr || ir::is_const(argument.value.expr->kind)) return false;
  return std::any_of(info.operands.begin(), info.operands.end(),
                     [&](const ir::Operand& operand) { return operand.name == argument.key; });
}

void Parser::place_keyword(const ir::Op* op, Argument& argument, std::vector<const ir::Expr*>& args,
                           std::vector<ir::Attr>& kwargs) {
  const ir::OpInfo& info = ir::op_info(op->id);
  Value& given = argument.value;
  if (argument.spread || op->id == ir::OpId::Unknown) {
    kwargs.push_back({context_.intern(argument.key), attr_value(argument.key, given)});
    return;
  }
  if (has_key(kwargs, argument.key)) {
    report(diag::codes::repeated_argument, given.key_at, given.key_at, argument.key, op->name);
    throw Fault{};
  }
  if (const ir::Keyword* keyword = info.keyword(argument.key);
      keyword != nullptr && !is_run_time_operand(info, argument)) {
    if (given.kind == Value::Kind::None) return;  // as if it were not given
    kwargs.push_back({keyword->name, keyword_value(info.name, *keyword, given)});
    return;
  }
  std::optional<size_t> operand = operand_named(info, argument.key);
  if (!operand.has_value()) {
    std::vector<std::string_view> known;
    for (const ir::Keyword& keyword : info.keywords) known.push_back(keyword.name);
    for (const ir::Operand& one : info.operands) known.push_back(one.name);
    auto builder = report(diag::codes::unknown_keyword, given.key_at, given.key_at, op->name, argument.key);
    if (std::string help = closest_help(argument.key, known); !help.empty()) builder.help(std::move(help));
    throw Fault{};
  }
  if (given.kind == Value::Kind::None) return;
  if (*operand < args.size() && args[*operand] != nullptr) {
    report(diag::codes::repeated_argument, given.key_at, given.key_at, argument.key, op->name);
    throw Fault{};
  }
  if (args.size() <= *operand) args.resize(*operand + 1);
  args[*operand] = expr_of(given);
}

// The value of a keyword that the table knows: an enumeration by name too.
ir::AttrValue Parser::keyword_value(std::string_view op, const ir::Keyword& keyword, Value& given) {
  ir::AttrValue value = attr_value(keyword.name, given);
  AttrKind wanted = ir::attr_kind_of(keyword.kind);
  if (value.kind() == AttrKind::String && wanted == AttrKind::Int) {
    ir::List<std::string_view> names = ir::enumerators(keyword.kind);
    for (size_t i = 0; i < names.size(); ++i)
      if (lower(names[i]) == lower(value.as_string())) return ir::AttrValue::of_int(static_cast<int64_t>(i));
  }
  if (value.kind() == AttrKind::Expr && wanted == AttrKind::Int)
    if (const auto* constant = ir::as<ir::ConstInt>(value.as_expr())) return ir::AttrValue::of_int(constant->value);
  if (value.kind() == AttrKind::Int && wanted == AttrKind::Float)
    return ir::AttrValue::of_float(static_cast<double>(value.as_int()));
  if (value.kind() != wanted) {
    uint32_t last = std::max(given.begin, given.end - 1);
    report(diag::codes::keyword_kind, given.begin, last, keyword.name, op, ir::text_of(keyword.kind),
           fmt::format("`{}`",
                       source_.substr(tokens_[given.begin].begin, tokens_[last].end - tokens_[given.begin].begin)));
  }
  return value;
}

// Operands that were not given: all of a load is valid; between others an empty tuple stands for a missing shape.
void Parser::fill_gaps(const ir::Op* op, std::vector<const ir::Expr*>& args, uint32_t first) {
  while (!args.empty() && args.back() == nullptr) args.pop_back();
  if (op->id == ir::OpId::TileLoad && args.size() == 3) args.push_back(args[2]);
  const ir::OpInfo& info = ir::op_info(op->id);
  for (size_t i = 0; i < args.size(); ++i) {
    const ir::Operand* operand = info.operand_at(i);
    bool fillable = operand != nullptr && operand->optional && operand->kind == ir::OperandKind::Ints;
    if (args[i] == nullptr && fillable) args[i] = make_tuple({}, first);
  }
}

void Parser::fill_keywords(const ir::Op* op, std::vector<ir::Attr>& kwargs) {
  for (const KeywordDefault& row : keyword_defaults()) {
    if (row.op != op->name || has_key(kwargs, row.key)) continue;
    ir::AttrValue value = ir::AttrValue::of_enum(row.kind, row.number);
    kwargs.push_back({row.key, value});
  }
}

// The operator behind a short name: by the first tensor or tile among the operands, by the scalar beside it, or the one
// that exists.
const ir::Op* Parser::dispatched(std::string_view written, const std::vector<Argument>& given, bool distributed,
                                 uint32_t first) {
  std::string name = canonical_op_name(written);
  auto known = [&](const std::string& full) {
    const ir::Op* op = context_.op(full, false);
    return op->id != ir::OpId::Unknown ? op : nullptr;
  };
  if (std::string_view promoted = distributed ? std::string_view() : promoted_op(written); !promoted.empty())
    return context_.op(promoted, false);
  const ir::Type* shaped = nullptr;
  size_t scalars = 0;
  bool unclear = false;
  for (const Argument& argument : given) {
    if (argument.value.kind != Value::Kind::Expr) continue;
    unclear = unclear || is_poison(argument.value.expr);
    if (shaped == nullptr && ir::as_shaped(argument.value.expr->type) != nullptr) shaped = argument.value.expr->type;
    if (ir::as_scalar(argument.value.expr->type) != nullptr) ++scalars;
  }
  std::vector<std::string> spaces = {"tensor.", "tile.", "system.", "array.", "prefetch."};
  if (distributed) spaces = {"pld.tensor.", "pld.tile.", "pld.system."};
  if (shaped != nullptr && ir::as_tile(shaped) != nullptr) std::swap(spaces[0], spaces[1]);
  for (const std::string& space : spaces) {
    if (unclear && known(space + name) != nullptr) throw Fault{};  // which one it is depends on what is unclear
    if (scalars > 0 && shaped != nullptr)
      if (const ir::Op* op = known(space + name + "s")) return op;
    if (const ir::Op* op = known(space + name)) return op;
  }
  std::vector<std::string_view> short_names;
  for (ir::OpId id : ir::all_ops()) {
    std::string_view full = ir::op_name(id);
    if (full.starts_with("pld.") == distributed) short_names.push_back(full.substr(full.rfind('.') + 1));
  }
  auto builder = report(diag::codes::unknown_attribute, first + 2, first + 2, distributed ? "pld" : "pl", written);
  if (std::string help = closest_help(written, short_names); !help.empty()) builder.help(std::move(help));
  throw Fault{};
}

// Infix operators on tensors and tiles are operators of the table.
const ir::Expr* Parser::shaped_binary(NodeKind kind, const ir::Expr* left, const ir::Expr* right, uint32_t first) {
  std::string_view name;
  switch (kind) {
    case NodeKind::Add:
      name = "add";
      break;
    case NodeKind::Sub:
      name = "sub";
      break;
    case NodeKind::Mul:
      name = "mul";
      break;
    case NodeKind::FloatDiv:
      name = "div";
      break;
    default:
      report(diag::codes::not_in_dsl, first, pos_ - 1, "this operator on tensors or tiles");
      throw Fault{};
  }
  if (ir::as_shaped(left->type) == nullptr) {
    if (kind != NodeKind::Add && kind != NodeKind::Mul) {
      report(diag::codes::not_in_dsl, first, pos_ - 1, "a scalar on the left of this operator")
          .help("put the tensor or tile on the left");
      throw Fault{};
    }
    std::swap(left, right);
  }
  std::vector<Argument> given(2);
  given[0].value.kind = given[1].value.kind = Value::Kind::Expr;
  given[0].value.expr = left;
  given[1].value.expr = right;
  const ir::Op* op = dispatched(name, given, false, first);
  std::vector<const ir::Expr*> args = {left, right};
  std::vector<ir::Attr> none;
  return finish_call(op, args, none, none, first);
}

// `pld.alloc_window_buffer(shape, dtype=...)`, or with a size in bytes; named after the variable that it is assigned
// to.
const ir::Expr* Parser::alloc_window_buffer(std::vector<Argument>& given, uint32_t first) {
  std::optional<ir::DType> element;
  const ir::Expr* size = nullptr;
  std::vector<ir::Attr> kwargs;
  for (Argument& argument : given) {
    bool is_dtype = argument.value.kind == Value::Kind::Attr && argument.value.attr.kind() == AttrKind::DataType;
    if (is_dtype) {
      element = argument.value.attr.as_dtype();
    } else if (argument.key == "name") {
      kwargs.push_back({"name", attr_value("name", argument.value)});
    } else if (argument.key.empty() || argument.key == "shape" || argument.key == "size") {
      size = expr_of(argument.value);
    } else {
      report(diag::codes::unknown_keyword, argument.value.key_at, argument.value.key_at, "pld.alloc_window_buffer",
             argument.key);
      throw Fault{};
    }
  }
  if (size == nullptr) {
    report(diag::codes::operand_count, first, pos_ - 1, "pld.alloc_window_buffer", "1", 0);
    throw Fault{};
  }
  if (const auto* shape = ir::as<ir::MakeTuple>(size)) {
    if (!element.has_value()) {
      report(diag::codes::text_syntax, first, pos_ - 1, "`dtype=` beside the shape", "no data type");
      throw Fault{};
    }
    size = bytes_of(shape->elements, *element, first);
  }
  if (kwargs.empty() && assigned_name_ != 0)
    kwargs.push_back({"name", ir::AttrValue::of_string(context_.intern(names_.text(assigned_name_)))});
  std::vector<const ir::Expr*> args = {size};
  std::vector<ir::Attr> attrs = std::move(attrs_);
  return finish_call(context_.op("pld.tensor.alloc_window_buffer", false), args, kwargs, attrs, first);
}

const ir::Expr* Parser::bytes_of(ir::List<const ir::Expr*> shape, ir::DType element, uint32_t first) {
  int64_t constant = std::max(ir::bits_of(element) / 8, 1);
  const ir::Expr* product = nullptr;
  for (const ir::Expr* extent : shape) {
    std::optional<int64_t> value = ir::const_int(extent);
    int64_t next_constant = 0;
    if (value.has_value() && !__builtin_mul_overflow(constant, *value, &next_constant)) {
      constant = next_constant;
    } else {
      product = product == nullptr ? extent : make_binary(NodeKind::Mul, product, extent, first);
    }
  }
  const ir::Expr* factor = index_const(constant, first);
  return product == nullptr ? factor : make_binary(NodeKind::Mul, product, factor, first);
}

}  // namespace pyptoc::text
