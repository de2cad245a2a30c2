// SPDX-License-Identifier: Apache-2.0
// The tables of names, keywords and operators of the DSL.
#include "text/spelling.h"

#include <algorithm>
#include <array>

#include "support/utf8.h"

namespace pyptoc::text {

using ir::NodeKind;

BinarySpelling spelling_of(NodeKind kind, bool bools) {
  switch (kind) {
    case NodeKind::Add:
      return {" + ", Prec::Arith};
    case NodeKind::Sub:
      return {" - ", Prec::Arith};
    case NodeKind::Mul:
      return {" * ", Prec::Term};
    case NodeKind::FloorDiv:
      return {" // ", Prec::Term};
    case NodeKind::FloorMod:
      return {" % ", Prec::Term};
    case NodeKind::FloatDiv:
      return {" / ", Prec::Term};
    case NodeKind::Min:
      return {"min"};
    case NodeKind::Max:
      return {"max"};
    case NodeKind::Pow:
      return {" ** ", Prec::Power};
    case NodeKind::Eq:
      return {" == ", Prec::Compare};
    case NodeKind::Ne:
      return {" != ", Prec::Compare};
    case NodeKind::Lt:
      return {" < ", Prec::Compare};
    case NodeKind::Le:
      return {" <= ", Prec::Compare};
    case NodeKind::Gt:
      return {" > ", Prec::Compare};
    case NodeKind::Ge:
      return {" >= ", Prec::Compare};
    case NodeKind::And:
      return {" and ", Prec::And};
    case NodeKind::Or:
      return {" or ", Prec::Or};
    case NodeKind::Xor:
      return bools ? BinarySpelling{" ^ ", Prec::BitXor} : BinarySpelling{"pl.logical_xor"};
    case NodeKind::BitAnd:
      return {" & ", Prec::BitAnd};
    case NodeKind::BitOr:
      return {" | ", Prec::BitOr};
    case NodeKind::BitXor:
      return bools ? BinarySpelling{"pl.bit_xor"} : BinarySpelling{" ^ ", Prec::BitXor};
    case NodeKind::BitShiftLeft:
      return {" << ", Prec::Shift};
    case NodeKind::BitShiftRight:
      return {" >> ", Prec::Shift};
    default:
      PYPTOC_UNREACHABLE("not a binary expression");
  }
}

namespace {

constexpr std::array<std::string_view, 6> kAdirNames = {"input",           "output", "inout",
                                                        "output_existing", "no_dep", "scalar"};
constexpr std::array<std::string_view, 3> kSplitModeNames = {"NONE", "UP_DOWN", "LEFT_RIGHT"};

constexpr auto kKeywords = std::to_array<std::string_view>({
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield",
});
constexpr auto kTakenNames =
    std::to_array<std::string_view>({"abs", "float", "max", "min", "pl", "pld", "self", "tuple"});
constexpr auto kNamespaces =
    std::to_array<std::string_view>({"array", "builtin", "pld", "prefetch", "system", "tensor", "tile"});
static_assert(std::ranges::is_sorted(kKeywords) && std::ranges::is_sorted(kTakenNames) &&
              std::ranges::is_sorted(kNamespaces));

bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
// Letters that need no normalization and no table: Latin, Greek, Cyrillic, kana, Chinese, Hangul.
bool is_wide_letter(char32_t c) {
  return (c >= 0xC0 && c <= 0x24F && c != 0xD7 && c != 0xF7) || (c >= 0x391 && c <= 0x3CE && c != 0x3A2) ||
         (c >= 0x400 && c <= 0x481) || (c >= 0x3041 && c <= 0x3096) || (c >= 0x30A1 && c <= 0x30FA) ||
         (c >= 0x4E00 && c <= 0x9FA5) || (c >= 0xAC00 && c <= 0xD7A3);
}

// Calls f(bytes, fits) for each character; `fits` says whether it can stand in an identifier.
template <class F>
void for_each_character(std::string_view text, F&& f) {
  bool first = true;
  while (!text.empty()) {
    size_t length = 1;
    bool fits;
    if (static_cast<unsigned char>(text.front()) < 0x80) {
      fits = is_ascii_letter(text.front()) || (!first && is_digit(text.front()));
    } else {
      support::DecodedCharacter c = support::decode_utf8(text);
      length = c.length;
      fits = c.valid && is_wide_letter(c.code_point);
    }
    f(text.substr(0, length), fits);
    text.remove_prefix(length);
    first = false;
  }
}

template <class Table>
bool contains(const Table& table, std::string_view word) {
  return std::binary_search(table.begin(), table.end(), word);
}

}  // namespace

std::string_view adir_name(ir::ArgDirection direction) {
  size_t at = static_cast<size_t>(direction);
  return at < kAdirNames.size() ? kAdirNames[at] : "?";
}
std::optional<ir::ArgDirection> adir_from_name(std::string_view name) {
  for (size_t i = 0; i < kAdirNames.size(); ++i)
    if (kAdirNames[i] == name) return static_cast<ir::ArgDirection>(i);
  return std::nullopt;
}

std::string_view split_mode_name(ir::SplitMode mode) {
  size_t at = static_cast<size_t>(mode);
  return at < kSplitModeNames.size() ? kSplitModeNames[at] : "?";
}
std::optional<ir::SplitMode> split_mode_from_name(std::string_view name) {
  for (size_t i = 0; i < kSplitModeNames.size(); ++i)
    if (kSplitModeNames[i] == name) return static_cast<ir::SplitMode>(i);
  return std::nullopt;
}

std::string_view plain_type_name(ir::TypeKind kind) {
  switch (kind) {
    case ir::TypeKind::UnknownType:
      return "pl.UnknownType";
    case ir::TypeKind::Ptr:
      return "pl.Ptr";
    case ir::TypeKind::MemRefType:
      return "pl.MemRefType";
    case ir::TypeKind::WindowBufferType:
      return "pld.WindowBufferType";
    case ir::TypeKind::CommCtxType:
      return "pld.CommCtxType";
    case ir::TypeKind::PrefetchAsyncContextType:
      return "pl.PrefetchAsyncContext";
    case ir::TypeKind::AsyncEventType:
      return "pl.AsyncEvent";
    case ir::TypeKind::AsyncSessionType:
      return "pl.AsyncSession";
    default:
      return {};
  }
}

bool is_keyword(std::string_view word) {
  return contains(kKeywords, word);
}
bool is_taken_name(std::string_view name) {
  return contains(kTakenNames, name);
}

bool is_identifier(std::string_view text) {
  if (text.empty()) return false;
  bool ok = true;
  for_each_character(text, [&](std::string_view, bool fits) { ok = ok && fits; });
  return ok && !is_keyword(text);
}

std::string identifier_from(std::string_view text) {
  std::string out;
  for_each_character(text, [&](std::string_view character, bool fits) {
    if (!fits && out.empty() && is_digit(character.front())) out += '_';
    if (fits || is_digit(character.front()))
      out += character;
    else
      out += '_';
  });
  if (out.empty()) out = "v";
  if (is_keyword(out) || is_taken_name(out)) out += '_';
  return out;
}

bool is_dotted_op_name(std::string_view name) {
  size_t dot = name.find('.');
  if (dot == std::string_view::npos || !contains(kNamespaces, name.substr(0, dot))) return false;
  while (!name.empty()) {
    dot = name.find('.');
    std::string_view part = name.substr(0, dot);
    // `not` is spelled `not_`, so `not_` itself cannot be.
    if (part.ends_with('_') && is_keyword(part.substr(0, part.size() - 1))) return false;
    if (!is_identifier(part) && !is_keyword(part)) return false;
    if (dot == std::string_view::npos) return true;
    name.remove_prefix(dot + 1);
  }
  return false;
}

bool key_takes_expr(std::string_view key) {
  return key == "device" || key == "predicate";
}

Placement implied_placement(ir::FunctionType type) {
  using ir::FunctionType;
  using ir::Level;
  using ir::Role;
  switch (type) {
    case FunctionType::Orchestration:
    case FunctionType::Graph:
      return {Level::Chip, Role::Orchestrator};
    case FunctionType::InCore:
      return {Level::ChipDie, Role::SubWorker};
    case FunctionType::Aiv:
      return {Level::Aiv, Role::SubWorker};
    case FunctionType::Aic:
      return {Level::Aic, Role::SubWorker};
    case FunctionType::Group:
      return {Level::CoreGroup, Role::SubWorker};
    default:
      return {};
  }
}

}  // namespace pyptoc::text
