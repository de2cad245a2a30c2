// SPDX-License-Identifier: Apache-2.0
// Parsing: functions. Signatures are read first, all of them, then bodies, so that calls know their callee's results.
#include <fmt/format.h>

#include "text/parse_support.h"

namespace pyptoc::text {

using ir::NodeKind;

// ---- where functions are ----

// A decorated function: notes where its parts are, and steps over it. Stands at its first `@`, or at its `def`.
void Parser::function(bool method) {
  FunctionRecord record;
  record.first = pos_;
  functions_.emplace_back();  // reports go to it
  function_ = static_cast<uint32_t>(functions_.size());
  bool decorated = is(Tok::At);
  try {
    while (is(Tok::At)) decorator(record);
    expect_word(words::kw_def);
    record.at = pos_;
    if (!is_plain_name()) fail_expected("the name of the function");
    if (record.name.empty()) record.name = context_.intern(text(tok()));
    next();
    params(record, method);
    if (take(Tok::Arrow)) {
      record.result = pos_;
      skip_annotation();
    }
    expect(Tok::Colon);
  } catch (const Fault&) {
    functions_.pop_back();
    function_ = 0;
    has_faulty_signature_ = true;
    skip_function();
    return;
  }
  if (!decorated) report(diag::codes::text_syntax, record.first, record.first, "`@pl.function` above", "`def`");
  body_extent(record);
  bool faulty = functions_.back().faulty;
  functions_.back() = std::move(record);
  functions_.back().faulty = faulty;
  auto [there, fresh] = function_numbers_.emplace(functions_.back().name, function_);
  if (!fresh) {
    uint32_t other = functions_[there->second - 1].at;
    report(diag::codes::repeated_name, functions_.back().at, functions_.back().at, "function", functions_.back().name)
        .note("the other one is here", place_at(other));
  }
  function_ = 0;
}

// Behind a function whose header is broken.
void Parser::skip_function() {
  while (!is(Tok::End)) {
    if (is(Tok::Indent)) return skip_block();
    if (is(Tok::Dedent)) return;
    bool next_one = is(Tok::At) && pos_ > 0 && tokens_[pos_ - 1].kind == Tok::Newline;
    if (next_one) return;
    next();
  }
}

void Parser::skip_annotation() {
  int depth = 0;
  while (!is(Tok::End) && !is(Tok::Newline) && !is(Tok::Fault)) {
    if (depth == 0 && (is(Tok::Comma) || is(Tok::Colon) || is(Tok::Assign) || is(Tok::RParen))) return;
    if (is(Tok::LParen) || is(Tok::LBracket) || is(Tok::LBrace)) ++depth;
    if (is(Tok::RParen) || is(Tok::RBracket) || is(Tok::RBrace)) --depth;
    next();
  }
}

void Parser::params(FunctionRecord& record, bool method) {
  expect(Tok::LParen);
  bool first = true;
  while (!is(Tok::RParen)) {
    Param param;
    param.at = pos_;
    if (first && is_word(words::w_self)) {
      next();
    } else {
      param.name = expect_name("a parameter");
      if (take(Tok::Colon)) {
        param.annotation = pos_;
        skip_annotation();
      }
      if (is(Tok::Assign)) {
        report(diag::codes::not_in_dsl, pos_, pos_, "a default value of a parameter");
        throw Fault{};
      }
      record.params.push_back(param);
    }
    first = false;
    if (!take(Tok::Comma)) break;
  }
  expect(Tok::RParen);
  (void)method;
}

void Parser::body_extent(FunctionRecord& record) {
  record.body = pos_;
  if (is(Tok::Newline) && tok(1).kind == Tok::Indent) {
    next();
    skip_block();
  } else {
    while (!is(Tok::Newline) && !is(Tok::End)) next();
    take(Tok::Newline);
  }
  record.end = pos_;
}

// ---- decorators ----

// `@pl.function`, `@pl.function(type=..., ...)`, `@pl.inline`.
void Parser::decorator(FunctionRecord& record) {
  expect(Tok::At);
  expect_word(words::w_pl);
  expect(Tok::Dot);
  if (is_word(words::w_inline)) {
    record.type = ir::FunctionType::Inline;
  } else if (!is_word(words::w_function)) {
    if (!is(Tok::Name)) fail_expected("`function`");
    auto builder = report(diag::codes::unknown_attribute, pos_, pos_, "pl", text(tok()));
    std::string help = closest_help(text(tok()), {"function", "inline"});
    if (!help.empty()) builder.help(std::move(help));
    throw Fault{};
  }
  next();
  if (take(Tok::LParen)) {
    while (!is(Tok::RParen)) {
      uint32_t at = pos_;
      std::string_view key = text(tok());
      expect_name("a keyword");
      expect(Tok::Assign);
      decorator_argument(record, key, at);
      if (!take(Tok::Comma)) break;
    }
    expect(Tok::RParen);
  }
  expect(Tok::Newline);
}

void Parser::decorator_argument(FunctionRecord& record, std::string_view key, uint32_t at) {
  if (key == "type") {
    record.type = enum_member<ir::FunctionType>("FunctionType");
  } else if (key == "level") {
    record.level_given = true;
    if (!take_word(words::kw_None)) record.level = enum_member<ir::Level>("Level");
  } else if (key == "role") {
    record.role_given = true;
    if (!take_word(words::kw_None)) record.role = enum_member<ir::Role>("Role");
  } else if (key == "requires_runtime_binding") {
    record.runtime_binding = bool_value();
  } else if (key == "name") {
    record.name = context_.intern(string_value());
  } else if (key == "inline") {
    record.python_given = true;
    record.python = bool_value();
  } else if (key == "attrs") {
    std::vector<ir::Attr> attrs = attr_dict();
    record.attrs.insert(record.attrs.end(), attrs.begin(), attrs.end());
  } else {
    static constexpr std::string_view kAttributes[] = {"external_source", "external_include_dirs", "auto_scope",
                                                       "split",           "dual_aiv_dispatch",     "windowize"};
    bool known = std::find(std::begin(kAttributes), std::end(kAttributes), key) != std::end(kAttributes);
    if (!known) {
      std::vector<std::string_view> all(std::begin(kAttributes), std::end(kAttributes));
      all.insert(all.end(), {"type", "level", "role", "attrs", "requires_runtime_binding", "name"});
      auto builder = report(diag::codes::unknown_keyword, at, at, "pl.function", key);
      if (std::string help = closest_help(key, all); !help.empty()) builder.help(std::move(help));
      throw Fault{};
    }
    Value given = value();
    record.attrs.push_back({context_.intern(key), attr_value(key, given)});
  }
}

// ---- signatures ----

// Parameters may mention each other in any order.
const ir::Var* Parser::param_var(Param& param) {
  if (param.var != nullptr) return param.var;
  uint32_t resume = pos_;
  param.in_progress = true;
  std::string_view hint = names_.text(param.name);
  const ir::Type* found_type = poison_type_;
  try {
    if (param.annotation == 0) {
      report(diag::codes::missing_annotation, param.at, param.at, hint);
    } else {
      pos_ = param.annotation;
      found_type = param_type(param, hint);
      if (!is(Tok::Comma) && !is(Tok::RParen)) fail_expected("`,` or `)`");
    }
  } catch (const Fault&) {
  }
  pos_ = resume;
  auto global = globals_.find(param.name);
  const ir::Var* shared =
      global != globals_.end() && global->second.variable ? ir::as<ir::Var>(global->second.value) : nullptr;
  if (shared != nullptr) {
    param.var = shared;
  } else {
    ir::Var var;
    var.kind = NodeKind::Var;
    var.span = span(param.at, param.at);
    var.type = found_type;
    var.name_hint = context_.intern(hint);
    param.var = context_.make(var);
  }
  param.in_progress = false;
  bind(param.name, param.var);
  return param.var;
}

// `pl.Out[T]`, `pl.InOut[T]`, and `pl.Named["name", T]` for a name that cannot stand in the text.
const ir::Type* Parser::param_type(Param& param, std::string_view& hint) {
  bool wrapper = is_word(words::w_pl) && tok(1).kind == Tok::Dot;
  bool out = wrapper && is_word_at(2, words::w_Out);
  bool in_out = wrapper && is_word_at(2, words::w_InOut);
  bool named = wrapper && is_word_at(2, words::w_Named);
  if (!out && !in_out && !named) return type();
  pos_ += 3;
  expect(Tok::LBracket);
  if (named) {
    hint = context_.intern(string_value());
    expect(Tok::Comma);
  } else {
    param.direction = out ? ir::ParamDirection::Out : ir::ParamDirection::InOut;
  }
  const ir::Type* inner = param_type(param, hint);
  expect(Tok::RBracket);
  return inner;
}

void Parser::signature(FunctionRecord& record, uint32_t number) {
  function_ = number;
  in_header_ = true;
  bound_names_.clear();
  for (size_t i = 0; i < record.params.size(); ++i) {
    Param& param = record.params[i];
    for (size_t j = 0; j < i && record.params.size() < 64; ++j)
      if (record.params[j].name == param.name)
        report(diag::codes::repeated_name, param.at, param.at, "parameter", names_.text(param.name));
    param_var(param);
  }
  in_header_ = false;
  if (record.result != 0) {
    Quiet quiet(*this);  // it may mention what the body defines; then it is read after the body
    try {
      size_t dropped = dropped_.error_count();
      result_types(record);
      record.results_known = dropped_.error_count() == dropped;
    } catch (const Fault&) {
    }
    if (!record.results_known) forget_poison();
  } else {
    record.results_known = true;
  }
  if (!record.results_known) record.results.clear();
  types_.add_function(record.name, record.results);
  function_ = 0;
}

// `T`, or `tuple[T, U]` for several.
void Parser::result_types(FunctionRecord& record) {
  record.results.clear();
  pos_ = record.result;
  if (take_word(words::kw_None)) return;
  if (take_word(words::w_tuple)) {
    expect(Tok::LBracket);
    do {
      if (is(Tok::RBracket)) break;
      record.results.push_back(type());
    } while (take(Tok::Comma));
    expect(Tok::RBracket);
  } else {
    record.results.push_back(type());
  }
  if (!is(Tok::Colon)) fail_expected("`:`");
}

// ---- bodies ----

const ir::Stmt* Parser::python_body(FunctionRecord& record) {
  ir::InlineStmt node;
  node.kind = NodeKind::InlineStmt;
  pos_ = record.body;
  node.body = raw_block();
  node.span = span_from(record.body);
  return context_.make(node);
}

const ir::Function* Parser::function_body(FunctionRecord& record, uint32_t number) {
  function_ = number;
  bound_names_.clear();
  rebindings_.begin_function();
  for (Param& param : record.params) bind(param.name, param.var);
  pos_ = record.body;
  while (next_comment_ < comments_.size() && comments_[next_comment_].token < record.body) ++next_comment_;
  doc_lines_.clear();
  regions_.clear();
  allocations_.clear();
  const ir::Stmt* body = nullptr;
  bool single_form = tok(1).kind == Tok::Indent && is_inline_form(2);
  try {
    body = record.python && !single_form ? python_body(record) : block_stmt();
  } catch (const Fault&) {
    body = make_seq({}, record.body);
  }
  pos_ = record.end;
  if (!record.results_known) {
    try {
      result_types(record);
    } catch (const Fault&) {
    }
    pos_ = record.end;
  }
  check_declared();
  ir::Function node;
  node.kind = NodeKind::Function;
  node.span = span(record.at, record.at);
  fill_function(node, record);
  node.body = body;
  function_ = 0;
  return context_.make(node);
}

// Whether the block that begins at the token `ahead` is a `with pl.inline_python():`, or the call of that name.
bool Parser::is_inline_form(uint32_t ahead) const {
  if (is_word_at(ahead, words::kw_with)) ++ahead;
  return is_word_at(ahead, words::w_pl) && tok(ahead + 1).kind == Tok::Dot &&
         is_word_at(ahead + 2, words::w_inline_python);
}

void Parser::fill_function(ir::Function& node, FunctionRecord& record) {
  std::vector<const ir::Var*> params;
  std::vector<ir::ParamDirection> directions;
  for (const Param& param : record.params) {
    params.push_back(param.var);
    directions.push_back(param.direction);
  }
  node.name = record.name;
  node.params = context_.list(params);
  node.param_directions = context_.list(directions);
  node.func_type = record.type;
  node.level = record.level;
  node.role = record.role;
  node.attrs = context_.list(record.attrs);
  node.requires_runtime_binding = record.runtime_binding;
  node.return_types = context_.list(record.results);
}

// Level and role that the type implies, and whether the body is Python.
void Parser::complete_record(FunctionRecord& record) {
  Placement implied = implied_placement(record.type);
  if (!record.level_given) record.level = implied.level;
  if (!record.role_given) record.role = implied.role;
  if (!record.python_given) record.python = record.level == ir::Level::Host && record.role == ir::Role::SubWorker;
}

// A name that was only declared, or stands in the header of a domain, and that nothing binds.
void Parser::check_declared() {
  for (NameId name : bound_names_) {
    const Binding& binding = bindings_[name];
    if (binding.function != function_ || !binding.declared || binding.var == nullptr) continue;
    diag::Place at = place_of(binding.var);
    functions_[function_ - 1].faulty = true;
    engine_.report(diag::codes::undefined_name, at, names_.text(name))
        .help("it is declared here, but nothing gives it a value");
  }
}

// Poison that a quiet attempt left behind.
void Parser::forget_poison() {
  for (NameId name : bound_names_) {
    Binding& binding = bindings_[name];
    if (binding.function == function_ && binding.var->type == poison_type_) binding.function = 0;
  }
}

}  // namespace pyptoc::text
