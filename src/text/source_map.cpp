// SPDX-License-Identifier: Apache-2.0
// Lines and columns of byte offsets in a text.
#include "text/source_map.h"

#include <algorithm>

namespace pyptoc::text {

SourceMap::SourceMap(std::string_view text) : text_(text) {
  starts_.push_back(0);
  for (size_t i = 0; i < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) >= 0x80) ascii_ = false;
    bool ends = text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
    if (ends) starts_.push_back(static_cast<uint32_t>(i + 1));
  }
  starts_.push_back(0xFFFFFFFFu);
}

void SourceMap::seek(uint32_t offset) {
  size_t line = line_;
  int steps = 0;
  while (starts_[line] > offset && ++steps < 16) --line;
  while (starts_[line + 1] <= offset && ++steps < 16) ++line;
  if (starts_[line] > offset || starts_[line + 1] <= offset)
    line = static_cast<size_t>(std::upper_bound(starts_.begin(), starts_.end() - 1, offset) - starts_.begin()) - 1;
  if (line == line_ && offset >= counted_to_) return;
  line_ = line;
  counted_to_ = starts_[line];
  characters_ = 0;
}

uint32_t SourceMap::line_begin(uint32_t offset) {
  seek(offset);
  return starts_[line_];
}

LineColumn SourceMap::at(uint32_t offset) {
  seek(offset);
  int32_t line = static_cast<int32_t>(line_ + 1);
  if (ascii_) return {line, static_cast<int32_t>(offset - starts_[line_] + 1)};
  uint32_t end = static_cast<uint32_t>(std::min<size_t>(offset, text_.size()));
  for (; counted_to_ < end; ++counted_to_)
    if ((static_cast<unsigned char>(text_[counted_to_]) & 0xC0) != 0x80) ++characters_;
  return {line, characters_ + 1};
}

}  // namespace pyptoc::text
