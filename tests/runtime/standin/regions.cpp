// SPDX-License-Identifier: Apache-2.0
// Bytes of strided views.
#include "standin/regions.h"

#include <algorithm>

namespace standin {

uint64_t element_count(const ChipTensor& tensor) {
  uint64_t n = 1;
  for (uint32_t d = 0; d < tensor.ndims; ++d) n *= tensor.shapes[d];
  return n;
}

uint64_t reached_elements(const ChipTensor& tensor) {
  uint64_t reach = 1;
  for (uint32_t d = 0; d < tensor.ndims; ++d) {
    if (tensor.shapes[d] == 0) return 0;
    reach += static_cast<uint64_t>(tensor.shapes[d] - 1) * tensor.strides[d];
  }
  return reach;
}

uint64_t element_address(const ChipTensor& tensor, uint32_t ndims, const uint32_t indices[]) {
  uint64_t offset = tensor.start_offset;
  for (uint32_t d = 0; d < ndims; ++d) offset += static_cast<uint64_t>(indices[d]) * tensor.strides[d];
  return tensor.buffer.addr + offset * get_element_size(tensor.dtype);
}

std::vector<Range> byte_ranges(const ChipTensor& tensor) {
  std::vector<Range> ranges;
  if (element_count(tensor) == 0) return ranges;
  const uint64_t size = get_element_size(tensor.dtype);
  if (tensor.is_contiguous) {
    const uint64_t begin = tensor.buffer.addr + tensor.start_offset * size;
    ranges.push_back({begin, begin + element_count(tensor) * size});
    return ranges;
  }
  // an odometer over all axes but a last one of stride 1, which makes one range
  const uint32_t last = tensor.ndims - 1;
  const bool dense_rows = tensor.strides[last] == 1;
  const uint32_t axes = dense_rows ? last : tensor.ndims;
  const uint64_t run = (dense_rows ? tensor.shapes[last] : 1) * size;
  uint32_t index[MAX_TENSOR_DIMS] = {};
  for (;;) {
    const uint64_t begin = element_address(tensor, axes, index);
    ranges.push_back({begin, begin + run});
    uint32_t d = axes;
    while (d > 0 && ++index[d - 1] == tensor.shapes[d - 1]) index[--d] = 0;
    if (d == 0) break;
  }
  join(ranges);
  return ranges;
}

void join(std::vector<Range>& ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  size_t kept = 0;
  for (const Range& range : ranges) {
    if (kept > 0 && range.begin <= ranges[kept - 1].end) {
      ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
    } else {
      ranges[kept++] = range;
    }
  }
  ranges.resize(kept);
}

bool contains(const std::vector<Range>& ranges, uint64_t begin, uint64_t end) {
  auto after = std::upper_bound(ranges.begin(), ranges.end(), begin,
                                [](uint64_t at, const Range& range) { return at < range.begin; });
  return after != ranges.begin() && end <= (after - 1)->end;
}

}  // namespace standin
