// SPDX-License-Identifier: Apache-2.0
// The indexed exchange, which only the CHIP rail has: rows that an index names, counts that are fetched.
#include <catch2/catch.hpp>

#include "rendered.h"
#include "scenario.h"

namespace collectives {
namespace {

Scenario indexed(const std::string& type, int ranks, int core_num, int64_t size, Counts counts) {
  Step step;
  step.variant = variant_named("indexed_all_to_all_v__" + type);
  step.kernel = kernel_of(step.variant);
  step.size = size;
  step.core_num = core_num;
  step.counts = counts;
  step.strange_index = true;
  Scenario scenario;
  scenario.ranks = ranks;
  scenario.steps = {step};
  return scenario;
}

}  // namespace

TEST_CASE("indexed exchange: widths below, at and above the ranks; every pattern of counts") {
  const int64_t sizes[] = {1, 7, 8, 33, 257, 4099};
  const char* const types[] = {"fp32", "int8", "uint64", "bfloat16", "bool"};
  uint64_t seed = 0;
  size_t turn = 0;
  for (const int ranks : {1, 2, 3, 4, 8}) {
    for (const int core_num : {1, ranks - 1, ranks, ranks + 1, 2 * ranks + 1}) {
      if (core_num < 1) continue;
      const char* type = types[turn % 5];
      const int64_t size = sizes[turn % 6];
      const auto counts = static_cast<Counts>(turn++ % kCountPatterns);
      INFO(type << ", " << ranks << " ranks, core_num " << core_num << ", rows of " << size << ", counts "
                << static_cast<int>(counts));
      Scenario scenario = indexed(type, ranks, core_num, size, counts);
      scenario.stride_slack = static_cast<int>(turn % 2);
      CHECK(run_schedules(scenario, seed, ranks == 8 ? 4 : 10) == "");
      seed += 100;
    }
  }
}

TEST_CASE("indexed exchange: a signal that another collective uses as well") {
  for (const char* other : {"all_to_all_v__fp32", "barrier__fp32", "indexed_all_to_all_v__int16"}) {
    Scenario scenario = indexed("fp32", 3, 4, 20, Counts::kRandom);
    Step step = scenario.steps[0];
    step.variant = variant_named(other);
    step.kernel = kernel_of(step.variant);
    scenario.steps.push_back(step);
    scenario.steps[1].shares_signal = true;
    INFO(other);
    CHECK(run_schedules(scenario, 0, 12) == "");
  }
}

// Nobody writes a place twice and each row crosses the wire once.
TEST_CASE("indexed exchange: only counted rows leave a rank") {
  Scenario scenario = indexed("fp32", 4, 6, 24, Counts::kUniform);
  scenario.steps[0].strange_index = false;
  const Outcome outcome = run_scenario(scenario, 5);
  CHECK(outcome.wrong == "");
  // in each call each peer takes one count
  const uint64_t due = 3 * (least_bytes_out(scenario.steps[0], 4, 0, scenario.data_seed) + 3 * 4);
  for (const uint64_t bytes : outcome.bytes_out) CHECK(bytes == due);
}

// Each step of the protocol, taken out, is missed by some schedule.
TEST_CASE("indexed exchange: tests of the tests") {
  struct Broken {
    const char* what;
    const char* from;
    const char* to;
    const char* after;
  };
  const char* const kEntry = "void kernel_entry";
  const char* const kFetch = "void fetch_counts";
  const Broken broken[] = {
      {"round A left out", "lane.meet(1);", "", kEntry},
      {"no invalidate", "forget_cached();", "", kEntry},
      {">= 1 in round B", "lane.meet(2);", "lane.meet(1);", kEntry},
      {"-1 for -2", "lane.take_back(2);", "lane.take_back(1);", kEntry},
      {"nothing settles before round B", "settle();", "", kEntry},
      {"two blocks write to a peer", "rank = block; block < writers && rank", "rank = block % writers; rank", kEntry},
      {"every block keeps all", "cut(begin, own, block, blocks) - begin", "0", kEntry},
      {"counts are not clamped from below", "TMAXS(tile, tile, 0);", "", kFetch},
      {"counts are not clamped from above", "TMINS(tile, tile, static_cast<int32_t>(capacity));", "", kFetch},
      {"a rank counts for another", "send_counts + domain.me", "send_counts + source", kFetch},
      {"loads are not waited for", "wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);", "", kFetch},
      {"an index is not checked", "source >= 0 && source < given", "source < given", ""},
  };
  const std::string text = rendered_kernel(variant_named("indexed_all_to_all_v__fp32"));
  for (const Broken& b : broken) {
    Scenario scenario = indexed("fp32", 4, 6, 100, Counts::kRandom);
    scenario.steps[0].kernel = kernel_from_text(edited(text, b.from, b.to, b.after));
    bool seen = false;
    for (const Counts counts : {Counts::kRandom, Counts::kNegative, Counts::kAboveCapacity}) {
      scenario.steps[0].counts = counts;
      seen = seen || run_schedules(scenario, 0, 60) != "";
    }
    INFO(b.what);
    CHECK(seen);
  }
}

}  // namespace collectives
