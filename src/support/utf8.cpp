// SPDX-License-Identifier: Apache-2.0
// Decoding after table 3-7 of the Unicode standard: the second byte decides about overlong forms and surrogates.
#include "support/utf8.h"

namespace pyptoc::support {
namespace {

struct Lead {
  std::size_t length = 0;  // 0: no character begins with this byte
  unsigned char second_from = 0x80;
  unsigned char second_to = 0xBF;
  char32_t bits = 0;
};

Lead lead_of(unsigned char byte) {
  if (byte >= 0xC2 && byte <= 0xDF) {
    return {2, 0x80, 0xBF, byte & 0x1FU};
  }
  if (byte >= 0xE0 && byte <= 0xEF) {
    const unsigned char from = byte == 0xE0 ? 0xA0 : 0x80;
    const unsigned char to = byte == 0xED ? 0x9F : 0xBF;
    return {3, from, to, byte & 0x0FU};
  }
  if (byte >= 0xF0 && byte <= 0xF4) {
    const unsigned char from = byte == 0xF0 ? 0x90 : 0x80;
    const unsigned char to = byte == 0xF4 ? 0x8F : 0xBF;
    return {4, from, to, byte & 0x07U};
  }
  return {};
}

}  // namespace

DecodedCharacter decode_utf8(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) {
    return {byte(0), 1, true};
  }
  const Lead lead = lead_of(byte(0));
  char32_t code_point = lead.bits;
  for (std::size_t i = 1; i < lead.length; ++i) {
    const unsigned char from = i == 1 ? lead.second_from : 0x80;
    const unsigned char to = i == 1 ? lead.second_to : 0xBF;
    if (i == text.size() || byte(i) < from || byte(i) > to) {
      return {kReplacementCharacter, i, false};
    }
    code_point = (code_point << 6U) | (byte(i) & 0x3FU);
  }
  if (lead.length == 0) {
    return {};
  }
  return {code_point, lead.length, true};
}

void append_utf8(std::string& out, char32_t code_point) {
  const auto put = [&out](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code_point < 0x80) {
    put(code_point);
    return;
  }
  if (code_point < 0x800) {
    put(0xC0U | (code_point >> 6U));
  } else {
    if (code_point < 0x10000) {
      put(0xE0U | (code_point >> 12U));
    } else {
      put(0xF0U | (code_point >> 18U));
      put(0x80U | ((code_point >> 12U) & 0x3FU));
    }
    put(0x80U | ((code_point >> 6U) & 0x3FU));
  }
  put(0x80U | (code_point & 0x3FU));
}

}  // namespace pyptoc::support
