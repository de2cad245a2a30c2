// SPDX-License-Identifier: Apache-2.0
// Escapes and widths of characters on a terminal.
#include "diag/terminal_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "support/utf8.h"

namespace pyptoc::diag {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Sorted. Blocks of combining marks, and the fillers and selectors that take no room.
constexpr Range kZeroWidth[] = {{0x0300, 0x036F},  {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},
                                {0x064B, 0x065F},  {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF},
                                {0x1DC0, 0x1DFF},  {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
                                {0xE0100, 0xE01EF}};

// Sorted. Blocks whose characters terminals draw two columns wide.
constexpr Range kWide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},  {0x3041, 0x4DBF},   {0x4E00, 0xA4CF},
                           {0xA960, 0xA97F},   {0xAC00, 0xD7A3},  {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
                           {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF},
                           {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

// Sorted. Controls, and what reorders or hides the text around it.
constexpr Range kEscaped[] = {{0x0000, 0x001F}, {0x007F, 0x009F}, {0x00AD, 0x00AD},  {0x061C, 0x061C},
                              {0x180E, 0x180E}, {0x200B, 0x200F}, {0x2028, 0x202E},  {0x2060, 0x206F},
                              {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};

template <std::size_t N>
bool contains(const Range (&ranges)[N], char32_t c) {
  const Range* found = std::ranges::lower_bound(ranges, c, {}, &Range::last);
  return found != std::end(ranges) && c >= found->first;
}

}  // namespace

int display_width(char32_t code_point) {
  if (code_point < 0x300) {
    return 1;
  }
  if (contains(kZeroWidth, code_point)) {
    return 0;
  }
  return contains(kWide, code_point) ? 2 : 1;
}

std::string visible_character(char32_t code_point) {
  if (!contains(kEscaped, code_point)) {
    std::string out;
    support::append_utf8(out, code_point);
    return out;
  }
  switch (code_point) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      break;
  }
  const auto number = static_cast<unsigned>(code_point);
  return code_point < 0x100 ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{{{:x}}}", number);
}

void append_visible(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const support::DecodedCharacter next = support::decode_utf8(text);
    const auto ascii = static_cast<unsigned char>(text.front());
    if (ascii >= 0x20 && ascii < 0x7F) {
      out += text.front();
    } else {
      out += visible_character(next.code_point);
    }
    text.remove_prefix(next.length);
  }
}

}  // namespace pyptoc::diag
