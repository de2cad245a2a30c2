// SPDX-License-Identifier: Apache-2.0
// Parsing: blocks and simple statements.
#include <fmt/format.h>

#include "text/parse_support.h"

namespace pyptoc::text {

using ir::NodeKind;

const ir::Stmt* Parser::make_seq(const std::vector<const ir::Stmt*>& stmts, uint32_t first) {
  ir::SeqStmts node = draft<ir::SeqStmts>(NodeKind::SeqStmts, first);
  node.stmts = context_.list(stmts);
  return context_.make(node);
}

// One statement as it is, several or none as a sequence.
const ir::Stmt* Parser::as_body(const std::vector<const ir::Stmt*>& stmts, uint32_t first) {
  return stmts.size() == 1 ? stmts.front() : make_seq(stmts, first);
}

// What stands behind the `:` of a header: an indented block, or statements on the same line.
std::vector<const ir::Stmt*> Parser::block() {
  Deeper deeper(*this);
  std::vector<const ir::Stmt*> out;
  if (!take(Tok::Newline)) {
    simple_line(out);
    return out;
  }
  if (!is(Tok::Indent)) {
    report(diag::codes::missing_block, pos_ > 1 ? pos_ - 2 : 0, pos_ > 1 ? pos_ - 2 : 0, "this header");
    return out;
  }
  next();
  statements(out);
  take(Tok::Dedent);
  return out;
}

const ir::Stmt* Parser::block_stmt() {
  uint32_t first = pos_;
  return as_body(block(), first);
}

// Up to the end of the block. After a fault reading goes on at the next statement.
void Parser::statements(std::vector<const ir::Stmt*>& out) {
  while (!is(Tok::Dedent) && !is(Tok::End)) {
    uint32_t first = pos_;
    int depth = depth_;
    int quiet = quiet_;
    try {
      statement(out);
    } catch (const Fault&) {
      depth_ = depth;
      quiet_ = quiet;
      wanted_type_ = nullptr;
      assigned_name_ = 0;
      skip_statement();
    }
    if (pos_ == first) next();  // a stray token must not stop everything
  }
}

std::string_view Parser::comment_text(const Comment& comment) {
  std::string_view text = source_.substr(comment.begin + 1, comment.end - comment.begin - 1);
  if (text.starts_with(": \"") || text.starts_with(": '")) {  // what does not fit on a line as it is
    Names scratch;
    TokenList list = tokenize(text.substr(2), scratch);
    std::string value;
    bool whole = list.tokens.size() == 3 && list.tokens[0].kind == Tok::String;
    if (whole && append_string(text.substr(2 + list.tokens[0].begin, list.tokens[0].end - list.tokens[0].begin), value))
      return context_.copy_string(value);
  }
  if (text.starts_with(' ')) text.remove_prefix(1);
  return context_.copy_string(text);
}

// Whether a comment on a line of its own stands at the indentation of the line that follows it. Others are at the end
// of a deeper block and belong to nothing.
bool Parser::leads_its_line(const Comment& comment) {
  uint32_t at = comment.token;
  while (tokens_[at].kind == Tok::Indent || tokens_[at].kind == Tok::Dedent) ++at;
  return comment.column <= tokens_[at].begin - map_.line_begin(tokens_[at].begin);
}

// Comments of the statement whose first token is `first`: those above it, and those behind its first line.
ir::List<std::string_view> Parser::comments_for(uint32_t first) {
  if (doc_lines_.empty() && next_comment_ >= comments_.size()) return {};
  std::vector<std::string_view> out = std::move(doc_lines_);
  doc_lines_.clear();
  for (; next_comment_ < comments_.size() && comments_[next_comment_].token <= first; ++next_comment_) {
    const Comment& comment = comments_[next_comment_];
    if (comment.own_line && leads_its_line(comment)) out.push_back(comment_text(comment));
  }
  uint32_t end = first;
  while (tokens_[end].kind != Tok::Newline && tokens_[end].kind != Tok::End) ++end;
  for (; next_comment_ < comments_.size() && comments_[next_comment_].token <= end; ++next_comment_)
    out.push_back(comment_text(comments_[next_comment_]));
  return context_.list(out);
}

namespace {
template <class S>
const ir::Stmt* commented(ir::Context& context, const S& node, ir::List<std::string_view> comments) {
  S copy = node;
  copy.leading_comments = comments;
  return context.make(copy);
}
}  // namespace

// The last of `out` gets the comments.
void Parser::attach(std::vector<const ir::Stmt*>& out, size_t before, ir::List<std::string_view> comments) {
  if (comments.empty()) return;
  if (out.size() == before) {  // no statement came of it: they go to the next one
    doc_lines_.assign(comments.begin(), comments.end());
    return;
  }
  const ir::Stmt*& stmt = out[before];
  stmt = ir::dispatch(stmt, [&](const auto& node) -> const ir::Stmt* {
    if constexpr (std::is_base_of_v<ir::Stmt, std::remove_cvref_t<decltype(node)>>)
      return commented(context_, node, comments);
    else
      PYPTOC_UNREACHABLE("not a statement");
  });
}

void Parser::statement(std::vector<const ir::Stmt*>& out) {
  if (is(Tok::Indent)) {
    report(diag::codes::unexpected_indent, pos_ + 1, pos_ + 1);
    next();
    statements(out);
    take(Tok::Dedent);
    return;
  }
  if (is(Tok::Fault)) fail_lexical(tok());
  uint32_t first = pos_;
  size_t before = out.size();
  ir::List<std::string_view> comments = comments_for(first);
  if (is(Tok::String)) {
    docstring();
    std::vector<std::string_view> lines(comments.begin(), comments.end());
    lines.insert(lines.end(), doc_lines_.begin(), doc_lines_.end());
    doc_lines_ = std::move(lines);
    return;
  }
  if (const ir::Stmt* stmt = compound())
    out.push_back(stmt);
  else
    simple_line(out);
  attach(out, before, comments);
}

// A string as a statement: its lines are comments of the next statement.
void Parser::docstring() {
  std::string value = string_value();
  std::string_view rest = context_.copy_string(value);
  while (true) {
    size_t end = rest.find('\n');
    doc_lines_.push_back(rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  expect(Tok::Newline);
}

const ir::Stmt* Parser::compound() {
  if (!is(Tok::Name)) return nullptr;
  switch (tok().id) {
    case words::kw_if:
      next();
      return if_stmt(pos_ - 1);
    case words::kw_for:
      return for_stmt();
    case words::kw_while:
      return while_stmt();
    case words::kw_with:
      return with_stmt();
    default:
      return nullptr;
  }
}

void Parser::simple_line(std::vector<const ir::Stmt*>& out) {
  do {
    if (is(Tok::Newline)) break;
    if (const ir::Stmt* stmt = simple(out)) out.push_back(stmt);
  } while (take(Tok::Semicolon));
  if (is(Tok::End)) return;
  expect(Tok::Newline);
}

const ir::Stmt* Parser::simple(std::vector<const ir::Stmt*>& out) {
  uint32_t first = pos_;
  if (take(Tok::Ellipsis)) return nullptr;
  if (!is(Tok::Name)) return is(Tok::LParen) ? unpacking(out) : eval(expr(), first);
  switch (tok().id) {
    case words::kw_pass:
      next();
      return nullptr;
    case words::kw_break:
      next();
      return context_.make(draft<ir::BreakStmt>(NodeKind::BreakStmt, first));
    case words::kw_continue:
      next();
      return context_.make(draft<ir::ContinueStmt>(NodeKind::ContinueStmt, first));
    case words::kw_return:
      return return_stmt();
    case words::w_pl: {
      const ir::Stmt* stmt = nullptr;
      if (statement_form(stmt)) return stmt;
      return eval(expr(), first);
    }
    default:
      break;
  }
  bool value = tok().id == words::kw_not || tok().id == words::kw_True || tok().id == words::kw_False;
  if (tok().id < words::kKeywords && !value) {
    std::string what = fmt::format("`{}`", text(tok()));
    if (tok().id == words::kw_else || tok().id == words::kw_elif) fail_expected("a statement");
    report(diag::codes::not_in_dsl, pos_, pos_, what);
    throw Fault{};
  }
  return value ? eval(expr(), first) : name_statement(out);
}

const ir::Stmt* Parser::return_stmt() {
  uint32_t first = pos_;
  next();
  std::vector<const ir::Expr*> values;
  bool bracket = is(Tok::LParen) && closes_line(pos_);
  if (bracket) next();  // `return (a, b)` returns two values
  while (!is(Tok::Newline) && !is(Tok::Semicolon) && !is(Tok::RParen) && !is(Tok::End)) {
    values.push_back(expr());
    if (!take(Tok::Comma)) break;
  }
  if (bracket) expect(Tok::RParen);
  ir::ReturnStmt node = draft<ir::ReturnStmt>(NodeKind::ReturnStmt, first);
  node.value = context_.list(values);
  return context_.make(node);
}

// Whether the bracket that opens at `at` closes at the end of its line, with a comma of its own inside.
bool Parser::closes_line(uint32_t at) const {
  int depth = 0;
  bool comma = false;
  for (uint32_t i = at; i < tokens_.size(); ++i) {
    Tok kind = tokens_[i].kind;
    if (kind == Tok::LParen || kind == Tok::LBracket || kind == Tok::LBrace) ++depth;
    if (kind == Tok::RParen || kind == Tok::RBracket || kind == Tok::RBrace) --depth;
    if (kind == Tok::Comma && depth == 1) comma = true;
    if (kind == Tok::Newline || kind == Tok::End) return false;
    if (depth == 0) return comma && tokens_[i + 1].kind == Tok::Newline;
  }
  return false;
}

const ir::Stmt* Parser::yield_stmt(const std::vector<NameId>& targets, const ir::Type* annotation, uint32_t first) {
  pos_ += 3;
  expect(Tok::LParen);
  std::vector<const ir::Expr*> values;
  while (!is(Tok::RParen)) {
    values.push_back(expr());
    if (!take(Tok::Comma)) break;
  }
  expect(Tok::RParen);
  if (!targets.empty()) region_yield(targets, values, annotation, first);
  ir::YieldStmt node = draft<ir::YieldStmt>(NodeKind::YieldStmt, first);
  node.value = context_.list(values);
  return context_.make(node);
}

// Statements that look like calls: `pl.yield_(...)`, `pl.results(...)`, `pl.inline_python(...)`. Stands at the `pl`.
bool Parser::statement_form(const ir::Stmt*& out) {
  if (tok(1).kind != Tok::Dot || tok(2).kind != Tok::Name) return false;
  uint32_t first = pos_;
  switch (tok(2).id) {
    case words::w_yield_:
      out = yield_stmt({}, nullptr, first);
      return true;
    case words::w_results:
      results_form();
      return true;
    case words::w_inline_python: {
      pos_ += 3;
      expect(Tok::LParen);
      ir::InlineStmt node = draft<ir::InlineStmt>(NodeKind::InlineStmt, first);
      node.body = context_.copy_string(string_value());
      expect(Tok::RParen);
      out = context_.make(node);
      return true;
    }
    case words::w_cond:
      report(diag::codes::not_in_dsl, first, first + 2, "`pl.cond` here")
          .help("it is the first statement in a loop over `pl.while_`");
      throw Fault{};
    case words::w_func_attr: {
      pos_ += 3;
      expect(Tok::LParen);
      std::vector<ir::Attr> attrs = attr_dict();
      expect(Tok::RParen);
      std::vector<ir::Attr>& all = functions_[function_ - 1].attrs;
      all.insert(all.end(), attrs.begin(), attrs.end());
      return true;
    }
    case words::w_static_print: {  // makes no IR
      pos_ += 3;
      expect(Tok::LParen);
      (void)arguments_behind();
      return true;
    }
    default:
      return false;
  }
}

}  // namespace pyptoc::text
