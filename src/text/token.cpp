// SPDX-License-Identifier: Apache-2.0
// Tokens of DSL text, and names as numbers.
#include "text/token.h"

#include <array>
#include <cstring>

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

size_t hash(std::string_view text) {
  uint64_t h = 0x9E3779B97F4A7C15ull ^ text.size();
  while (text.size() >= 8) {
    uint64_t part;
    std::memcpy(&part, text.data(), 8);
    h = (h ^ part) * 0xFF51AFD7ED558CCDull;
    h ^= h >> 32;
    text.remove_prefix(8);
  }
  uint64_t rest = 0;
  if (!text.empty()) std::memcpy(&rest, text.data(), text.size());
  h = (h ^ rest) * 0xFF51AFD7ED558CCDull;
  return static_cast<size_t>(h ^ (h >> 29));
}

}  // namespace

Names::Names() : slots_(1024) {
  for (std::string_view word : kWords) id(word);
}

NameId Names::id(std::string_view name) {
  size_t mask = slots_.size() - 1;
  for (size_t at = hash(name) & mask;; at = (at + 1) & mask) {
    if (slots_[at] == 0) {
      texts_.push_back(name);
      slots_[at] = static_cast<uint32_t>(texts_.size());
      if (texts_.size() * 2 > slots_.size()) grow();
      return static_cast<NameId>(texts_.size() - 1);
    }
    if (texts_[slots_[at] - 1] == name) return slots_[at] - 1;
  }
}

void Names::grow() {
  slots_.assign(slots_.size() * 2, 0);
  size_t mask = slots_.size() - 1;
  for (size_t i = 0; i < texts_.size(); ++i) {
    size_t at = hash(texts_[i]) & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = static_cast<uint32_t>(i + 1);
  }
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
