// SPDX-License-Identifier: Apache-2.0
// Every collective in a set of runs in which each pair of settings meets: exact results in adversarial schedules.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <iostream>
#include <set>

#include "rendered.h"
#include "settings.h"

namespace collectives {
namespace {

constexpr uint64_t kSeed = 20261130;

// What is not ordered is found in whatever schedule runs, so that few are enough for most settings.
int schedules_for(const Setting& setting) {
  return static_cast<int>(std::clamp(1e5 / cost_of(setting), 1.0, 10.0));
}

// Part `part` of `parts`, so that several processes can share an operator.
void run_op(Op op, int part = 0, int parts = 1) {
  int runs = 0;
  int place = 0;
  for (const Setting& setting : covering_set(kSeed)) {
    if (setting.variant.op != op || place++ % parts != part) continue;
    INFO(setting.text());
    const Scenario scenario = scenario_of(setting, kernel_of(setting.variant));
    const int schedules = schedules_for(setting);
    CHECK(run_schedules(scenario, static_cast<uint64_t>(runs) * 1000, schedules) == "");
    ++runs;
  }
  CHECK(runs > 0);
}

}  // namespace

TEST_CASE("covering set: allreduce (mesh)") {
  run_op(Op::kAllreduce);
}
TEST_CASE("covering set: allreduce (ring)") {
  run_op(Op::kRing);
}
TEST_CASE("covering set: barrier") {
  run_op(Op::kBarrier);
}
TEST_CASE("covering set: broadcast") {
  run_op(Op::kBroadcast);
}
TEST_CASE("covering set: reduce_scatter") {
  run_op(Op::kReduceScatter);
}
TEST_CASE("covering set: allgather") {
  run_op(Op::kAllgather);
}
TEST_CASE("covering set: all_to_all") {
  run_op(Op::kAllToAll);
}
TEST_CASE("covering set: all_to_all_v (first half)") {
  run_op(Op::kAllToAllV, 0, 2);
}
TEST_CASE("covering set: all_to_all_v (second half)") {
  run_op(Op::kAllToAllV, 1, 2);
}

// Counted out from the lists of the tests' requirements, not from the product that the set is chosen from.
TEST_CASE("the covering set holds every pair of values of each operator") {
  using Values = std::vector<int64_t>;
  const Values numbers(kSizes.begin(), kSizes.end());
  const Values ranks(kRanks.begin(), kRanks.end());
  Values counts;
  for (int pattern = 0; pattern < kCountPatterns; ++pattern) counts.push_back(pattern);
  const Values arithmetic = {STANDIN_FP16, STANDIN_FP32, STANDIN_BF16, STANDIN_INT32};
  const Values types = {STANDIN_FP32,  STANDIN_FP16,  STANDIN_BF16,   STANDIN_INT8,   STANDIN_INT16,  STANDIN_INT32,
                        STANDIN_INT64, STANDIN_UINT8, STANDIN_UINT16, STANDIN_UINT32, STANDIN_UINT64, STANDIN_BOOL};
  const Values reduces = {0, 1, 2, 3};
  const Values kinds = {0, 1};
  const Values none = {0};
  struct Due {
    Op op;
    std::vector<Values> values;  // types, ReduceOps, ranks, sizes, widths, counts, kinds of numbers, slack
  };
  const Values mesh_widths = {1, 2, 3, 8};
  const Values counted_widths = {0, 1, 2, 3, 4, 5, 6};  // 1, 2, P-1, P, P+1, 2P, 2P+1
  const std::vector<Due> all = {
      {Op::kAllreduce, {arithmetic, reduces, ranks, numbers, mesh_widths, none, kinds, kinds}},
      {Op::kRing, {arithmetic, none, ranks, numbers, none, none, kinds, kinds}},
      {Op::kBarrier, {none, none, ranks, none, none, none, kinds, kinds}},
      {Op::kBroadcast, {types, none, ranks, numbers, none, none, kinds, kinds}},
      {Op::kReduceScatter, {arithmetic, reduces, ranks, numbers, none, none, kinds, kinds}},
      {Op::kAllgather, {types, none, ranks, numbers, none, none, kinds, kinds}},
      {Op::kAllToAll, {types, none, ranks, numbers, none, none, kinds, kinds}},
      {Op::kAllToAllV, {types, none, ranks, numbers, counted_widths, counts, kinds, kinds}},
  };
  const auto values_of = [](const Setting& s) {
    const bool counted = s.variant.op == Op::kAllToAllV;
    return Values{s.variant.op == Op::kBarrier ? 0 : s.variant.type,
                  s.variant.reduces() ? static_cast<int>(s.variant.reduce) : 0,
                  s.ranks,
                  s.variant.op == Op::kBarrier ? 0 : s.size,
                  counted                          ? s.cores
                  : s.variant.op == Op::kAllreduce ? s.core_num()
                                                   : 0,
                  counted ? static_cast<int>(s.counts) : 0,
                  s.whole_numbers ? 1 : 0,
                  s.stride_slack};
  };
  const std::vector<Setting> set = covering_set(kSeed);
  CHECK(set.size() < 800);
  for (const Due& due : all) {
    std::set<std::array<int64_t, 4>> pairs;
    size_t settings = 0;
    for (const Setting& s : set) {
      if (s.variant.op != due.op) continue;
      ++settings;
      const Values found = values_of(s);
      for (size_t a = 0; a < found.size(); ++a)
        for (size_t b = a + 1; b < found.size(); ++b)
          pairs.insert({static_cast<int64_t>(a), found[a], static_cast<int64_t>(b), found[b]});
    }
    size_t missing = 0;
    size_t wanted = 0;
    for (size_t a = 0; a < due.values.size(); ++a) {
      for (size_t b = a + 1; b < due.values.size(); ++b) {
        for (const int64_t x : due.values[a]) {
          for (const int64_t y : due.values[b]) {
            if (due.op == Op::kAllToAllV && a == 2 && b == 4 && x == 1 && y == 2) continue;  // P - 1 blocks for P = 1
            ++wanted;
            if (pairs.count({static_cast<int64_t>(a), x, static_cast<int64_t>(b), y}) != 0) continue;
            if (++missing == 1) UNSCOPED_INFO("values " << x << " and " << y << " of lists " << a << " and " << b);
          }
        }
      }
    }
    Variant variant;
    variant.op = due.op;
    INFO(variant.name());
    CHECK(missing == 0);
    std::cout << variant.name() << ": " << settings << " settings, " << wanted << " pairs of values\n";
  }
}

TEST_CASE("covering set: the largest runs, three calls in a row", "[.]") {
  int runs = 0;
  for (const Setting& setting : covering_set(kSeed)) {
    Scenario scenario = scenario_of(setting, kernel_of(setting.variant));
    if (scenario.calls == 3) continue;
    scenario.calls = 3;
    INFO(setting.text());
    CHECK(run_schedules(scenario, 0, 1) == "");
    ++runs;
  }
  CHECK(runs > 0);
}

TEST_CASE("two operators share a signal") {
  const Op ops[] = {Op::kAllreduce, Op::kBarrier,  Op::kBroadcast, Op::kReduceScatter,
                    Op::kAllgather, Op::kAllToAll, Op::kAllToAllV};
  uint64_t seed = 0;
  for (Op first : ops) {
    for (Op second : ops) {
      Scenario scenario;
      scenario.ranks = seed % 3 == 0 ? 3 : 4;
      for (Op op : {first, second}) {
        Step step;
        step.variant.op = op;
        step.size = 33;
        step.core_num = 2;
        step.kernel = kernel_of(step.variant);
        scenario.steps.push_back(step);
      }
      scenario.steps[1].shares_signal = true;
      scenario.stride_slack = 2;
      INFO(scenario.steps[0].variant.name() << ", " << scenario.steps[1].variant.name());
      CHECK(run_schedules(scenario, seed, 12) == "");
      seed += 100;
    }
  }
}

TEST_CASE("every variant of the compiler's table is one of the tests'") {
  for (const Variant& variant : all_variants()) CHECK_NOTHROW(rendered_kernel(variant));
}

}  // namespace collectives
