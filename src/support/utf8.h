// SPDX-License-Identifier: Apache-2.0
// Walking through UTF-8 text that may be broken.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pyptoc::support {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;

struct DecodedCharacter {
  char32_t code_point = kReplacementCharacter;
  std::size_t length = 1;  // bytes taken, at least 1
  bool valid = false;      // false: these bytes are not UTF-8 (overlong forms and surrogates are not)
};

// The character at the start of `text`, which must not be empty. Of broken text the longest part that could have
// begun a character is taken at once, as the Unicode standard recommends for replacement.
DecodedCharacter decode_utf8(std::string_view text);

// `code_point` must be a Unicode scalar value.
void append_utf8(std::string& out, char32_t code_point);

}  // namespace pyptoc::support
