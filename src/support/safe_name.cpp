// SPDX-License-Identifier: Apache-2.0
// The one way in which names from a program become identifiers and file names.
#include "support/safe_name.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/literals.h"
#include "support/reserved_words.h"
#include "support/sha256.h"
#include "support/utf8.h"

namespace pyptoc::support {
namespace {

// Leaves room in a file name's 255 bytes for what is added: a number, `_kernel`, an ending.
constexpr size_t kLongestStem = 160;
// Long mangled names are fine for compilers; listings and messages with longer ones are not readable.
constexpr size_t kLongestIdentifier = 400;
constexpr size_t kLongestFileName = 200;
constexpr size_t kLongestPath = 1000;

// Put before a name whose beginning is not allowed.
constexpr std::string_view kSafeStart = "u_";

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || is_upper(c) || is_digit(c) || c == '_';
}
bool is_inner_punctuation(char c) {
  return c == '.' || c == '-' || c == '+';
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

bool NameAllocator::take(std::string_view name) {
  if (starts_reserved(name)) return false;
  if (rules_.cpp && is_cpp_reserved(name)) return false;
  if (rules_.python && is_python_reserved(name)) return false;
  return taken_.insert(key_of(name)).second;
}

NameAllocator& NameAllocator::reserve(std::string_view name) {
  taken_.insert(key_of(name));
  return *this;
}

NameAllocator& NameAllocator::reserve_prefix(std::string_view prefix) {
  // Otherwise kSafeStart would not help, however often it is repeated.
  std::string repeated;
  while (repeated.size() < prefix.size()) repeated += kSafeStart;
  PYPTOC_ASSERT(!prefix.empty() && !repeated.starts_with(prefix), "a prefix is reserved that safe names begin with");
  prefixes_.push_back(key_of(prefix));
  return *this;
}

std::string NameAllocator::key_of(std::string_view name) const {
  return rules_.file ? lower(name) : std::string(name);
}

size_t NameAllocator::longest() const {
  return rules_.file ? kLongestStem : kLongestIdentifier;
}

bool NameAllocator::starts_reserved(std::string_view name) const {
  const std::string key = key_of(name);
  if (std::ranges::any_of(prefixes_, [&](const std::string& prefix) { return key.starts_with(prefix); })) return true;
  if (!is_identifier() || !name.starts_with('_')) return false;
  // `__x` is the implementation's in both languages and `_X` in C++; `_` alone would make `__1` its next one.
  return name.size() == 1 || name[1] == '_' || (rules_.cpp && is_upper(name[1]));
}

// Whether `c` may come after `before`, which is empty at the beginning of a name.
bool NameAllocator::may_follow(std::string_view before, char c) const {
  if (is_word(c)) return true;
  return !is_identifier() && is_inner_punctuation(c) && !before.empty() && !(c == '.' && before.back() == '.');
}

// Only characters that are allowed; different texts may come out equal, which fresh() tells apart.
std::string NameAllocator::encoded(std::string_view wanted) const {
  std::string out;
  while (!wanted.empty()) {
    const char c = wanted.front();
    const DecodedCharacter decoded = decode_utf8(wanted);
    if (!decoded.valid) {
      for (const char byte : wanted.substr(0, decoded.length))
        out += fmt::format("_x{:02x}", static_cast<unsigned char>(byte));
    } else if (decoded.code_point >= 0x80) {
      out += fmt::format("_u{:04x}", static_cast<uint32_t>(decoded.code_point));
    } else {
      out += may_follow(out, c) ? c : '_';
    }
    wanted.remove_prefix(decoded.length);
  }
  if (!out.empty() && is_inner_punctuation(out.back())) out.back() = '_';
  return out;
}

std::string NameAllocator::base_of(std::string_view wanted) const {
  std::string base = encoded(wanted);
  if (base.empty()) base = "unnamed";
  if (is_identifier() && is_digit(base.front())) base.insert(0, "n");
  while (starts_reserved(base)) base.insert(0, kSafeStart);
  if (base.size() > longest()) {
    constexpr size_t kDigestDigits = 12;
    base.resize(longest() - kDigestDigits - 1);
    base += '_' + sha256(wanted).substr(0, kDigestDigits);
  }
  return base;
}

std::string NameAllocator::fresh(std::string_view wanted) {
  std::string base = base_of(wanted);
  if (take(base)) return base;
  std::string stem = base + '_';
  while (starts_reserved(stem)) stem.insert(0, kSafeStart);
  uint64_t& suffix = next_suffix_[key_of(stem)];
  std::string name;
  do {
    name = fmt::format("{}{}", stem, ++suffix);
  } while (!take(name));
  return name;
}

const std::string& NameAllocator::name_for(std::string_view wanted) {
  const auto [entry, added] = names_.try_emplace(std::string(wanted));
  if (added) entry->second = fresh(wanted);
  return entry->second;
}

Result<std::string> safe_file_name(std::string_view name) {
  const auto refuse = [&](std::string_view reason) -> Result<std::string> {
    return Error{fmt::format("`{}` {}", comment_text(name), reason)};
  };
  if (name.empty()) return Error{"an empty name"};
  if (name == "." || name == "..") return refuse("is a folder's own name for itself or its parent");
  if (name.size() > kLongestFileName) return refuse("is longer than 200 bytes");
  if (name.front() == '.' || name.front() == '-') return refuse("begins with `.` or `-`");
  if (name.back() == '.' || name.back() == ' ') return refuse("ends with `.` or a space");
  for (std::string_view rest = name; !rest.empty();) {
    const DecodedCharacter c = decode_utf8(rest);
    if (!c.valid) return refuse("is not UTF-8");
    if (c.code_point < 0x20 || (c.code_point >= 0x7f && c.code_point < 0xa0) || c.code_point == 0x2028 ||
        c.code_point == 0x2029)
      return refuse("holds a control character");
    if (c.code_point == '/' || c.code_point == '\\') return refuse("holds a path separator");
    rest.remove_prefix(c.length);
  }
  return std::string(name);
}

Result<std::string> safe_relative_path(std::string_view path) {
  if (path.size() > kLongestPath) return Error{"a path longer than 1000 bytes"};
  for (std::string_view rest = path;;) {
    const size_t slash = rest.find('/');
    if (auto name = safe_file_name(rest.substr(0, slash)); !name.ok())
      return Error{fmt::format("path `{}`: {}", comment_text(path), name.error().message)};
    if (slash == std::string_view::npos) return std::string(path);
    rest.remove_prefix(slash + 1);
  }
}

}  // namespace pyptoc::support
