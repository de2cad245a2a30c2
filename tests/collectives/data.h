// SPDX-License-Identifier: Apache-2.0
// Inputs of the scenarios and what must come out of them.
#pragma once

#include <cstdint>
#include <vector>

#include "scenario.h"

namespace collectives {

using Bytes = std::vector<unsigned char>;

inline constexpr int64_t kRowsPerPeer = 3;  // capacity of all_to_all_v for each pair of ranks

// Elements of the operand that a rank contributes: target or input.
int64_t contributed(const Step& step, int ranks);
// Elements of the target.
int64_t received(const Step& step, int ranks);

Bytes input_of(const Step& step, const Scenario& scenario, int call, int rank);
int32_t count_of(const Step& step, const Scenario& scenario, int call, int source, int dest);
int64_t clamped(int32_t count);
// Of the indexed exchange: its input has other rows than its target. The index is the same in all calls.
int64_t input_rows(int ranks);
std::vector<int32_t> index_of(const Step& step, int ranks, int rank);

struct Expected {
  Bytes target;
  std::vector<bool> defined;  // by byte; empty: all
  std::vector<int32_t> counts;
};
// `inputs` by rank.
Expected expected_of(const Step& step, const Scenario& scenario, int call, int rank, const std::vector<Bytes>& inputs);

}  // namespace collectives
