// SPDX-License-Identifier: Apache-2.0
// Every collective in a set of runs in which each pair of settings meets: exact results in adversarial schedules.
#include <algorithm>
#include <catch2/catch.hpp>
#include <iostream>

#include "rendered.h"
#include "settings.h"

namespace collectives {
namespace {

constexpr uint64_t kSeed = 20261130;

// all_to_all_v has half of all settings, so each of them gets fewer schedules.
int schedules_for(const Setting& setting) {
  const double most = setting.variant.op == Op::kAllToAllV ? 1e5 : 3e5;
  return static_cast<int>(std::clamp(most / cost_of(setting), 1.0, 30.0));
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

TEST_CASE("the covering set covers what it says and is small") {
  const std::vector<Setting> set = covering_set(kSeed);
  CHECK(set.size() < 400);
  for (const Variant& variant : all_variants()) {
    if (variant.op == Op::kIndexed) continue;
    CHECK(std::any_of(set.begin(), set.end(), [&](const Setting& s) {
      return s.variant.op == variant.op && s.variant.type == variant.type && s.variant.reduce == variant.reduce;
    }));
  }
  for (int ranks : kRanks) {
    for (int64_t size : kSizes) {
      CHECK(std::any_of(set.begin(), set.end(), [&](const Setting& s) { return s.ranks == ranks && s.size == size; }));
    }
  }
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
