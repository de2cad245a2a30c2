// SPDX-License-Identifier: Apache-2.0
// The lexer of DSL text.
#include "text/lexer.h"

#include <algorithm>

namespace pyptoc::text {

namespace {

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

class Lexer {
 public:
  Lexer(std::string_view text, Names& names, TokenList& out) : text_(text), names_(names), out_(out) {}
  void run();

 private:
  struct Bracket {
    uint32_t at;
    char open;
  };

  char at(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  void add(Tok kind, size_t begin, size_t end, uint32_t id = 0) {
    out_.tokens.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end), id, kind});
  }
  void fault(LexFault what, size_t begin, size_t end) { add(Tok::Fault, begin, end, static_cast<uint32_t>(what)); }

  void line_start();
  void line_end();
  void indentation(uint32_t column);
  void comment();
  bool begins_statement(uint32_t column) const;
  void token();
  void name();
  void number();
  void string(size_t prefix);
  void punctuation();
  void open(Tok kind);
  void close(Tok kind, char open);
  void give_up_brackets();
  std::string_view word_at(size_t begin) const;

  std::string_view text_;
  Names& names_;
  TokenList& out_;
  size_t pos_ = 0;
  size_t line_begin_ = 0;
  bool fresh_ = true;  // no token yet in this logical line
  uint32_t statement_column_ = 0;
  std::vector<uint32_t> blocks_{0};
  std::vector<Bracket> brackets_;
};

void Lexer::comment() {
  size_t end = std::min(text_.find_first_of("\r\n", pos_), text_.size());
  bool own_line = text_.find_first_not_of(" \t", line_begin_) == pos_;
  out_.comments.push_back({static_cast<uint32_t>(pos_), static_cast<uint32_t>(end),
                           static_cast<uint32_t>(out_.tokens.size()), static_cast<uint32_t>(pos_ - line_begin_),
                           own_line});
  pos_ = end;
}

std::string_view Lexer::word_at(size_t begin) const {
  size_t end = begin;
  while (end < text_.size() && is_name_part(text_[end])) ++end;
  return text_.substr(begin, end - begin);
}

// Whether a line inside brackets looks like the start of the next statement, so that a bracket must have been
// forgotten.
bool Lexer::begins_statement(uint32_t column) const {
  if (column > statement_column_) return false;
  if (at(pos_) == '@') return true;
  std::string_view word = word_at(pos_);
  if (word.empty() || is_digit(word.front())) return false;
  for (std::string_view keyword : {"def", "class", "return", "with", "while", "for", "if", "else", "elif", "import",
                                   "from", "pass", "break", "continue", "raise", "try"})
    if (word == keyword) return true;
  size_t after = std::min(text_.find_first_not_of(" \t", pos_ + word.size()), text_.size());
  bool annotated = at(after) == ':' && at(after + 1) == ' ';
  bool assigned = at(after) == '=' && at(after + 1) == ' ' && after > pos_ + word.size();
  return annotated || assigned || text_.substr(pos_, 3) == "pl." || text_.substr(pos_, 5) == "self.";
}

void Lexer::give_up_brackets() {
  fault(LexFault::OpenBracket, brackets_.back().at, brackets_.back().at + 1);
  brackets_.clear();
  add(Tok::Newline, line_begin_, line_begin_);
  fresh_ = true;
}

void Lexer::indentation(uint32_t column) {
  if (column > blocks_.back()) {
    blocks_.push_back(column);
    add(Tok::Indent, line_begin_, pos_);
    return;
  }
  while (column < blocks_.back()) {
    blocks_.pop_back();
    add(Tok::Dedent, pos_, pos_);
  }
  if (column != blocks_.back()) fault(LexFault::BadDedent, pos_, pos_ + 1);
}

// At the first character of a physical line.
void Lexer::line_start() {
  line_begin_ = pos_;
  uint32_t column = 0;
  for (; at(pos_) == ' ' || at(pos_) == '\t' || at(pos_) == '\f'; ++pos_)
    column = text_[pos_] == '\t' ? (column / 8 + 1) * 8 : column + 1;
  if (pos_ >= text_.size() || at(pos_) == '\n' || at(pos_) == '\r' || at(pos_) == '#') return;
  if (!brackets_.empty() && begins_statement(column)) give_up_brackets();
  if (!brackets_.empty() || !fresh_) return;
  indentation(column);
  statement_column_ = column;
  fresh_ = false;
}

void Lexer::line_end() {
  if (brackets_.empty() && !fresh_) {
    add(Tok::Newline, pos_, pos_);
    fresh_ = true;
  }
  pos_ += size_t{at(pos_) == '\r' && at(pos_ + 1) == '\n' ? 2u : 1u};
}

void Lexer::name() {
  size_t begin = pos_;
  while (pos_ < text_.size() && is_name_part(text_[pos_])) ++pos_;
  std::string_view word = text_.substr(begin, pos_ - begin);
  if ((at(pos_) == '"' || at(pos_) == '\'') && word.size() <= 2 &&
      word.find_first_not_of("rRbBfFuU") == std::string_view::npos) {
    pos_ = begin;
    return string(word.size());
  }
  add(Tok::Name, begin, pos_, names_.id(word));
}

void Lexer::number() {
  size_t begin = pos_;
  bool real = false;
  char base = static_cast<char>(at(pos_ + 1) | 0x20);
  if (at(pos_) == '0' && (base == 'x' || base == 'o' || base == 'b')) {
    pos_ += 2;
    while (is_name_part(at(pos_))) ++pos_;
  } else {
    auto digits = [&] {
      while (is_digit(at(pos_)) || at(pos_) == '_') ++pos_;
    };
    digits();
    if (at(pos_) == '.') {
      real = true;
      ++pos_;
      digits();
    }
    size_t exponent = pos_ + (at(pos_ + 1) == '+' || at(pos_ + 1) == '-' ? 2u : 1u);
    if ((at(pos_) == 'e' || at(pos_) == 'E') && is_digit(at(exponent))) {
      real = true;
      pos_ = exponent;
      digits();
    }
  }
  if (is_name_part(at(pos_))) {
    while (is_name_part(at(pos_))) ++pos_;
    return fault(LexFault::BadNumber, begin, pos_);
  }
  add(real ? Tok::Float : Tok::Int, begin, pos_);
}

void Lexer::string(size_t prefix) {
  size_t begin = pos_;
  pos_ += prefix;
  char quote = text_[pos_];
  bool triple = at(pos_ + 1) == quote && at(pos_ + 2) == quote;
  pos_ += triple ? 3 : 1;
  while (pos_ < text_.size()) {
    char c = text_[pos_];
    if (c == '\\' && pos_ + 1 < text_.size()) {
      pos_ += 2;
    } else if (c == quote && (!triple || (at(pos_ + 1) == quote && at(pos_ + 2) == quote))) {
      pos_ += triple ? 3 : 1;
      return add(Tok::String, begin, pos_);
    } else if ((c == '\n' || c == '\r') && !triple) {
      return fault(LexFault::OpenString, begin, pos_);
    } else {
      ++pos_;
    }
  }
  // Of an open triple quote only the first line is taken, or the rest of the text would be lost.
  if (triple) pos_ = std::min(text_.find_first_of("\r\n", begin), text_.size());
  fault(LexFault::OpenString, begin, pos_);
}

void Lexer::open(Tok kind) {
  brackets_.push_back({static_cast<uint32_t>(pos_), text_[pos_]});
  add(kind, pos_, pos_ + 1);
  ++pos_;
}

void Lexer::close(Tok kind, char open_bracket) {
  // A wrong one closes nothing, unless it fits one further out, whose inner ones were forgotten.
  for (size_t i = brackets_.size(); i-- > 0;) {
    if (brackets_[i].open != open_bracket) continue;
    brackets_.resize(i);
    break;
  }
  add(kind, pos_, pos_ + 1);
  ++pos_;
}

// One character, or one of the longer operators that begin with it.
void Lexer::punctuation() {
  char c = text_[pos_];
  char second = at(pos_ + 1);
  auto done = [&](Tok kind, size_t length) {
    add(kind, pos_, pos_ + length);
    pos_ += length;
  };
  // `x`, `x=`, and where there is a doubled form `xx`, `xx=`.
  auto arithmetic = [&](Tok single, Tok doubled) {
    if (second == '=') return done(Tok::AugAssign, 2);
    if (doubled == Tok::Fault || second != c) return done(single, 1);
    return at(pos_ + 2) == '=' ? done(Tok::AugAssign, 3) : done(doubled, 2);
  };
  auto comparison = [&](Tok single, Tok with_equal, Tok doubled) {
    if (second == '=') return done(with_equal, 2);
    if (second != c || doubled == Tok::Fault) return done(single, 1);
    return at(pos_ + 2) == '=' ? done(Tok::AugAssign, 3) : done(doubled, 2);
  };
  switch (c) {
    case '=':
      return second == '=' ? done(Tok::EqEq, 2) : done(Tok::Assign, 1);
    case '+':
      return arithmetic(Tok::Plus, Tok::Fault);
    case '-':
      return second == '>' ? done(Tok::Arrow, 2) : arithmetic(Tok::Minus, Tok::Fault);
    case '*':
      return arithmetic(Tok::Star, Tok::StarStar);
    case '/':
      return arithmetic(Tok::Slash, Tok::SlashSlash);
    case '%':
      return arithmetic(Tok::Percent, Tok::Fault);
    case '&':
      return arithmetic(Tok::Amp, Tok::Fault);
    case '|':
      return arithmetic(Tok::Pipe, Tok::Fault);
    case '^':
      return arithmetic(Tok::Caret, Tok::Fault);
    case '<':
      return comparison(Tok::Lt, Tok::Le, Tok::Shl);
    case '>':
      return comparison(Tok::Gt, Tok::Ge, Tok::Shr);
    case '~':
      return done(Tok::Tilde, 1);
    case '@':
      return done(Tok::At, 1);
    case ';':
      return done(Tok::Semicolon, 1);
    case ':':
      return done(Tok::Walrus, 2);
    case '!':
      if (second == '=') return done(Tok::NotEq, 2);
      break;
    case '.':
      if (second == '.' && at(pos_ + 2) == '.') return done(Tok::Ellipsis, 3);
      break;
    default:
      break;
  }
  fault(LexFault::BadCharacter, pos_, pos_ + 1);
  ++pos_;
}

void Lexer::token() {
  char c = text_[pos_];
  if (is_name_start(c)) return name();
  if (is_digit(c) || (c == '.' && is_digit(at(pos_ + 1)))) return number();
  auto single = [&](Tok kind) {
    add(kind, pos_, pos_ + 1);
    ++pos_;
  };
  switch (c) {
    case '(':
      return open(Tok::LParen);
    case '[':
      return open(Tok::LBracket);
    case '{':
      return open(Tok::LBrace);
    case ')':
      return close(Tok::RParen, '(');
    case ']':
      return close(Tok::RBracket, '[');
    case '}':
      return close(Tok::RBrace, '{');
    case ',':
      return single(Tok::Comma);
    case ':':
      return at(pos_ + 1) == '=' ? punctuation() : single(Tok::Colon);
    case '.':
      return at(pos_ + 1) == '.' ? punctuation() : single(Tok::Dot);
    case '"':
    case '\'':
      return string(0);
    default:
      return punctuation();
  }
}

void Lexer::run() {
  out_.tokens.reserve(text_.size() / 4 + 16);
  if (text_.starts_with("\xEF\xBB\xBF")) pos_ = 3;
  line_start();
  while (pos_ < text_.size()) {
    char c = text_[pos_];
    if (c == '\n' || c == '\r') {
      line_end();
      line_start();
    } else if (c == ' ' || c == '\t' || c == '\f') {
      ++pos_;
    } else if (c == '#') {
      comment();
    } else if (c == '\\' && (at(pos_ + 1) == '\n' || at(pos_ + 1) == '\r')) {
      pos_ += size_t{at(pos_ + 1) == '\r' && at(pos_ + 2) == '\n' ? 3u : 2u};
      line_begin_ = pos_;
    } else {
      token();
    }
  }
  line_begin_ = pos_;
  if (!brackets_.empty()) give_up_brackets();
  if (!fresh_) add(Tok::Newline, pos_, pos_);
  for (; blocks_.size() > 1; blocks_.pop_back()) add(Tok::Dedent, pos_, pos_);
  add(Tok::End, pos_, pos_);
}

}  // namespace

TokenList tokenize(std::string_view text, Names& names) {
  TokenList out;
  out.tokens.reserve(text.size() / 3);  // rarely more; what is never touched costs no memory
  Lexer(text, names, out).run();
  return out;
}

}  // namespace pyptoc::text
