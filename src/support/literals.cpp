// SPDX-License-Identifier: Apache-2.0
// Text from a program as literals and comments of generated code.
#include "support/literals.h"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>

#include "support/utf8.h"

namespace pyptoc::support {
namespace {

bool is_printable(char c) {
  return c >= 0x20 && c < 0x7f;
}
unsigned byte_of(char c) {
  return static_cast<unsigned char>(c);
}

// The escapes that C++ and Python share; 0 for characters that need none of them.
char short_escape(char c) {
  switch (c) {
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    case '"':
      return '"';
    case '\\':
      return '\\';
    default:
      return 0;
  }
}

}  // namespace

std::string cpp_string_literal(std::string_view bytes) {
  std::string out = "\"";
  for (const char c : bytes) {
    if (const char escape = short_escape(c)) {
      out += '\\';
      out += escape;
    } else if (c == '?' && out.back() == '?') {
      out += "\\?";  // `??` begins a trigraph before C++17
    } else if (is_printable(c)) {
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "\\{:03o}", byte_of(c));
    }
  }
  return out += '"';
}

std::string python_string_literal(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const DecodedCharacter c = decode_utf8(text);
    if (!c.valid) {
      for (const char byte : text.substr(0, c.length))
        fmt::format_to(std::back_inserter(out), "\\udc{:02x}", byte_of(byte));
    } else if (c.code_point < 0x80) {
      const char ascii = text.front();
      if (const char escape = short_escape(ascii)) {
        out += '\\';
        out += escape;
      } else if (is_printable(ascii)) {
        out += ascii;
      } else {
        fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte_of(ascii));
      }
    } else if (c.code_point < 0x10000) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<uint32_t>(c.code_point));
    } else {
      fmt::format_to(std::back_inserter(out), "\\U{:08x}", static_cast<uint32_t>(c.code_point));
    }
    text.remove_prefix(c.length);
  }
  return out += '"';
}

std::string comment_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_printable(c)) {
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte_of(c));
    }
  }
  const size_t last = out.find_last_not_of(' ');
  out.resize(last == std::string::npos ? 0 : last + 1);
  if (out.ends_with('\\') || out.ends_with("?\?/")) out += " .";
  return out;
}

}  // namespace pyptoc::support
