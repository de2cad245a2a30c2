// SPDX-License-Identifier: Apache-2.0
// The bytes that a view of a tensor stands for.
#pragma once

#include <cstdint>
#include <vector>

#include "tensor.h"

namespace standin {

struct Range {
  uint64_t begin;  // addresses
  uint64_t end;
};

uint64_t element_count(const ChipTensor& tensor);

// Elements from the first that the view reaches to one past the last; 0 for an empty view.
uint64_t reached_elements(const ChipTensor& tensor);

// Address of the element at `indices`.
uint64_t element_address(const ChipTensor& tensor, uint32_t ndims, const uint32_t indices[]);

// The bytes of every element, as sorted disjoint ranges.
std::vector<Range> byte_ranges(const ChipTensor& tensor);

// Sorts and joins ranges that touch.
void join(std::vector<Range>& ranges);

// True when [begin, end) lies within `ranges`, which are sorted and joined.
bool contains(const std::vector<Range>& ranges, uint64_t begin, uint64_t end);

}  // namespace standin
