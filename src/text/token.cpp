// SPDX-License-Identifier: Apache-2.0
// Tokens of DSL text, and names as numbers.
#include "text/token.h"

#include <array>

namespace pyptoc::text {

namespace {

constexpr auto kWords = std::to_array<std::string_view>({
#define KEYWORD(W) #W,
#define W(W) #W,
#include "text/words.def"
#undef KEYWORD
#undef W
});
static_assert(kWords.size() == words::kKnownWords);

}  // namespace

Names::Names() {
  for (std::string_view word : kWords) id(word);
}

std::string_view text_of(Tok kind) {
  switch (kind) {
    case Tok::End:
      return "the end of the text";
    case Tok::Newline:
      return "the end of the line";
    case Tok::Indent:
      return "an indented block";
    case Tok::Dedent:
      return "the end of the block";
    case Tok::Name:
      return "a name";
    case Tok::Int:
      return "an integer";
    case Tok::Float:
      return "a float";
    case Tok::String:
      return "a string";
    case Tok::LParen:
      return "`(`";
    case Tok::RParen:
      return "`)`";
    case Tok::LBracket:
      return "`[`";
    case Tok::RBracket:
      return "`]`";
    case Tok::LBrace:
      return "`{`";
    case Tok::RBrace:
      return "`}`";
    case Tok::Comma:
      return "`,`";
    case Tok::Colon:
      return "`:`";
    case Tok::Dot:
      return "`.`";
    case Tok::Assign:
      return "`=`";
    case Tok::Arrow:
      return "`->`";
    default:
      return "an operator";
  }
}

}  // namespace pyptoc::text
