// SPDX-License-Identifier: Apache-2.0
// Text from programs and files made harmless and measurable for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace pyptoc::diag {

// Terminal columns of one code point: 0 for combining marks, 2 for wide East Asian characters and emoji, else 1.
int display_width(char32_t code_point);

// Appends `text` so that it stays on its line and changes nothing but itself: control characters, line separators and
// the marks that reorder or hide text become escapes such as `\n`, `\x1b`, `\u{202e}`; bytes that are not UTF-8
// become U+FFFD.
void append_visible(std::string& out, std::string_view text);

// What append_visible writes for one code point.
std::string visible_character(char32_t code_point);

}  // namespace pyptoc::diag
