// SPDX-License-Identifier: Apache-2.0
// Windowing works on cells, one per character, so that columns of the source and columns of the terminal never mix.
#include "diag/excerpt.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "diag/terminal_text.h"
#include "support/utf8.h"

namespace pyptoc::diag {
namespace {

constexpr std::string_view kEllipsis = "...";
constexpr std::string_view kTab = "    ";
constexpr int kLeastWidth = 24;  // below this a window around the marked part is of no use

struct Cell {
  std::string text;
  char32_t code_point = 0;
  int width = 0;
};

using Cells = std::vector<Cell>;

int width_of(const Cells& cells, std::size_t begin, std::size_t end) {
  int sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    sum += cells[i].width;
  }
  return sum;
}

Cell cell_of(char32_t code_point) {
  if (code_point == '\t') {
    return {std::string(kTab), code_point, static_cast<int>(kTab.size())};
  }
  std::string text = visible_character(code_point);
  // An escape is ASCII and as wide as long; anything else is the character itself.
  const bool escaped = text.size() > 1 && text.front() == '\\';
  const int width = escaped ? static_cast<int>(text.size()) : display_width(code_point);
  return {std::move(text), code_point, width};
}

// Cells of the part of `text` that a window around character `focus` can show; `skipped` counts those left out before.
Cells cells_around(std::string_view text, std::size_t focus, std::size_t reach, std::size_t& skipped, bool& cut_after) {
  Cells cells;
  const std::size_t first = focus > reach ? focus - reach : 0;
  std::size_t index = 0;
  for (; !text.empty() && index <= focus + reach; ++index) {
    const support::DecodedCharacter next = support::decode_utf8(text);
    text.remove_prefix(next.length);
    if (index >= first) {
      cells.push_back(cell_of(next.code_point));
    }
  }
  skipped = std::min(first, index);
  cut_after = cut_after || !text.empty();
  return cells;
}

bool in_name(char32_t c) {
  return c == '_' || c == '.' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         c >= 0xA0;
}

bool blank(const Cell& cell) {
  return cell.code_point == ' ' || cell.code_point == '\t';
}

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The marked cells; may begin at the end of the line, never beyond it.
Range marked_range(const Cells& cells, const MarkedLine& line, std::int64_t first_column) {
  const auto index_of = [&](std::int64_t column) {
    const std::int64_t index = std::max<std::int64_t>(0, column - first_column);
    return std::min(static_cast<std::size_t>(index), cells.size());
  };
  Range range{index_of(line.begin), 0};
  if (line.to_line_end) {
    range.end = cells.size();
  } else if (line.end > line.begin) {
    range.end = index_of(line.end);
  } else {
    range.end = range.begin;
    while (range.end < cells.size() && in_name(cells[range.end].code_point)) {
      ++range.end;
    }
  }
  while (range.end > range.begin + 1 && blank(cells[range.end - 1])) {
    --range.end;
  }
  return range;
}

// The cells to show in `width` columns, ellipses included, when not all fit.
Range window(const Cells& cells, const Range& marked, int width, bool cut_before, bool cut_after) {
  const int dots = static_cast<int>(kEllipsis.size());
  const int marked_width = std::min(width_of(cells, marked.begin, marked.end), width - 2 * dots);
  const int before = width_of(cells, 0, marked.begin);
  // From the left end, when the marked part is seen there.
  Range shown;
  if (cut_before || before + marked_width > width - dots) {
    int context = std::max(0, (width - 2 * dots - marked_width) / 2);
    const int after = width_of(cells, marked.begin, cells.size());
    if (!cut_after && after < width - dots - context) {
      context = width - dots - after;  // the rest of the line fits, so the room it leaves goes to the left
    }
    shown.begin = marked.begin;
    while (shown.begin > 0 && context >= cells[shown.begin - 1].width) {
      context -= cells[--shown.begin].width;
    }
  }
  const bool dots_before = cut_before || shown.begin > 0;
  int room = width - (dots_before ? dots : 0);
  const bool all = !cut_after && width_of(cells, shown.begin, cells.size()) <= room;
  room -= all ? 0 : dots;
  shown.end = shown.begin;
  while (shown.end < cells.size() && cells[shown.end].width <= room) {
    room -= cells[shown.end++].width;
  }
  return shown;
}

Excerpt draw(const Cells& cells, const Range& shown, const Range& marked, bool dots_before, bool dots_after) {
  Excerpt excerpt;
  int before_carets = 0;
  int carets = 0;
  if (dots_before) {
    excerpt.text += kEllipsis;
    before_carets += static_cast<int>(kEllipsis.size());
  }
  for (std::size_t i = shown.begin; i < shown.end; ++i) {
    excerpt.text += cells[i].text;
    before_carets += i < marked.begin ? cells[i].width : 0;
    carets += i >= marked.begin && i < marked.end ? cells[i].width : 0;
  }
  if (dots_after) {
    excerpt.text += kEllipsis;
  }
  while (!excerpt.text.empty() && excerpt.text.back() == ' ') {
    excerpt.text.pop_back();
  }
  excerpt.carets.assign(static_cast<std::size_t>(before_carets), ' ');
  excerpt.carets.append(static_cast<std::size_t>(std::max(1, carets)), '^');
  return excerpt;
}

}  // namespace

Excerpt make_excerpt(const MarkedLine& line, int width) {
  width = std::max(width, kLeastWidth);
  const bool marks = line.begin >= 1;
  const std::int64_t focus = std::max<std::int64_t>(0, (marks ? line.begin : 1) - line.text_column);
  std::size_t skipped = 0;
  bool cut_after = line.cut_after;
  const auto reach = static_cast<std::size_t>(width) * 2;
  Cells cells = cells_around(line.text, static_cast<std::size_t>(focus), reach, skipped, cut_after);
  const bool cut_before = line.cut_before || skipped > 0;
  while (!cut_after && !cells.empty() && blank(cells.back())) {
    cells.pop_back();
  }

  const std::int64_t first_column = line.text_column + static_cast<std::int64_t>(skipped);
  Range marked = marks ? marked_range(cells, line, first_column) : Range{};
  if (marks && marked.begin == cells.size()) {
    cells.push_back(cell_of(' '));  // room for the caret behind the last character
    marked.end = cells.size();
  }
  Range shown{0, cells.size()};
  if (cut_before || cut_after || width_of(cells, 0, cells.size()) > width) {
    shown = window(cells, marked, width, cut_before, cut_after);
  }
  Excerpt excerpt = draw(cells, shown, marked, cut_before || shown.begin > 0, cut_after || shown.end < cells.size());
  if (!marks) {
    excerpt.carets.clear();
  }
  return excerpt;
}

}  // namespace pyptoc::diag
