// SPDX-License-Identifier: Apache-2.0
// The parts of a pipeline's program: which operands its collective has and of which shapes.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline.h"

namespace chip_tests {

struct Shapes {
  std::vector<int64_t> input;   // what one rank stages in one round
  std::vector<int64_t> target;  // what it consumes
  std::vector<int64_t> signal;
};

Shapes shapes_of(const Pipeline& p);
// The shape of a tensor that holds one of `shape` for each round.
std::vector<int64_t> rounds_of(const Pipeline& p, std::vector<int64_t> shape);

bool has_input(const Pipeline& p);  // an operand of its own for what is sent
bool has_counts(const Pipeline& p);

}  // namespace chip_tests
