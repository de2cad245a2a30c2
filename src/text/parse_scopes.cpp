// SPDX-License-Identifier: Apache-2.0
// Parsing: scopes.
#include <fmt/format.h>

#include "text/inline_text.h"
#include "text/parse_support.h"

namespace pyptoc::text {

using ir::NodeKind;

Value* Parser::take_argument(ScopeArgs& args, std::string_view key) {
  for (Argument& argument : args.given) {
    if (argument.key != key || argument.taken) continue;
    argument.taken = true;
    return &argument.value;
  }
  return nullptr;
}

void Parser::no_more_arguments(ScopeArgs& args, std::string_view form) {
  for (Argument& argument : args.given) {
    if (argument.taken) continue;
    if (argument.key.empty())
      report(diag::codes::text_syntax, argument.value.begin, argument.value.begin, "`)`",
             found(tokens_[argument.value.begin]));
    else
      report(diag::codes::unknown_keyword, argument.value.key_at, argument.value.key_at, form, argument.key);
    throw Fault{};
  }
}

// `optimizations=[pl.split(pl.SplitMode.UP_DOWN), pl.cross_core_slot(slot_num=4)]`, or None.
void Parser::optimizations(ScopeArgs& args) {
  args.split_given = true;
  if (take_word(words::kw_None)) {
    args.split.reset();
    return;
  }
  expect(Tok::LBracket);
  while (!is(Tok::RBracket)) {
    expect_word(words::w_pl);
    expect(Tok::Dot);
    bool split = is_word(words::w_split);
    if (!split && !is_word(words::w_cross_core_slot)) fail_expected("`pl.split` or `pl.cross_core_slot`");
    next();
    expect(Tok::LParen);
    if (!split && is(Tok::Name) && tok(1).kind == Tok::Assign) pos_ += 2;  // slot_num=
    if (split) {
      Value mode = value();
      ir::AttrValue number = attr_value({}, mode);
      if (number.kind() != ir::AttrKind::Int || number.as_int() < 0 || number.as_int() > 2) {
        report(diag::codes::text_syntax, mode.begin, mode.begin, "a `pl.SplitMode`", found(tokens_[mode.begin]));
        throw Fault{};
      }
      args.split = static_cast<ir::SplitMode>(number.as_int());
    } else {
      args.attrs.push_back({"slot_num", ir::AttrValue::of_int(int_value())});
    }
    expect(Tok::RParen);
    if (!take(Tok::Comma)) break;
  }
  expect(Tok::RBracket);
}

void Parser::scope_argument(ScopeArgs& args, Argument& argument) {
  if (argument.key == "name_hint") {
    ir::AttrValue name = attr_value({}, argument.value);
    if (name.kind() != ir::AttrKind::String) {
      report(diag::codes::text_syntax, argument.value.begin, argument.value.begin, "a string",
             found(tokens_[argument.value.begin]));
      throw Fault{};
    }
    args.name_hint = context_.intern(name.as_string());
  } else if (argument.key == "deps" || argument.key == "no_dep_args" || argument.key == "dumps") {
    std::vector<const ir::Var*> vars;
    var_list(argument.value, vars);
    ir::AttrValue list = ir::AttrValue::of_vars(context_.list(vars));
    if (argument.key == "deps")
      args.deps.push_back({"manual_dep_edges", list});
    else
      args.attrs.push_back({argument.key == "dumps" ? "dump_vars" : "arg_direction_overrides_vars", list});
  } else if (argument.key == "allow_early_resolve") {
    args.early = flag_of(argument.value);
  } else if (argument.key == "windowize") {
    args.attrs.push_back({"windowize", ir::AttrValue::of_bool(flag_of(argument.value))});
  } else if (argument.key == "predicate") {
    args.attrs.push_back({"predicate", ir::AttrValue::of_expr(expr_of(argument.value))});
  } else {
    args.given.push_back(std::move(argument));
  }
}

// From `(` to `)`.
Parser::ScopeArgs Parser::scope_args() {
  expect(Tok::LParen);
  return scope_args_behind();
}

Parser::ScopeArgs Parser::scope_args_behind() {
  ScopeArgs out;
  while (!is(Tok::RParen)) {
    if (is(Tok::Name) && tok(1).kind == Tok::Assign && text(tok()) == "optimizations") {
      pos_ += 2;
      optimizations(out);
    } else {
      attrs_.clear();
      std::vector<Argument> one;
      argument(one);
      for (Argument& argument : one) scope_argument(out, argument);
      if (one.empty()) out.attrs.insert(out.attrs.end(), attrs_.begin(), attrs_.end());
      attrs_.clear();
    }
    if (!take(Tok::Comma)) break;
  }
  expect(Tok::RParen);
  return out;
}

// `as tid` and the `:`.
void Parser::scope_header_end(ScopeArgs& args) {
  if (take_word(words::kw_as)) {
    uint32_t at = pos_;
    NameId name = expect_name("a name for the task id");
    args.task_id = bind_new(name, context_.scalar_type(ir::DType::TaskId), at);
  }
  expect(Tok::Colon);
}

ir::List<ir::Attr> Parser::scope_attrs(ScopeArgs& args) {
  std::vector<ir::Attr> out = args.deps;
  if (args.task_id != nullptr) out.push_back({"task_id_var", ir::AttrValue::of_var(args.task_id)});
  if (args.early) out.push_back({"allow_early_resolve", ir::AttrValue::of_bool(true)});
  out.insert(out.end(), args.attrs.begin(), args.attrs.end());
  return context_.list(out);
}

template <class S>
const ir::Stmt* Parser::finish_scope(S& node, ScopeArgs& args, uint32_t first) {
  node.name_hint = args.name_hint;
  node.attrs = scope_attrs(args);
  if (node.body == nullptr) node.body = block_stmt();
  node.span = span_from(first);
  return context_.make(node);
}

// `pl.at(level=pl.Level.CORE_GROUP)` is a kernel region, any other level a region of that level.
const ir::Stmt* Parser::at_scope(uint32_t first, bool hierarchy) {
  expect(Tok::LParen);
  std::optional<ir::Level> level;
  std::optional<ir::Role> role;
  if (is_word(words::w_pl)) {  // by position
    level = enum_member<ir::Level>("Level");
    if (!is(Tok::RParen)) expect(Tok::Comma);
  }
  while (is(Tok::Name) && tok(1).kind == Tok::Assign && (text(tok()) == "level" || text(tok()) == "role")) {
    bool names_level = text(tok()) == "level";
    pos_ += 2;
    if (names_level)
      level = enum_member<ir::Level>("Level");
    else
      role = enum_member<ir::Role>("Role");
    if (!is(Tok::RParen)) expect(Tok::Comma);
  }
  if (!level.has_value()) fail_expected("`level=`");
  ScopeArgs args = scope_args_behind();
  no_more_arguments(args, "pl.at");
  scope_header_end(args);
  if (*level == ir::Level::CoreGroup && !hierarchy && !role.has_value()) {
    ir::InCoreScopeStmt node;
    node.kind = NodeKind::InCoreScopeStmt;
    node.split = args.split;
    return finish_scope(node, args, first);
  }
  ir::HierarchyScopeStmt node;
  node.kind = NodeKind::HierarchyScopeStmt;
  node.level = *level;
  node.role = role;
  return finish_scope(node, args, first);
}

ir::SpmdScopeStmt Parser::spmd_head(ScopeArgs& args) {
  ir::SpmdScopeStmt node;
  node.kind = NodeKind::SpmdScopeStmt;
  Value* cores = take_argument(args, "");
  if (cores == nullptr) cores = take_argument(args, "core_num");
  if (cores == nullptr) {
    report(diag::codes::operand_count, pos_ - 1, pos_ - 1, "pl.spmd", "1", 0);
    throw Fault{};
  }
  node.core_num = expr_of(*cores);
  if (Value* sync = take_argument(args, "sync_start")) node.sync_start = flag_of(*sync);
  return node;
}

// The kernel region inside an spmd region.
const ir::Stmt* Parser::wrapped_incore(const ir::Stmt* body, ScopeArgs& args, uint32_t first) {
  ir::InCoreScopeStmt inner = draft<ir::InCoreScopeStmt>(NodeKind::InCoreScopeStmt, first);
  inner.split = args.split;
  std::vector<ir::Attr> kept;
  std::vector<ir::Attr> moved;
  for (const ir::Attr& attr : args.attrs) (attr.key == "slot_num" ? moved : kept).push_back(attr);
  args.attrs = kept;
  inner.attrs = context_.list(moved);
  inner.body = body;
  return context_.make(inner);
}

const ir::Stmt* Parser::spmd_scope(uint32_t first) {
  ScopeArgs args = scope_args();
  ir::SpmdScopeStmt node = spmd_head(args);
  bool may_wrap = true;
  if (Value* flag = take_argument(args, "inline")) may_wrap = flag_of(*flag);
  no_more_arguments(args, "pl.spmd");
  scope_header_end(args);
  uint32_t reads = block_index_reads_;
  node.body = block_stmt();
  bool carrier = node.body->kind == NodeKind::InCoreScopeStmt;
  bool wraps = args.split_given || block_index_reads_ != reads;
  if (may_wrap && wraps && !carrier) node.body = wrapped_incore(node.body, args, first);
  return finish_scope(node, args, first);
}

// `for i in pl.spmd(n)`: i is the index of the block, in a kernel region.
const ir::Stmt* Parser::spmd_loop(const ForHeader& header) {
  ScopeArgs args = scope_args();
  ir::SpmdScopeStmt node = spmd_head(args);
  no_more_arguments(args, "pl.spmd");
  scope_header_end(args);
  const ir::Expr* index = op_call("tile.get_block_idx", {}, header.loop_var_at);
  const ir::Var* var = bind_assigned(header.loop_var, index->type, header.loop_var_at);
  std::vector<const ir::Stmt*> stmts = {assign_stmt(var, index, header.loop_var_at)};
  std::vector<const ir::Stmt*> rest = block();
  stmts.insert(stmts.end(), rest.begin(), rest.end());
  node.body = wrapped_incore(as_body(stmts, header.first), args, header.first);
  return finish_scope(node, args, header.first);
}

ir::SplitAivScopeStmt Parser::split_aiv_head(ScopeArgs& args) {
  ir::SplitAivScopeStmt node;
  node.kind = NodeKind::SplitAivScopeStmt;
  Value* count = take_argument(args, "");
  const auto* number_of = count != nullptr ? ir::as<ir::ConstInt>(expr_of(*count)) : nullptr;
  if (number_of == nullptr) {
    report(diag::codes::text_syntax, pos_ - 1, pos_ - 1, "the number of lanes", "none");
    throw Fault{};
  }
  node.count = number_of->value;
  if (Value* mode = take_argument(args, "mode")) {
    ir::AttrValue split = attr_value({}, *mode);
    if (split.kind() != ir::AttrKind::Int || split.as_int() < 0 || split.as_int() > 2) {
      report(diag::codes::text_syntax, mode->begin, mode->begin, "a `pl.SplitMode`", found(tokens_[mode->begin]));
      throw Fault{};
    }
    node.split = static_cast<ir::SplitMode>(split.as_int());
  }
  no_more_arguments(args, "pl.split_aiv");
  return node;
}

// `for lane in pl.split_aiv(2, mode=...)`: lane is the index of the vector lane.
const ir::Stmt* Parser::split_aiv_loop(const ForHeader& header) {
  ScopeArgs args = scope_args();
  ir::SplitAivScopeStmt node = split_aiv_head(args);
  scope_header_end(args);
  const ir::Expr* index = op_call("tile.get_subblock_idx", {}, header.loop_var_at);
  const ir::Type* type = context_.scalar_type(ir::DType::Index);
  if (!ir::is_scalar_of(index->type, ir::DType::Index)) index = with_type(index, type);
  const ir::Var* var = bind_assigned(header.loop_var, type, header.loop_var_at);
  std::vector<const ir::Stmt*> stmts = {assign_stmt(var, index, header.loop_var_at)};
  std::vector<const ir::Stmt*> rest = block();
  stmts.insert(stmts.end(), rest.begin(), rest.end());
  node.body = as_body(stmts, header.first);
  return finish_scope(node, args, header.first);
}

// `buf := pld.WindowBuffer(base, size)`, or the name of one that the module declares.
void Parser::comm_domain_slots(std::vector<const ir::Var*>& slots) {
  expect(Tok::LBracket);
  while (!is(Tok::RBracket)) {
    uint32_t at = pos_;
    NameId name = expect_name("a window buffer");
    if (take(Tok::Walrus)) {
      expect_word(words::w_pld);
      expect(Tok::Dot);
      expect_word(words::w_WindowBuffer);
      const ir::WindowBuffer* buffer = window_buffer(context_.intern(names_.text(name)), true);
      bind(name, buffer);
      slots.push_back(buffer);
    } else if (const ir::Var* var = lookup_var(name)) {
      slots.push_back(var);
    } else {
      undefined_name(name, at);
      slots.push_back(poison(name, at));
    }
    if (!take(Tok::Comma)) break;
  }
  expect(Tok::RBracket);
}

const ir::Stmt* Parser::comm_domain(uint32_t first) {
  ir::CommDomainScopeStmt node;
  node.kind = NodeKind::CommDomainScopeStmt;
  expect(Tok::LParen);
  std::vector<const ir::Var*> slots;
  if (is(Tok::Name) && text(tok()) == "slots" && tok(1).kind == Tok::Assign) {
    pos_ += 2;
    comm_domain_slots(slots);
    if (!is(Tok::RParen)) expect(Tok::Comma);
  }
  node.slots = context_.list(slots);
  ScopeArgs args = scope_args_behind();
  std::vector<int64_t> devices;
  if (Value* list = take_argument(args, "devices")) {
    for (Value& item : list->items) {
      const auto* device = item.kind == Value::Kind::Expr ? ir::as<ir::ConstInt>(item.expr) : nullptr;
      if (device == nullptr) {
        report(diag::codes::text_syntax, item.begin, item.begin, "the number of a device", found(tokens_[item.begin]));
        throw Fault{};
      }
      devices.push_back(device->value);
    }
  }
  node.devices = context_.list(devices);
  no_more_arguments(args, "pld.comm_domain");
  scope_header_end(args);
  return finish_scope(node, args, first);
}

// `(base, size, load_from_host=..., store_to_host=..., name=..., type=...)`. In the header of a domain the base may be
// a name that the body binds; it is a Ptr then.
const ir::WindowBuffer* Parser::window_buffer(std::string_view name, bool inside_domain) {
  ir::WindowBuffer node = draft<ir::WindowBuffer>(NodeKind::WindowBuffer, pos_ - 1);
  node.type = context_.plain_type(ir::TypeKind::WindowBufferType);
  node.name_hint = name;
  expect(Tok::LParen);
  uint32_t at = pos_;
  if (inside_domain && is_plain_name() && lookup_var(tok().id) == nullptr)
    declare(tok().id, context_.plain_type(ir::TypeKind::Ptr), at);
  node.base = ir::as<ir::Var>(expr());
  if (node.base == nullptr) {
    report(diag::codes::not_a_variable, at, pos_ - 1, "an expression");
    throw Fault{};
  }
  expect(Tok::Comma);
  node.size = expr();
  while (take(Tok::Comma) && !is(Tok::RParen)) {
    std::string_view key = text(tok());
    uint32_t key_at = pos_;
    expect_name("a keyword");
    expect(Tok::Assign);
    if (key == "load_from_host") {
      node.load_from_host = bool_value();
    } else if (key == "store_to_host") {
      node.store_to_host = bool_value();
    } else if (key == "name") {
      node.name_hint = context_.intern(string_value());
    } else if (key == "type") {
      node.type = type();
    } else {
      report(diag::codes::unknown_keyword, key_at, key_at, "pld.WindowBuffer", key);
      throw Fault{};
    }
  }
  expect(Tok::RParen);
  return context_.make(node);
}

const ir::Stmt* Parser::with_stmt() {
  Deeper deeper(*this);
  uint32_t first = pos_;
  next();
  bool distributed = is_word(words::w_pld);
  bool form_ahead = (distributed || is_word(words::w_pl)) && tok(1).kind == Tok::Dot && tok(2).kind == Tok::Name;
  if (!form_ahead) {
    report(diag::codes::not_a_scope, pos_, pos_, found(tok()));
    throw Fault{};
  }
  NameId word = tok(2).id;
  pos_ += 3;
  if (distributed && word == words::w_comm_domain) return comm_domain(first);
  if (!distributed) return with_form(word, first);
  report(diag::codes::not_a_scope, pos_ - 1, pos_ - 1, fmt::format("`pld.{}`", names_.text(word)));
  throw Fault{};
}

const ir::Stmt* Parser::with_form(NameId word, uint32_t first) {
  switch (word) {
    case words::w_at:
      return at_scope(first, false);
    case words::w_hierarchy:
      return at_scope(first, true);
    case words::w_spmd:
      return spmd_scope(first);
    case words::w_inline_python:
      return inline_block(first);
    case words::w_cluster: {
      ir::ClusterScopeStmt node;
      node.kind = NodeKind::ClusterScopeStmt;
      ScopeArgs args = scope_args();
      no_more_arguments(args, "pl.cluster");
      scope_header_end(args);
      return finish_scope(node, args, first);
    }
    case words::w_scope:
    case words::w_manual_scope: {
      ir::RuntimeScopeStmt node;
      node.kind = NodeKind::RuntimeScopeStmt;
      ScopeArgs args = runtime_scope_args(node.manual);
      if (word == words::w_manual_scope) node.manual = true;
      no_more_arguments(args, "pl.scope");
      scope_header_end(args);
      return finish_scope(node, args, first);
    }
    case words::w_split_aiv: {
      ScopeArgs args = scope_args();
      ir::SplitAivScopeStmt node = split_aiv_head(args);
      scope_header_end(args);
      return finish_scope(node, args, first);
    }
    case words::w_seq: {
      expect(Tok::LParen);
      expect(Tok::RParen);
      expect(Tok::Colon);
      return make_seq(block(), first);
    }
    default:
      break;
  }
  auto builder = report(diag::codes::not_a_scope, pos_ - 1, pos_ - 1, fmt::format("`pl.{}`", names_.text(word)));
  std::string help = closest_help(names_.text(word),
                                  {"at", "hierarchy", "cluster", "spmd", "split_aiv", "scope", "manual_scope", "seq"});
  if (!help.empty()) builder.help(std::move(help));
  throw Fault{};
}

// `pl.scope(mode=pl.ScopeMode.MANUAL)` is `pl.manual_scope()`.
Parser::ScopeArgs Parser::runtime_scope_args(bool& manual) {
  bool mode = tok(1).kind == Tok::Name && text(tok(1)) == "mode" && tok(2).kind == Tok::Assign;
  if (!mode) return scope_args();
  pos_ += 3;
  bool known = is_word(words::w_pl) && tok(1).kind == Tok::Dot && text(tok(2)) == "ScopeMode" &&
               (text(tok(4)) == "MANUAL" || text(tok(4)) == "AUTO");
  if (!known) fail_expected("`pl.ScopeMode.MANUAL` or `pl.ScopeMode.AUTO`");
  manual = text(tok(4)) == "MANUAL";
  pos_ += 5;
  if (!is(Tok::RParen)) expect(Tok::Comma);
  return scope_args_behind();
}

const ir::Stmt* Parser::inline_block(uint32_t first) {
  expect(Tok::LParen);
  expect(Tok::RParen);
  expect(Tok::Colon);
  ir::InlineStmt node;
  node.kind = NodeKind::InlineStmt;
  node.body = raw_block();
  node.span = span_from(first);
  return context_.make(node);
}

// The text of the indented block that comes next, without its indentation. Stands behind the `:`.
std::string_view Parser::raw_block() {
  expect(Tok::Newline);
  if (!is(Tok::Indent)) fail_expected("an indented block");
  uint32_t begin = map_.line_begin(tok(1).begin);
  uint32_t margin = tok(1).begin - begin;
  skip_block();
  return context_.copy_string(unindented(source_, begin, margin));
}

}  // namespace pyptoc::text
