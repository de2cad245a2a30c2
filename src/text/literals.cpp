// SPDX-License-Identifier: Apache-2.0
// Values of Python literals.
#include "text/literals.h"

#include <charconv>

#include "support/utf8.h"

namespace pyptoc::text {

namespace {

std::string without_underscores(std::string_view token) {
  std::string out;
  for (char c : token)
    if (c != '_') out += c;
  return out;
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

// Digits of a numeric escape, at most `most` of the base.
bool take_code(std::string_view& rest, uint32_t base, size_t least, size_t most, uint32_t& code) {
  size_t count = 0;
  code = 0;
  while (count < most && count < rest.size() && static_cast<uint32_t>(digit_of(rest[count])) < base)
    code = code * base + static_cast<uint32_t>(digit_of(rest[count++]));
  rest.remove_prefix(count);
  return count >= least;
}

bool append_code(uint32_t code, std::string& out) {
  if (code >= 0xDC80 && code <= 0xDCFF) {
    out += static_cast<char>(code - 0xDC00);
    return true;
  }
  if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return false;
  support::append_utf8(out, code);
  return true;
}

bool append_escape(std::string_view& rest, std::string& out) {
  if (rest.empty()) return false;
  char c = rest.front();
  uint32_t code = 0;
  if (c >= '0' && c <= '7') return take_code(rest, 8, 1, 3, code) && append_code(code, out);
  rest.remove_prefix(1);
  switch (c) {
    case 'x':
      return take_code(rest, 16, 2, 2, code) && append_code(code, out);
    case 'u':
      return take_code(rest, 16, 4, 4, code) && append_code(code, out);
    case 'U':
      return take_code(rest, 16, 8, 8, code) && append_code(code, out);
    case '\r':
      if (rest.starts_with('\n')) rest.remove_prefix(1);
      return true;
    case '\n':
      return true;
    case 'N':
      return false;
    default:
      break;
  }
  static constexpr std::string_view kLetters = "abfnrtv\\'\"";
  static constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"";
  size_t at = kLetters.find(c);
  if (at == std::string_view::npos) {  // Python keeps the backslash of what is no escape
    out += '\\';
    out += c;
  } else {
    out += kMeanings[at];
  }
  return true;
}

}  // namespace

std::optional<int64_t> parse_int(std::string_view token, bool negative) {
  std::string digits = without_underscores(token);
  int base = 10;
  size_t skip = 0;
  if (digits.size() > 2 && digits[0] == '0') {
    char letter = static_cast<char>(digits[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    if (base != 10) skip = 2;
  }
  uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  auto [stop, error] = std::from_chars(digits.data() + skip, end, value, base);
  if (error != std::errc() || stop != end) return std::nullopt;
  if (!negative) return static_cast<int64_t>(value);
  if (value > uint64_t{1} << 63) return std::nullopt;
  return static_cast<int64_t>(~value + 1);
}

std::optional<double> parse_float(std::string_view token) {
  std::string digits = without_underscores(token);
  double value = 0;
  const char* end = digits.data() + digits.size();
  auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

bool append_string(std::string_view token, std::string& out) {
  bool raw = false;
  while (token.front() != '"' && token.front() != '\'') {
    char prefix = static_cast<char>(token.front() | 0x20);
    if (prefix == 'b' || prefix == 'f') return false;
    if (prefix == 'r') raw = true;
    token.remove_prefix(1);
  }
  size_t quotes = token.size() >= 6 && token[1] == token[0] && token[2] == token[0] ? 3 : 1;
  std::string_view rest = token.substr(quotes, token.size() - 2 * quotes);
  while (!rest.empty()) {
    size_t plain = raw ? rest.size() : std::min(rest.find('\\'), rest.size());
    out += rest.substr(0, plain);
    rest.remove_prefix(plain);
    if (rest.empty()) break;
    rest.remove_prefix(1);
    if (!append_escape(rest, out)) return false;
  }
  return true;
}

}  // namespace pyptoc::text
