// SPDX-License-Identifier: Apache-2.0
// The product and the greedy choice of the covering set.
#include "settings.h"

#include <algorithm>
#include <array>
#include <random>
#include <set>

#include "ranks/arith.h"

namespace collectives {
namespace {

const std::vector<int> kMeshWidths = {1, 2, 3, 8};
constexpr int kCountedWidths = 7;

// Values of a setting by parameter; -1 where the parameter means nothing for the operator.
std::vector<int> values_of(const Setting& s) {
  const auto place = [](const auto& list, auto value) {
    return static_cast<int>(std::find(list.begin(), list.end(), value) - list.begin());
  };
  return {s.variant.op == Op::kBarrier ? -1 : s.variant.type,
          s.variant.reduces() ? static_cast<int>(s.variant.reduce) : -1,
          place(kRanks, s.ranks),
          s.variant.op == Op::kBarrier ? -1 : place(kSizes, s.size),
          s.variant.has_blocks() ? s.cores : -1,
          s.variant.op == Op::kAllToAllV ? static_cast<int>(s.counts) : -1,
          s.whole_numbers ? 1 : 0,
          s.stride_slack};
}

// Two values of one operator: place and value, twice.
using Pair = std::array<int, 5>;

std::vector<Pair> pairs_of(const Setting& s) {
  const std::vector<int> values = values_of(s);
  const int op = static_cast<int>(s.variant.op);
  std::vector<Pair> pairs;
  for (int a = 0; a < static_cast<int>(values.size()); ++a) {
    for (int b = a + 1; b < static_cast<int>(values.size()); ++b) {
      const int x = values[static_cast<size_t>(a)];
      const int y = values[static_cast<size_t>(b)];
      if (x >= 0 && y >= 0) pairs.push_back({op, a, x, b, y});
    }
  }
  return pairs;
}

bool sensible(const Setting& s) {
  if (s.core_num() < 1) return false;
  // what would need gigabytes proves nothing that a smaller run does not
  const double bytes = static_cast<double>(s.ranks) * s.ranks * static_cast<double>(s.size) *
                       static_cast<double>(standin::ranks::size_of_type(s.variant.type)) *
                       (s.variant.op == Op::kAllToAllV ? static_cast<double>(kCountPatterns) / 3 : 1);
  const bool rows = s.variant.op == Op::kReduceScatter || s.variant.op >= Op::kAllgather;
  return !rows || bytes < 1.2e8;
}

// First, last and middle ranks; rank 0 often, since each root is a kernel to compile.
int root_for(int64_t size, int ranks) {
  return size == 7 || size == 255 ? ranks - 1 : size == 9 ? ranks / 2 : size == 257 ? 1 % ranks : 0;
}

}  // namespace

int widths_of(Op op) {
  return op == Op::kAllreduce ? static_cast<int>(kMeshWidths.size()) : op == Op::kAllToAllV ? kCountedWidths : 1;
}

int Setting::core_num() const {
  if (variant.op == Op::kAllreduce) return kMeshWidths[static_cast<size_t>(cores)];
  if (variant.op != Op::kAllToAllV) return 1;
  const int widths[kCountedWidths] = {1, 2, ranks - 1, ranks, ranks + 1, 2 * ranks, 2 * ranks + 1};
  return widths[cores];
}

std::string Setting::text() const {
  std::string text = variant.name() + " ranks=" + std::to_string(ranks) + " size=" + std::to_string(size);
  if (variant.has_blocks()) text += " core_num=" + std::to_string(core_num());
  if (variant.op == Op::kAllToAllV) text += " counts=" + std::to_string(static_cast<int>(counts));
  return text + " whole=" + (whole_numbers ? "1" : "0") + " slack=" + std::to_string(stride_slack);
}

void for_each_setting(const Variant& variant, const std::function<void(const Setting&)>& f) {
  Setting s;
  s.variant = variant;
  const int patterns = variant.op == Op::kAllToAllV ? kCountPatterns : 1;
  for (int ranks : kRanks) {
    for (int64_t size : kSizes) {
      for (int cores = 0; cores < widths_of(variant.op); ++cores) {
        for (int counts = 0; counts < patterns; ++counts) {
          for (int rest = 0; rest < 4; ++rest) {
            s.ranks = ranks;
            s.size = size;
            s.cores = cores;
            s.counts = static_cast<Counts>(counts);
            s.whole_numbers = rest % 2 == 0;
            s.stride_slack = rest / 2;
            if (variant.op == Op::kBroadcast) s.variant.root = root_for(size, ranks);
            if (sensible(s)) f(s);
          }
        }
      }
    }
  }
}

double cost_of(const Setting& s) {
  Step step;
  step.variant = s.variant;
  step.core_num = s.core_num();
  const double blocks = blocks_of(step, s.ranks);
  const double p = s.ranks;
  const double rounds = s.variant.op == Op::kRing ? 12 * p * p : 5 * p * p * blocks;
  const bool square = s.variant.op == Op::kReduceScatter || s.variant.op >= Op::kAllgather;
  return 3 * (rounds + p * static_cast<double>(s.size) * (square ? p : 1) / 200);
}

std::vector<Setting> covering_set(uint64_t seed) {
  std::vector<Setting> product;
  for (const Variant& variant : all_variants()) {
    if (variant.op == Op::kIndexed) continue;  // indexed_test.cpp
    for_each_setting(variant, [&](const Setting& s) { product.push_back(s); });
  }
  std::set<Pair> missing;
  for (const Setting& s : product) {
    for (const Pair& pair : pairs_of(s)) missing.insert(pair);
  }
  std::mt19937_64 random(seed);
  std::vector<Setting> chosen;
  std::set<std::string> seen;  // variants, without roots
  const auto take = [&](const Setting& s) {
    chosen.push_back(s);
    for (const Pair& pair : pairs_of(s)) missing.erase(pair);
  };
  // each variant once, then whatever covers most for its cost
  for (const Variant& variant : all_variants()) {
    if (variant.op == Op::kIndexed) continue;
    std::vector<const Setting*> own;
    for (const Setting& s : product) {
      if (s.variant.op == variant.op && s.variant.type == variant.type && s.variant.reduce == variant.reduce) {
        own.push_back(&s);
      }
    }
    const Setting* best = nullptr;
    double best_score = -1;
    for (int i = 0; i < 60; ++i) {
      const Setting& s = *own[random() % own.size()];
      const std::vector<Pair> pairs = pairs_of(s);
      const auto fresh =
          std::count_if(pairs.begin(), pairs.end(), [&](const Pair& p) { return missing.count(p) != 0; });
      const double score = static_cast<double>(fresh) / (1 + cost_of(s) / 3e4);
      if (score > best_score) {
        best_score = score;
        best = &s;
      }
    }
    take(*best);
  }
  while (!missing.empty()) {
    const Pair wanted = *missing.begin();
    const Setting* best = nullptr;
    double best_score = -1;
    for (int i = 0; i < 400 || best == nullptr; ++i) {
      const Setting& s = product[i < 400 ? random() % product.size() : static_cast<size_t>(i - 400)];
      const std::vector<Pair> pairs = pairs_of(s);
      if (i >= 400 && std::find(pairs.begin(), pairs.end(), wanted) == pairs.end()) continue;
      const auto fresh =
          std::count_if(pairs.begin(), pairs.end(), [&](const Pair& p) { return missing.count(p) != 0; });
      if (fresh == 0) continue;
      const double score = static_cast<double>(fresh) / (1 + cost_of(s) / 3e4);
      if (score > best_score) {
        best_score = score;
        best = &s;
      }
    }
    take(*best);
  }
  return chosen;
}

Scenario scenario_of(const Setting& setting, const standin::ranks::Body& kernel) {
  Step step;
  step.variant = setting.variant;
  step.kernel = kernel;
  step.size = setting.size;
  step.core_num = setting.core_num();
  step.counts = setting.counts;
  Scenario scenario;
  scenario.ranks = setting.ranks;
  scenario.steps = {step};
  scenario.whole_numbers = setting.whole_numbers;
  scenario.stride_slack = setting.stride_slack;
  scenario.aiv_cores = std::max(48, blocks_of(step, setting.ranks));
  if (cost_of(setting) > 5e6) scenario.calls = 1;
  return scenario;
}

}  // namespace collectives
