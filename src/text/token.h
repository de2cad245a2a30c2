// SPDX-License-Identifier: Apache-2.0
// Tokens of DSL text, and names as numbers.
#pragma once

#include <cstdint>
#include <string_view>

#include "support/string_index.h"

namespace pyptoc::text {

// A name by number: equal names have equal numbers. The known words come first, in the order of words.def.
using NameId = uint32_t;

namespace words {
enum Word : NameId {
#define KEYWORD(W) kw_##W,
#define W(W) w_##W,
#include "text/words.def"
#undef KEYWORD
#undef W
  kKnownWords
};
inline constexpr NameId kKeywords = w_self;  // the first that is no keyword
}  // namespace words

enum class Tok : uint8_t {
  End,
  Newline,
  Indent,
  Dedent,
  Name,  // keywords too
  Int,
  Float,
  String,
  Fault,  // something that is no token; `id` is a LexFault
  LParen,
  RParen,
  LBracket,
  RBracket,
  LBrace,
  RBrace,
  Comma,
  Colon,
  Dot,
  Semicolon,
  Arrow,
  At,
  Assign,
  Walrus,
  Ellipsis,
  Plus,
  Minus,
  Star,
  StarStar,
  Slash,
  SlashSlash,
  Percent,
  Amp,
  Pipe,
  Caret,
  Tilde,
  Shl,
  Shr,
  Lt,
  Le,
  Gt,
  Ge,
  EqEq,
  NotEq,
  AugAssign,  // `+=` and its like; the operator is the text without the `=`
};
// `a name`, "`(`": how messages call a kind of token.
std::string_view text_of(Tok kind);

enum class LexFault : uint32_t {
  BadCharacter,
  BadNumber,
  OpenBracket,  // the token is the bracket
  OpenString,   // from the quote to the end of the line
  BadDedent,    // an indentation that no open block has
};

struct Token {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t id = 0;  // NameId, LexFault
  Tok kind = Tok::End;
};

struct Comment {
  uint32_t begin = 0;  // its `#`
  uint32_t end = 0;
  uint32_t token = 0;     // how many tokens come before it
  uint32_t column = 0;    // 0-based, in bytes
  bool own_line = false;  // nothing but space before it on its line
};

// Gives names their numbers. Texts must outlive it.
class Names {
 public:
  Names();
  NameId id(std::string_view name) {
    return index_.number(name, [](std::string_view text) { return text; });
  }
  std::string_view text(NameId id) const { return index_.text(id); }
  size_t size() const { return index_.size(); }

 private:
  support::StringIndex index_;
};

}  // namespace pyptoc::text
