// SPDX-License-Identifier: Apache-2.0
// Overlap of views and the record of writers.
#include "standin/writers.h"

#include <algorithm>

#include "standin/regions.h"

namespace standin {
namespace {

struct Span {
  uint64_t begin;
  uint64_t end;
  bool meets(const Span& other) const { return begin < other.end && other.begin < end; }
  bool holds(const Span& other) const { return begin <= other.begin && other.end <= end; }
};

Span reach(const ChipTensor& t) {
  return {t.start_offset, t.start_offset + reached_elements(t)};
}

// Both views address the buffer by the same nest of row-major strides.
bool same_axes(const ChipTensor& a, const ChipTensor& b) {
  if (a.dtype != b.dtype || a.ndims != b.ndims || a.strides[a.ndims - 1] != 1) return false;
  for (uint32_t d = 0; d < a.ndims; ++d) {
    if (a.strides[d] != b.strides[d]) return false;
    if (d > 0 && a.strides[d - 1] % a.strides[d] != 0) return false;
  }
  return a.buffer.size / get_element_size(a.dtype) % a.strides[0] == 0;
}

// The interval of a view on one axis; empty `ok` when the view wraps around the axis.
bool axis_span(const ChipTensor& t, uint32_t axis, Span& span) {
  uint64_t left = t.start_offset;
  for (uint32_t d = 0; d < axis; ++d) left %= t.strides[d];
  const uint64_t begin = left / t.strides[axis];
  span = {begin, begin + t.shapes[axis]};
  return axis == 0 || span.end <= t.strides[axis - 1] / t.strides[axis];
}

}  // namespace

Overlap overlap(const ChipTensor& later, const ChipTensor& earlier) {
  if (!reach(later).meets(reach(earlier))) return Overlap::kNone;
  if (!same_axes(later, earlier)) return Overlap::kPartial;
  bool covered = true;
  bool meets = true;
  for (uint32_t d = 0; d < later.ndims; ++d) {
    Span a{};
    Span b{};
    if (!axis_span(later, d, a) || !axis_span(earlier, d, b)) return Overlap::kPartial;
    meets = meets && a.meets(b);
    covered = covered && a.holds(b);
  }
  if (!meets) return Overlap::kNone;
  return covered ? Overlap::kCovered : Overlap::kPartial;
}

std::vector<int> Writers::find(const ChipTensor& tensor, bool takes_over) {
  std::vector<int> found;
  auto& entries = by_buffer_[tensor.buffer.addr];
  auto is_taken = [&](const Entry& entry) {
    const Overlap how = overlap(tensor, entry.tensor);
    if (how == Overlap::kNone) return false;
    found.push_back(entry.task);
    return takes_over && how == Overlap::kCovered;
  };
  entries.erase(std::remove_if(entries.begin(), entries.end(), is_taken), entries.end());
  return found;
}

void Writers::add(const ChipTensor& tensor, int task) {
  by_buffer_[tensor.buffer.addr].push_back({tensor, task});
}

}  // namespace standin
