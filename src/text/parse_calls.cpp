// SPDX-License-Identifier: Apache-2.0
// Parsing: calls of operators and functions.
#include <fmt/format.h>

#include <algorithm>

#include "ir/equal.h"
#include "support/edit_distance.h"
#include "text/forms.h"
#include "text/parse_support.h"

namespace pyptoc::text {

using ir::NodeKind;

void Parser::spread(std::vector<Argument>& out) {
  expect(Tok::LBrace);
  while (!is(Tok::RBrace)) {
    Argument argument;
    argument.key = context_.intern(string_value());
    expect(Tok::Colon);
    argument.value = value();
    argument.spread = true;
    out.push_back(std::move(argument));
    if (!take(Tok::Comma)) break;
  }
  expect(Tok::RBrace);
}

void Parser::argument(std::vector<Argument>& out) {
  if (take(Tok::StarStar)) return spread(out);
  Argument one;
  bool keyword = is(Tok::Name) && tok(1).kind == Tok::Assign;
  bool no_dep = is_word(words::w_pl) && tok(1).kind == Tok::Dot && is_word_at(2, words::w_no_dep);
  if (no_dep) {
    one.no_dep = true;
    one.value.begin = pos_;
    pos_ += 3;
    expect(Tok::LParen);
    one.value.expr = expr();
    one.value.kind = Value::Kind::Expr;
    expect(Tok::RParen);
    one.value.end = pos_;
    out.push_back(std::move(one));
    return;
  }
  if (!keyword) {
    // An expression, unless it plainly is something else.
    Value given;
    if (static_value(given)) {
      one.value = given;
    } else if (is_word(words::kw_None)) {
      one.value = value();
    } else {
      one.value.begin = pos_;
      one.value.expr = expr();
      one.value.kind = Value::Kind::Expr;
      one.value.end = pos_;
    }
    out.push_back(std::move(one));
    return;
  }
  one.key = names_.text(tok().id);
  uint32_t at = pos_;
  pos_ += 2;
  if (one.key == "attrs") {
    attrs_ = attr_dict();
    return;
  }
  one.value = value();
  one.value.key_at = at;
  out.push_back(std::move(one));
}

// From `(` to `)`. What `attrs={...}` says goes to attrs_.
std::vector<Argument> Parser::arguments() {
  expect(Tok::LParen);
  return arguments_behind();
}

std::vector<Argument> Parser::arguments_behind() {
  std::vector<Argument> out;
  attrs_.clear();
  std::vector<ir::Attr> attrs;
  while (!is(Tok::RParen)) {
    attrs_.clear();
    uint32_t at = pos_;
    argument(out);
    if (!attrs_.empty() && !attrs.empty()) {
      report(diag::codes::repeated_argument, at, at, "attrs", "the call");
      throw Fault{};
    }
    if (!attrs_.empty()) attrs = std::move(attrs_);
    if (!take(Tok::Comma)) break;
  }
  expect(Tok::RParen);
  attrs_ = std::move(attrs);
  return out;
}

// `pl.no_dep(x)`: the attribute lists the positions of the arguments that are marked so.
void Parser::add_overrides(const std::vector<Argument>& given, std::vector<ir::Attr>& attrs) {
  std::vector<int32_t> positions;
  int32_t position = 0;
  for (const Argument& argument : given) {
    if (!argument.key.empty()) continue;
    if (argument.no_dep) positions.push_back(position);
    ++position;
  }
  if (positions.empty()) return;
  attrs.push_back(
      {"arg_direction_overrides", ir::AttrValue::of_ints(ir::AttrKind::Int32Vector, context_.list(positions))});
}

const ir::Op* Parser::function_op(std::string_view name, uint32_t at) {
  if (!function_numbers_.contains(name)) {
    std::vector<std::string_view> known;
    for (const FunctionRecord& record : functions_) known.push_back(record.name);
    auto builder = report(diag::codes::unknown_callee, at, at, name);
    if (std::string help = closest_help(name, known); !help.empty()) builder.help(std::move(help));
  }
  return context_.op(name, true);
}

const ir::Expr* Parser::self_call() {
  uint32_t first = pos_;
  next();
  expect(Tok::Dot);
  if (!is(Tok::Name)) fail_expected("the name of a function");
  std::string_view name = text(tok());
  next();
  if (!is(Tok::LParen)) fail_expected("`(`");
  return function_call(name, first);
}

const ir::Expr* Parser::function_call(std::string_view name, uint32_t first) {
  const ir::Op* op = function_op(context_.intern(name), pos_ - 1);
  return op_call_written(op, first, false);
}

// The call whose arguments come next.
const ir::Expr* Parser::op_call_written(const ir::Op* op, uint32_t first, bool short_name) {
  std::vector<Argument> given = arguments();
  return call_of(op, given, first, short_name);
}

const ir::Expr* Parser::call_of(const ir::Op* op, std::vector<Argument>& given, uint32_t first, bool short_name) {
  std::vector<ir::Attr> attrs = std::move(attrs_);
  std::vector<const ir::Expr*> args;
  std::vector<ir::Attr> kwargs;
  const ir::OpInfo& info = ir::op_info(op->id);
  args.reserve(given.size());
  for (Argument& argument : given) {
    if (argument.key == "device" && !argument.spread) {
      attrs.insert(attrs.begin(), {"device", ir::AttrValue::of_expr(expr_of(argument.value))});
    } else if (argument.key == "deps" && !argument.spread) {
      std::vector<const ir::Var*> vars;
      var_list(argument.value, vars);
      if (op->id == ir::OpId::SystemTaskDummy) attrs.push_back({"dummy_task", ir::AttrValue::of_bool(true)});
      attrs.push_back({"manual_dep_edges", ir::AttrValue::of_vars(context_.list(vars))});
    } else if (argument.key.empty()) {
      place_argument(info, argument, args, kwargs);
    } else {
      place_keyword(op, argument, args, kwargs);
    }
  }
  if (op->is_global_var)
    add_overrides(given, attrs);
  else
    fill_gaps(op, args, first);
  if (short_name) fill_keywords(op, kwargs);
  for (const ir::Expr* arg : args)
    if (arg == nullptr) {
      report(diag::codes::operand_count, first, pos_ - 1, op->name, operand_count_text(info), count_given(args));
      throw Fault{};
    }
  refines_ = short_name;
  const ir::Expr* call = finish_call(op, args, kwargs, attrs, first);
  refines_ = false;
  return call;
}

// A tile's annotation leaves its memory and view open when the call has a short name; they are then the operator's.
void Parser::refine_wanted_type(const ir::Call& call) {
  const ir::TileType* wanted = ir::as_tile(wanted_type_);
  if (!refines_ || wanted == nullptr || wanted->has_memory_space || wanted->view != nullptr) return;
  const ir::TileType* deduced = ir::as_tile(types_.of_call(call));
  if (deduced == nullptr || deduced->dtype != wanted->dtype || !ir::extents_equal(deduced->shape, wanted->shape))
    return;
  ir::TileType refined = *deduced;
  refined.memref = wanted->memref;
  wanted_type_ = context_.copy(refined);
}

const ir::Expr* Parser::finish_call(const ir::Op* op, std::vector<const ir::Expr*>& args, std::vector<ir::Attr>& kwargs,
                                    std::vector<ir::Attr>& attrs, uint32_t first) {
  ir::Call call = draft<ir::Call>(NodeKind::Call, first);
  call.op = op;
  call.args = context_.list(args);
  call.kwargs = context_.list(kwargs);
  call.attrs = context_.list(attrs);
  if (op->id == ir::OpId::TileGetBlockIdx) ++block_index_reads_;
  bool whole_value = wanted_type_ != nullptr && wanted_at_ == first && is(Tok::Newline);
  if (whole_value) {
    refine_wanted_type(call);
    call.type = without_storage(context_, wanted_type_);
    return context_.make(call);
  }
  bool unclear = (op->is_global_var && !function_numbers_.contains(op->name)) ||
                 std::any_of(args.begin(), args.end(), [&](const ir::Expr* arg) { return is_poison(arg); });
  call.type = unclear ? poison_type_ : types_.of_call(call);
  return context_.make(call);
}

// A call of `op` that the parser itself makes, for subscripts and the like.
const ir::Expr* Parser::op_call(std::string_view name, const std::vector<const ir::Expr*>& args, uint32_t first) {
  std::vector<const ir::Expr*> copy = args;
  std::vector<ir::Attr> none;
  return finish_call(context_.op(name, false), copy, none, none, first);
}

Parser::Callee Parser::resolve(std::string_view path, uint32_t first, bool distributed) {
  Callee out;
  out.name = context_.intern(path);
  out.distributed = distributed;
  if (!distributed) {
    if (std::optional<Form> form_id = form_from_name(path)) {
      out.kind = Callee::Kind::Form;
      out.form = static_cast<uint32_t>(*form_id);
      return out;
    }
  }
  if (path.find('.') == std::string_view::npos) {
    out.kind = Callee::Kind::Short;
    return out;
  }
  std::string name = canonical_op_name(distributed ? fmt::format("pld.{}", path) : std::string(path));
  const ir::Op* op = context_.op(name, false);
  if (op->id == ir::OpId::Unknown) unknown_operator(name, first);
  out.op = op;
  return out;
}

void Parser::unknown_operator(std::string_view name, uint32_t first) {
  auto builder = report(diag::codes::unknown_operator, first, pos_ - 1, name);
  if (auto near = ++helps_ <= kMostHelps ? ir::closest_op(name) : std::nullopt) {
    bool distributed = near->starts_with("pld.");
    builder.help(fmt::format("did you mean `{}{}`?", distributed ? "" : "pl.", *near));
  }
  throw Fault{};
}

// The callee behind `pl.` or `pld.`; stands behind its last name afterwards.
const Parser::Callee& Parser::callee(uint32_t first, bool distributed) {
  uint32_t begin = tok().begin;
  uint32_t end = begin;
  while (true) {
    if (!is(Tok::Name)) fail_expected("a name");
    end = tok().end;
    next();
    if (!(is(Tok::Dot) && tok(1).kind == Tok::Name)) break;
    next();
  }
  std::string_view path = source_.substr(begin, end - begin);
  auto& known = distributed ? pld_callees_ : callees_;
  if (auto found = known.find(path); found != known.end()) return found->second;
  std::string joined;  // without what may stand around the dots
  for (char c : path)
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\\') joined += c;
  return known.emplace(path, resolve(joined, first, distributed)).first->second;
}

const ir::Expr* Parser::pl_expr() {
  uint32_t first = pos_;
  bool distributed = is_word(words::w_pld);
  next();
  expect(Tok::Dot);
  const Callee to = callee(first, distributed);
  if (!is(Tok::LParen)) {
    report(diag::codes::text_syntax, first, pos_ - 1, "an expression",
           fmt::format("`{}`", source_.substr(tokens_[first].begin, tokens_[pos_ - 1].end - tokens_[first].begin)));
    throw Fault{};
  }
  switch (to.kind) {
    case Callee::Kind::Form:
      return form(to.form, first);
    case Callee::Kind::Short:
      return short_call(to, first);
    case Callee::Kind::Op:
      break;
  }
  return op_call_written(to.op, first, false);
}

const ir::Expr* Parser::short_call(const Callee& to, uint32_t first) {
  std::vector<Argument> given = arguments();
  if (to.distributed && to.name == "alloc_window_buffer") return alloc_window_buffer(given, first);
  const ir::Op* op = dispatched(to.name, given, to.distributed, first);
  return call_of(op, given, first, true);
}

}  // namespace pyptoc::text
