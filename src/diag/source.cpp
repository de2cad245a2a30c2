// SPDX-License-Identifier: Apache-2.0
// Line and column of a byte offset, in bounded work per query.
#include "diag/source.h"

#include <algorithm>

#include "support/utf8.h"

namespace pyptoc::diag {
namespace {

constexpr std::size_t kStride = 4096;  // bytes between marks: little memory, and a scan that nobody notices
constexpr std::size_t kContext = 600;  // bytes shown to either side: more than a terminal's width in any script

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

std::int64_t characters_in(std::string_view text) {
  std::int64_t count = 0;
  while (!text.empty()) {
    text.remove_prefix(support::decode_utf8(text).length);
    ++count;
  }
  return count;
}

}  // namespace

std::optional<std::string> SourceProvider::origin_line(std::string_view /*filename*/, int /*line*/) {
  return std::nullopt;
}

InputPosition SourceProvider::locate(std::uint32_t /*offset*/) {
  return {};
}

std::string_view SourceProvider::input_name() {
  return {};
}

void TextIndex::step(Mark& mark) const {
  if (text_[mark.offset] == '\n') {
    ++mark.offset;
    ++mark.line;
    mark.column = 1;
    mark.line_start = mark.offset;
    return;
  }
  mark.offset += support::decode_utf8(text_.substr(mark.offset)).length;
  ++mark.column;
}

void TextIndex::build() {
  Mark mark;
  marks_.push_back(mark);
  while (mark.offset < text_.size()) {
    step(mark);
    // The first character that starts at or after each multiple of the stride.
    if (mark.offset >= marks_.size() * kStride) {
      marks_.push_back(mark);
    }
  }
}

InputPosition TextIndex::position(std::uint32_t offset) {
  if (marks_.empty()) {
    build();
  }
  const std::size_t target = std::min<std::size_t>(offset, text_.size());
  std::size_t index = std::min(target / kStride, marks_.size() - 1);
  if (marks_[index].offset > target) {
    --index;  // a character straddles the multiple; mark 0 is at 0, so this never goes below
  }
  Mark mark = marks_[index];
  for (Mark next = mark; next.offset < target;) {
    step(next);
    if (next.offset <= target) {
      mark = next;
    }
  }
  return around(mark);
}

InputPosition TextIndex::around(const Mark& mark) const {
  std::size_t begin = mark.line_start;
  if (mark.offset - begin > kContext) {
    begin = mark.offset - kContext;
    while (begin < mark.offset && continues_character(text_[begin])) {
      ++begin;
    }
  }
  std::size_t end = mark.offset;
  while (end < text_.size() && text_[end] != '\n' && end - mark.offset < kContext) {
    ++end;
  }
  const bool cut_after = end < text_.size() && text_[end] != '\n';
  while (cut_after && end > mark.offset && continues_character(text_[end])) {
    --end;
  }
  InputPosition position;
  position.line = mark.line;
  position.column = mark.column;
  position.text_column = mark.column - characters_in(text_.substr(begin, mark.offset - begin));
  position.cut_before = begin > mark.line_start;
  position.cut_after = cut_after;
  if (!cut_after && end > mark.offset && text_[end - 1] == '\r') {
    --end;
  }
  position.text = text_.substr(begin, end - begin);
  return position;
}

}  // namespace pyptoc::diag
