// SPDX-License-Identifier: Apache-2.0
// Parsing: branches and loops.
#include <fmt/format.h>

#include "text/parse_support.h"
#include "text/type_match.h"

namespace pyptoc::text {

using ir::NodeKind;

// The block of a loop or branch, whose yields go to `region`.
const ir::Stmt* Parser::block_of_region(Region& region) {
  InRegion inside(*this, region);
  return block_stmt();
}

const ir::Stmt* Parser::loop_body(Region& region) {
  Block block(*this, true);
  const ir::Stmt* body = block_of_region(region);
  check_rebindings();
  return body;
}

// `a, b = pl.yield_(x, y)`: the results of the region are a and b.
void Parser::region_yield(const std::vector<NameId>& targets, const std::vector<const ir::Expr*>& values,
                          const ir::Type* annotation, uint32_t at) {
  if (regions_.empty()) {
    report(diag::codes::yield_outside, at, pos_ - 1);
    throw Fault{};
  }
  Region& region = *regions_.back();
  bool fits = values.size() == targets.size() && (!region.given || region.names.size() == targets.size());
  if (!fits) {
    report(diag::codes::result_count, at, pos_ - 1, region.given ? region.names.size() : targets.size(), values.size());
    throw Fault{};
  }
  if (region.given) return;
  region.given = true;
  region.names = targets;
  region.at = at;
  for (const ir::Expr* value : values) region.types.push_back(annotation != nullptr ? annotation : value->type);
}

// `pl.results(a, b)`: the same where no yield says it.
void Parser::results_form() {
  uint32_t at = pos_;
  pos_ += 3;
  expect(Tok::LParen);
  std::vector<NameId> names;
  while (!is(Tok::RParen)) {
    names.push_back(expect_name("a name"));
    if (!take(Tok::Comma)) break;
  }
  expect(Tok::RParen);
  if (regions_.empty()) {
    report(diag::codes::yield_outside, at, pos_ - 1);
    throw Fault{};
  }
  Region& region = *regions_.back();
  region.given = true;
  region.names = std::move(names);
  region.types.assign(region.names.size(), nullptr);
  region.at = at;
}

ir::List<const ir::Var*> Parser::region_results(Region& region, ir::List<const ir::Var*> iter_args) {
  std::vector<const ir::Var*> out;
  for (size_t i = 0; i < region.names.size(); ++i) {
    const ir::Type* type = announced_type(region.names[i]);
    if (type == nullptr && i < iter_args.size()) type = iter_args[i]->type;
    if (type == nullptr) type = region.types[i];
    if (type == nullptr) {
      report(diag::codes::type_not_known, region.at, region.at, names_.text(region.names[i]))
          .help(fmt::format("declare it in front: `{}: pl.Tensor[[...], pl.FP32]`", names_.text(region.names[i])));
      type = poison_type_;
    }
    out.push_back(bind_new(region.names[i], type, region.at));
  }
  return context_.list(out);
}

const ir::Stmt* Parser::if_stmt(uint32_t first) {
  Deeper deeper(*this);
  const ir::Expr* condition = expr();
  Region region;
  expect(Tok::Colon);
  ir::IfStmt node;
  node.kind = NodeKind::IfStmt;
  node.condition = condition;
  std::vector<Rebindings::Change> in_then;
  std::vector<const ir::Var*> assigned;
  {
    Block block(*this, false);
    node.then_body = block_of_region(region);
    in_then = rebindings_.changes();
    assigned = rebindings_.assigned();
  }
  if (is_word(words::kw_elif) || is_word(words::kw_else)) {
    take_back(in_then);
    std::vector<Rebindings::Change> in_else;
    std::vector<const ir::Var*> assigned_there;
    {
      Block block(*this, false);
      else_branch(node, region);
      in_else = rebindings_.changes();
      assigned_there = rebindings_.assigned();
    }
    keep(in_then, in_else);
    rebindings_.join(assigned, assigned_there);
  }
  node.return_vars = region_results(region, {});
  node.span = span_from(first);
  return context_.make(node);
}

void Parser::else_branch(ir::IfStmt& node, Region& region) {
  uint32_t at = pos_;
  next();
  if (text(tokens_[at]) == "elif") {
    node.else_body = with_yield_of(if_stmt(at), region, at);
    return;
  }
  expect(Tok::Colon);
  node.else_body = block_of_region(region);
}

// `elif` is an `if` in the `else`; what its branches yield is what the `else` yields.
const ir::Stmt* Parser::with_yield_of(const ir::Stmt* inner, const Region& region, uint32_t first) {
  ir::List<const ir::Var*> results = ir::as<ir::IfStmt>(inner)->return_vars;
  if (results.empty()) return inner;
  if (region.given && region.names.size() != results.size()) {
    report(diag::codes::result_count, first, first, region.names.size(), results.size());
    throw Fault{};
  }
  ir::YieldStmt yield = draft<ir::YieldStmt>(NodeKind::YieldStmt, first);
  std::vector<const ir::Expr*> values(results.begin(), results.end());
  yield.value = context_.list(values);
  return make_seq({inner, context_.make(yield)}, first);
}

std::vector<NameId> Parser::name_tuple() {
  std::vector<NameId> out;
  expect(Tok::LParen);
  while (!is(Tok::RParen)) {
    out.push_back(expect_name("a name"));
    if (!take(Tok::Comma)) break;
  }
  expect(Tok::RParen);
  return out;
}

Parser::ForHeader Parser::for_header() {
  ForHeader out;
  out.first = pos_;
  next();
  out.loop_var_at = pos_;
  if (is(Tok::LParen)) {
    out.iter_names = name_tuple();
  } else {
    out.loop_var = expect_name("a loop variable");
    if (take(Tok::Comma)) out.iter_names = name_tuple();
  }
  expect_word(words::kw_in);
  return out;
}

const ir::Stmt* Parser::for_stmt() {
  Deeper deeper(*this);
  ForHeader header = for_header();
  bool form_ahead = is_word(words::w_pl) && tok(1).kind == Tok::Dot && tok(2).kind == Tok::Name;
  if (form_ahead) return for_over(header);
  auto builder = report(diag::codes::not_a_loop, pos_, pos_, found(tok()));
  if (is_word(words::w_range)) builder.help("write `pl.range`");
  throw Fault{};
}

const ir::Stmt* Parser::for_over(const ForHeader& header) {
  NameId word = tok(2).id;
  uint32_t at = pos_ + 2;
  pos_ += 3;
  bool while_header = header.loop_var == 0;
  if (word == words::w_while_ && while_header) return while_form(header);
  if (while_header && word != words::w_while_) {
    report(diag::codes::text_syntax, header.loop_var_at, header.loop_var_at, "a loop variable", "`(`");
    throw Fault{};
  }
  switch (word) {
    case words::w_range:
      return range_loop(header, ir::ForKind::Sequential);
    case words::w_parallel:
      return range_loop(header, ir::ForKind::Parallel);
    case words::w_unroll:
      return range_loop(header, ir::ForKind::Unroll);
    case words::w_pipeline:
      return range_loop(header, ir::ForKind::Pipeline);
    case words::w_spmd:
      return spmd_loop(header);
    case words::w_split_aiv:
      return split_aiv_loop(header);
    default:
      break;
  }
  auto builder = report(diag::codes::not_a_loop, at, at, fmt::format("`pl.{}`", names_.text(word)));
  std::string help =
      closest_help(names_.text(word), {"range", "parallel", "unroll", "pipeline", "while_", "spmd", "split_aiv"});
  if (!help.empty()) builder.help(std::move(help));
  throw Fault{};
}

std::vector<const ir::Expr*> Parser::init_values(Value& value) {
  if (value.kind == Value::Kind::List) {
    std::vector<const ir::Expr*> out;
    for (Value& item : value.items) out.push_back(expr_of(item));
    return out;
  }
  const ir::Expr* tuple = expr_of(value);
  if (const auto* made = ir::as<ir::MakeTuple>(tuple)) return {made->elements.begin(), made->elements.end()};
  return {tuple};
}

std::vector<const ir::Var*> Parser::bind_iter_args(const ForHeader& header, const std::vector<const ir::Expr*>& inits) {
  if (inits.size() != header.iter_names.size()) {
    report(diag::codes::result_count, header.first, pos_ - 1, header.iter_names.size(), inits.size());
    throw Fault{};
  }
  std::vector<const ir::Var*> out;
  for (size_t i = 0; i < inits.size(); ++i) {
    NameId name = header.iter_names[i];
    auto global = globals_.find(name);
    if (global != globals_.end() && global->second.variable && global->second.value->kind == NodeKind::IterArg) {
      out.push_back(ir::as<ir::Var>(global->second.value));
      bind(name, out.back());
      continue;
    }
    const ir::Type* announced = announced_type(name);
    ir::IterArg arg;
    arg.kind = NodeKind::IterArg;
    arg.span = span(header.loop_var_at, header.loop_var_at);
    arg.type = announced != nullptr ? announced : inits[i]->type;
    arg.name_hint = context_.intern(names_.text(name));
    arg.init_value = inits[i];
    out.push_back(context_.make(arg));
    bind(name, out.back());
  }
  return out;
}

// `(start, stop, step, init_values=..., stage=..., attrs=...)` of a loop over a range.
void Parser::range_arguments(ir::ForStmt& loop, std::vector<const ir::Expr*>& inits) {
  uint32_t first = pos_;
  expect(Tok::LParen);
  std::vector<Argument> given = arguments_behind();
  std::vector<ir::Attr> attrs = std::move(attrs_);
  std::vector<const ir::Expr*> bounds;
  for (Argument& argument : given) {
    if (argument.key.empty()) {
      bounds.push_back(expr_of(argument.value));
    } else if (argument.key == "init_values") {
      inits = init_values(argument.value);
    } else if (argument.key == "stage" && loop.for_kind == ir::ForKind::Pipeline) {
      attrs.insert(attrs.begin(), {"pipeline_stages", attr_value("pipeline_stages", argument.value)});
    } else {
      report(diag::codes::unknown_keyword, argument.value.key_at, argument.value.key_at, "pl.range", argument.key);
      throw Fault{};
    }
  }
  if (bounds.empty() || bounds.size() > 3) {
    report(diag::codes::operand_count, first, pos_ - 1, "pl.range", "1 to 3", bounds.size());
    throw Fault{};
  }
  loop.start = bounds.size() > 1 ? bounds[0] : index_const(0, first);
  loop.stop = bounds.size() > 1 ? bounds[1] : bounds[0];
  loop.step = bounds.size() > 2 ? bounds[2] : index_const(1, first);
  loop.attrs = context_.list(attrs);
}

const ir::Stmt* Parser::range_loop(const ForHeader& header, ir::ForKind kind) {
  ir::ForStmt node;
  node.kind = NodeKind::ForStmt;
  node.for_kind = kind;
  std::vector<const ir::Expr*> inits;
  range_arguments(node, inits);
  const ir::Type* counted = announced_type(header.loop_var);
  if (counted == nullptr && ir::as_scalar(node.start->type) != nullptr) counted = node.start->type;
  if (counted == nullptr) counted = context_.scalar_type(ir::DType::Index);
  node.loop_var = bind_new(header.loop_var, counted, header.loop_var_at);
  node.iter_args = context_.list(bind_iter_args(header, inits));
  expect(Tok::Colon);
  Region region;
  node.body = loop_body(region);
  node.return_vars = region_results(region, node.iter_args);
  node.span = span_from(header.first);
  return context_.make(node);
}

const ir::Stmt* Parser::while_stmt() {
  Deeper deeper(*this);
  uint32_t first = pos_;
  next();
  ir::WhileStmt node;
  node.kind = NodeKind::WhileStmt;
  Block block(*this, true);
  node.condition = expr();
  expect(Tok::Colon);
  Region region;
  node.body = block_of_region(region);
  check_rebindings();
  node.return_vars = region_results(region, {});
  node.span = span_from(first);
  return context_.make(node);
}

// `for (x,) in pl.while_(init_values=(x0,)):` with `pl.cond(...)` as its first statement.
const ir::Stmt* Parser::while_form(const ForHeader& header) {
  expect(Tok::LParen);
  std::vector<Argument> given = arguments_behind();
  std::vector<const ir::Expr*> inits;
  for (Argument& argument : given) {
    if (argument.key != "init_values") {
      report(diag::codes::unknown_keyword, argument.value.begin, argument.value.begin, "pl.while_", argument.key);
      throw Fault{};
    }
    inits = init_values(argument.value);
  }
  ir::WhileStmt node;
  node.kind = NodeKind::WhileStmt;
  node.iter_args = context_.list(bind_iter_args(header, inits));
  expect(Tok::Colon);
  expect(Tok::Newline);
  if (!take(Tok::Indent)) fail_expected("an indented block");
  expect_word(words::w_pl);
  expect(Tok::Dot);
  expect_word(words::w_cond);
  Block block(*this, true);
  expect(Tok::LParen);
  node.condition = expr();
  expect(Tok::RParen);
  expect(Tok::Newline);
  Region region;
  uint32_t first = pos_;
  std::vector<const ir::Stmt*> stmts;
  {
    InRegion inside(*this, region);
    statements(stmts);
    check_rebindings();
  }
  take(Tok::Dedent);
  node.body = as_body(stmts, first);
  node.return_vars = region_results(region, node.iter_args);
  node.span = span_from(header.first);
  return context_.make(node);
}

}  // namespace pyptoc::text
