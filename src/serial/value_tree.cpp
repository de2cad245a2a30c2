// SPDX-License-Identifier: Apache-2.0
// Memory of the tree, and short spans.
#include "serial/value_tree.h"

#include <limits>

namespace pyptoc::serial {
namespace {

bool fits_int32(const Value& value) {
  return value.kind == ValueKind::Int && value.integer >= -1 && value.integer <= std::numeric_limits<int32_t>::max();
}

}  // namespace

void ValueTree::add_chunk() {
  chunks_.push_back(std::unique_ptr<Value[]>(new Value[kChunkSize]));
}

TextRange ValueTree::keep_decoded(std::string_view text) {
  TextRange range{static_cast<uint32_t>(decoded_.size()), static_cast<uint32_t>(text.size())};
  decoded_ += text;
  return range;
}

void ValueTree::shorten_span(uint32_t map) {
  if ((*this)[map].count != 5 || size_ != map + 6) return;
  SpanValue span{};
  unsigned seen = 0;
  for (uint32_t i = map + 1; i < size_; ++i) {
    const Value& part = (*this)[i];
    if (part.key == key_id("filename")) {
      if (part.kind != ValueKind::Text) return;
      span.filename = part.text;
      seen |= 1U;
      continue;
    }
    if (!fits_int32(part)) return;
    auto number = static_cast<int32_t>(part.integer);
    if (part.key == key_id("begin_line")) {
      span.begin_line = number;
      seen |= 2U;
    } else if (part.key == key_id("begin_column")) {
      span.begin_column = number;
      seen |= 4U;
    } else if (part.key == key_id("end_line")) {
      span.end_line = number;
      seen |= 8U;
    } else if (part.key == key_id("end_column")) {
      span.end_column = number;
      seen |= 16U;
    }
  }
  if (seen != 31U) return;
  size_ = map + 2;
  Value& head = (*this)[map];
  head.kind = ValueKind::Span;
  head.text = span.filename;
  head.next = size_;
  Value& numbers = (*this)[map + 1];
  numbers.kind = ValueKind::Faulty;  // nobody looks at it as a value
  numbers.offset = static_cast<uint32_t>(span.begin_line);
  numbers.next = static_cast<uint32_t>(span.begin_column);
  numbers.key = static_cast<uint32_t>(span.end_line);
  numbers.integer = span.end_column;
}

SpanValue ValueTree::span(uint32_t index) const {
  const Value& numbers = (*this)[index + 1];
  return {(*this)[index].text, static_cast<int32_t>(numbers.offset), static_cast<int32_t>(numbers.next),
          static_cast<int32_t>(numbers.key), static_cast<int32_t>(numbers.integer)};
}

uint32_t ValueTree::find(uint32_t map, KeyId key) const {
  for (uint32_t entry = map + 1; entry < (*this)[map].next; entry = (*this)[entry].next)
    if ((*this)[entry].key == key) return entry;
  return 0;
}

}  // namespace pyptoc::serial
