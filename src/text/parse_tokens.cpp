// SPDX-License-Identifier: Apache-2.0
// Parsing: tokens, places and reports.
#include <fmt/format.h>

#include "ir/depth_guard.h"
#include "support/edit_distance.h"
#include "support/utf8.h"
#include "text/parse_support.h"

namespace pyptoc::text {

Parser::Parser(ir::Context& context, std::string_view source, std::string_view filename, diag::Engine& engine)
    : context_(context),
      source_(source),
      filename_(context.intern(filename)),
      engine_(engine),
      map_(source),
      types_(context),
      poison_type_(context.copy(ir::Type{ir::TypeKind::UnknownType})) {
  TokenList list = tokenize(source, names_);
  tokens_ = std::move(list.tokens);
  comments_ = std::move(list.comments);
  bindings_.resize(names_.size());
}

bool Parser::take(Tok kind) {
  if (!is(kind)) return false;
  next();
  return true;
}
bool Parser::take_word(NameId word) {
  if (!is_word(word)) return false;
  next();
  return true;
}
void Parser::expect(Tok kind) {
  if (!take(kind)) fail_expected(text_of(kind));
}
void Parser::expect_word(NameId word) {
  if (!take_word(word)) fail_expected(fmt::format("`{}`", names_.text(word)));
}
NameId Parser::expect_name(std::string_view what) {
  if (!is_plain_name()) fail_expected(what);
  NameId id = tok().id;
  next();
  return id;
}

std::string Parser::found(const Token& token) const {
  switch (token.kind) {
    case Tok::End:
    case Tok::Newline:
    case Tok::Indent:
    case Tok::Dedent:
      return std::string(text_of(token.kind));
    case Tok::String:
      return "a string";
    default: {
      std::string_view shown = text(token);
      if (token.kind == Tok::Name && token.id < words::kKeywords) return fmt::format("keyword `{}`", shown);
      return fmt::format("`{}`", shown.substr(0, 60));
    }
  }
}

diag::Place Parser::place(uint32_t first, uint32_t last) {
  const Token& from = tokens_[first];
  const Token& to = tokens_[std::max(first, last)];
  LineColumn begin = map_.at(from.begin);
  LineColumn end = map_.at(std::max(from.begin, to.end));
  diag::Place out;
  out.filename = filename_;
  out.begin_line = begin.line;
  out.begin_column = begin.column;
  out.end_line = end.line;
  out.end_column = end.column;
  return out;
}

const ir::Span* Parser::span(uint32_t first, uint32_t last) {
  diag::Place at = place(first, last);
  ir::Span out;
  out.filename = at.filename;
  out.begin_line = at.begin_line;
  out.begin_column = at.begin_column;
  out.end_line = at.end_line;
  out.end_column = at.end_column;
  return context_.span(out);
}

void Parser::fail_lexical(const Token& token) {
  uint32_t at = static_cast<uint32_t>(&token - tokens_.data());
  switch (static_cast<LexFault>(token.id)) {
    case LexFault::BadCharacter: {
      support::DecodedCharacter c = support::decode_utf8(source_.substr(token.begin));
      std::string shown = c.valid && c.code_point >= 0x20 && c.code_point != 0x7f
                              ? fmt::format("`{}`", source_.substr(token.begin, c.length))
                              : fmt::format("U+{:04X}", static_cast<uint32_t>(c.code_point));
      report(diag::codes::bad_character, at, at, shown);
      break;
    }
    case LexFault::BadNumber:
      report(diag::codes::bad_number, at, at, text(token));
      break;
    case LexFault::OpenBracket:
      report(diag::codes::open_bracket, at, at, text(token));
      break;
    case LexFault::OpenString:
      report(diag::codes::open_string, at, at);
      break;
    case LexFault::BadDedent:
      report(diag::codes::bad_dedent, at, at);
      break;
  }
  throw Fault{};
}

void Parser::fail_expected(std::string_view what) {
  if (tok().kind == Tok::Fault) fail_lexical(tok());
  report(diag::codes::text_syntax, pos_, pos_, what, found(tok()));
  throw Fault{};
}

// Behind the end of this line, or where an inner block begins or the own one ends.
void Parser::skip_line() {
  while (!is(Tok::Newline) && !is(Tok::End) && !is(Tok::Indent) && !is(Tok::Dedent)) next();
  take(Tok::Newline);
}

// A whole indented block, when there is one.
void Parser::skip_block() {
  if (!is(Tok::Indent)) return;
  int depth = 0;
  do {
    if (is(Tok::Indent)) ++depth;
    if (is(Tok::Dedent)) --depth;
    next();
  } while (depth > 0 && !is(Tok::End));
}

void Parser::skip_statement() {
  skip_line();
  skip_block();
}

// Looking for near names takes time in their number, so only so many faults get that help.
std::string Parser::closest_help(std::string_view name, const std::vector<std::string_view>& known) {
  if (++helps_ > kMostHelps) return {};
  auto near = support::closest(name, known);
  return near.has_value() ? fmt::format("did you mean `{}`?", *near) : std::string();
}

int64_t Parser::int_value() {
  bool negative = take(Tok::Minus);
  if (!is(Tok::Int)) fail_expected("an integer");
  std::optional<int64_t> value = parse_int(text(tok()), negative);
  if (!value.has_value() || (*value < 0 && !negative)) {
    report(diag::codes::bad_number, pos_, pos_, text(tok()));
    throw Fault{};
  }
  next();
  return *value;
}

bool Parser::bool_value() {
  if (take_word(words::kw_True)) return true;
  if (take_word(words::kw_False)) return false;
  fail_expected("`True` or `False`");
}

std::string Parser::string_value() {
  if (!is(Tok::String)) fail_expected("a string");
  std::string out;
  while (is(Tok::String)) {  // adjacent ones are joined
    if (!append_string(text(tok()), out)) {
      report(diag::codes::not_in_dsl, pos_, pos_, "this kind of string");
      throw Fault{};
    }
    next();
  }
  return out;
}

}  // namespace pyptoc::text
