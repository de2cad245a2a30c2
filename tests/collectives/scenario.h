// SPDX-License-Identifier: Apache-2.0
// Runs collectives on P ranks and looks at every result: what tests of kernels are made of.
//
// Each rank does the same steps in order, several times over: write this call's inputs, run the collective, read what
// it left. Data differ in each call; windows and signals stay. Any rank may be arbitrarily late at any of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ranks/world.h"
#include "variant.h"

namespace collectives {

enum class Counts { kUniform, kZero, kSelfOnly, kSingleHot, kMixed, kAsymmetric, kNegative, kAboveCapacity, kRandom };
inline constexpr int kCountPatterns = 9;

struct Step {
  Variant variant;
  standin::ranks::Body kernel;
  int64_t size = 16;  // elements, or columns of row-shaped operators
  int core_num = 1;   // where the operator has one
  Counts counts = Counts::kMixed;
  bool shares_signal = false;  // with the step before
  bool strange_index = false;  // some entries of an index name no row
};

struct Scenario {
  int ranks = 2;
  std::vector<Step> steps;
  int calls = 3;
  bool whole_numbers = true;  // small integers, exact in every type; else arbitrary values
  int stride_slack = 0;       // columns of the signal beyond those needed
  int aiv_cores = 48;
  bool move_data = true;
  uint64_t max_operations = 0;
  uint64_t data_seed = 1;
};

struct Outcome {
  std::string wrong;  // the first problem, or nothing
  std::vector<uint64_t> bytes_out;
  uint64_t operations = 0;
};

Outcome run_scenario(const Scenario& scenario, uint64_t seed);
// Seeds first, first + 1, ...: the first problem, with its seed and schedule, or nothing.
std::string run_schedules(const Scenario& scenario, uint64_t first, int count);

// Blocks of a launch, and the bytes that the operator's bound lets the busiest rank send in one call.
int blocks_of(const Step& step, int ranks);
uint64_t least_bytes_out(const Step& step, int ranks, int call, uint64_t data_seed);

}  // namespace collectives
