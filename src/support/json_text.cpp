// SPDX-License-Identifier: Apache-2.0
// Escaping for JSON strings.
#include "support/json_text.h"

#include "support/utf8.h"

namespace pyptoc::support {
namespace {

void append_escape(std::string& out, char32_t code_point) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\u";
  for (unsigned shift = 16; shift > 0;) {
    shift -= 4;
    out += kDigits[(code_point >> shift) & 0xFU];
  }
}

// The escape of one letter, or 0.
char short_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
      return c;
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return 0;
  }
}

bool needs_escape(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029;
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const DecodedCharacter next = decode_utf8(text);
    if (const char letter = short_escape(text.front()); letter != 0) {
      out += '\\';
      out += letter;
    } else if (needs_escape(next.code_point)) {
      append_escape(out, next.code_point);
    } else if (next.valid) {
      out += text.substr(0, next.length);
    } else {
      append_utf8(out, kReplacementCharacter);
    }
    text.remove_prefix(next.length);
  }
  out += '"';
}

}  // namespace pyptoc::support
