// SPDX-License-Identifier: Apache-2.0
// Which collectives are run with which numbers: the full product of what matters, and a small set in which every pair
// of values meets.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scenario.h"
#include "variant.h"

namespace collectives {

inline const std::vector<int> kRanks = {1, 2, 3, 4, 7, 8, 16, 64};
inline const std::vector<int64_t> kSizes = {1, 7, 8, 9, 255, 256, 257, 4099};

// One run. `cores` is the place in the operator's own list of widths: mesh 1, 2, 3, 8; all_to_all_v 1, 2, P-1, P, P+1,
// 2P, 2P+1.
struct Setting {
  Variant variant;
  int ranks = 1;
  int64_t size = 1;
  int cores = 0;
  Counts counts = Counts::kUniform;
  bool whole_numbers = true;
  int stride_slack = 0;

  int core_num() const;  // 0: not a width (P - 1 for one rank)
  std::string text() const;
};

int widths_of(Op op);  // length of the operator's list

// Calls `f` with every setting of the product for one variant.
void for_each_setting(const Variant& variant, const std::function<void(const Setting&)>& f);

// A set in which, for each operator by itself, every pair of (element type, ReduceOp, ranks, size, width, counts, kind
// of numbers, slack) occurs that can, every variant included. The same seed gives the same set.
std::vector<Setting> covering_set(uint64_t seed);

// `kernel` is that of the variant. Three calls in a row on one signal; one where 64 ranks run 128 blocks each.
Scenario scenario_of(const Setting& setting, const standin::ranks::Body& kernel);
// About how many instructions a run takes: what decides how many schedules one can afford.
double cost_of(const Setting& setting);

}  // namespace collectives
