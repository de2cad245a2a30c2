// SPDX-License-Identifier: Apache-2.0
// Tests of the tests: every rule of the protocols is broken once by an edit of the rendered kernel, and at most 200
// schedules later a run has noticed.
#include <catch2/catch.hpp>
#include <iostream>
#include <string>

#include "rendered.h"
#include "scenario.h"

namespace collectives {
namespace {

struct Broken {
  const char* what;
  const char* variant;
  const char* from;
  const char* to;
  const char* after = "";
  int core_num = 1;
  int ranks = 4;
  int64_t size = 100;
  const char* from_too = "";  // a second edit
  const char* to_too = "";
};

const char* const kSettle = "pipe_barrier(PIPE_ALL);\n    dsb(DSB_DDR);";
const char* const kMeet = "void meet(int32_t round) const {";
const char* const kTakeBack = "void take_back(int32_t rounds) const {";

const Broken kBroken[] = {
    // notify
    {"no credit to peers", "allreduce__sum__fp32", "add_to(domain.on(domain.after_me(k), cell(domain.me)), 1);", "",
     kMeet},
    {"no credit to one peer", "broadcast__root0__fp32", "for (int64_t k = 1; k < domain.ranks; ++k) {",
     "for (int64_t k = 2; k < domain.ranks; ++k) {", kMeet},
    {"ring: no credit to the left", "allreduce_ring__sum__fp32", "add_to(domain.on(left, cell(row, domain.me)), 1);",
     ""},
    {"ring: no credit to the right", "allreduce_ring__sum__fp32", "add_to(domain.on(right, cell(row, domain.me)), 1);",
     ""},
    // drain, fence
    {"no drain", "allreduce__sum__fp32", kSettle, "dsb(DSB_DDR);"},
    {"no fence", "allreduce__sum__fp32", kSettle, "pipe_barrier(PIPE_ALL);"},
    {"no drain", "allgather__int8", kSettle, "dsb(DSB_DDR);"},
    {"no fence", "all_to_all__fp16", kSettle, "pipe_barrier(PIPE_ALL);"},
    {"no drain", "all_to_all_v__fp32", kSettle, "dsb(DSB_DDR);", "", 8},
    {"no fence", "all_to_all_v__fp32", kSettle, "pipe_barrier(PIPE_ALL);", "", 8},
    {"ring: no drain", "allreduce_ring__sum__fp32", kSettle, "dsb(DSB_DDR);"},
    {"ring: no fence", "allreduce_ring__sum__fp32", kSettle, "pipe_barrier(PIPE_ALL);"},
    {"nothing settles before round B", "reduce_scatter__sum__fp32", "settle();", "", "reducer.finish();"},
    {"nothing settles before round B", "broadcast__root0__fp32", "    settle();\n", "", "mover.finish();\n    }"},
    // invalidate
    {"no invalidate at entry", "all_to_all_v__fp32", "forget_cached();", "", "void kernel_entry", 8},
    {"an invalidate of nothing", "all_to_all_v__int8",
     "dcci(reinterpret_cast<__gm__ void *>(0), "
     "cache_line_t::ENTIRE_DATA_CACHE);",
     "", "", 3},
    // barrier and its epilogue
    {"the barrier stores 0", "barrier__fp32", "add_to(cell(domain.after_me(k)), -rounds);",
     "{ pto::comm::Signal s(cell(domain.after_me(k))); pto::comm::TNOTIFY(s, 0, pto::comm::NotifyOp::Set); }"},
    {"the epilogue stores 0", "allreduce__sum__fp32", "add_to(cell(domain.after_me(k)), -rounds);",
     "{ pto::comm::Signal s(cell(domain.after_me(k))); pto::comm::TNOTIFY(s, 0, pto::comm::NotifyOp::Set); }"},
    {"-1 for -2", "allreduce__sum__fp32", "lane.take_back(2);", "lane.take_back(1);"},
    {"-1 for -2", "all_to_all_v__fp32", "lane.take_back(2);", "lane.take_back(1);", "", 2},
    {"-2 for -1", "barrier__fp32", "lane.take_back(1);", "lane.take_back(2);"},
    {"no epilogue", "allgather__fp32", "lane.take_back(2);", ""},
    {"the epilogue is not drained", "allreduce__sum__fp32", "settle();", "", kTakeBack},
    {"the epilogue is not drained", "barrier__fp32", "settle();", "", kTakeBack},
    {"the epilogue is not drained", "all_to_all__fp32", "settle();", "", kTakeBack},
    {"the epilogue is not drained", "all_to_all_v__fp32", "settle();", "", kTakeBack, 8},
    {"ring: the epilogue is not drained", "allreduce_ring__sum__fp32", "settle();", "", "void take_back"},
    {"ring: the epilogue takes one side off", "allreduce_ring__sum__fp32", "add_to(cell(row, left), -1);", ""},
    // rounds
    {"round A left out", "allreduce__sum__fp32", "lane.meet(1);", ""},
    {"round A left out", "reduce_scatter__max__fp16", "lane.meet(1);", ""},
    {"round A left out, B and epilogue adapted", "allreduce__sum__fp32", "lane.meet(1);\n    Reducer reducer(domain);",
     "Reducer reducer(domain); // one round"},
    {"round A left out", "broadcast__root1__fp32", "lane.meet(1);", ""},
    {"round A left out", "allgather__fp32", "lane.meet(1);", ""},
    {"round A left out", "all_to_all_v__fp32", "lane.meet(1);", "", "", 8},
    {"ring: row 0 left out", "allreduce_ring__sum__fp32", "ring.meet(0);", ""},
    {">= 1 in round B", "allreduce__sum__fp32", "lane.meet(2);", "lane.meet(1);"},
    {">= 1 in round B", "broadcast__root0__fp32", "lane.meet(2);", "lane.meet(1);"},
    {">= 1 in round B", "all_to_all__int32", "lane.meet(2);", "lane.meet(1);"},
    {">= 1 in round B", "all_to_all_v__fp32", "lane.meet(2);", "lane.meet(1);", "", 8},
    {"ring: waits for the left only", "allreduce_ring__sum__fp32", "await(cell(row, right), 1);", ""},
    {"ring: waits for the right only", "allreduce_ring__sum__fp32", "await(cell(row, left), 1);", "", "} else {"},
    {"ring: two ranks take one credit off", "allreduce_ring__sum__fp32", "add_to(cell(row, left), -2);",
     "add_to(cell(row, left), -1);", "", 1, 2},
    {"a rank credits itself", "allreduce__sum__fp32",
     "for (int64_t k = 1; k < domain.ranks; ++k) {\n            add_to(domain.on",
     "for (int64_t k = 0; k < domain.ranks; ++k) {\n            add_to(domain.on"},
    {"ranks take part in one round less", "reduce_scatter__sum__fp32", "lane.meet(2);",
     "if (domain.me != 0) lane.meet(2);"},
    {"ranks with nothing to send take part in one round less", "all_to_all_v__fp32", "lane.meet(2);",
     "if (count_at(send_counts, 0) > 0) lane.meet(2);"},
    // counts
    {"a count is set where it must be added", "all_to_all_v__fp32",
     "add_to(domain.on(rank, recv_counts + domain.me), static_cast<int32_t>(rows));",
     "{ pto::comm::Signal s(domain.on(rank, recv_counts + domain.me)); pto::comm::TNOTIFY(s, "
     "static_cast<int32_t>(rows), pto::comm::NotifyOp::Set); }",
     "", 8},
    {"counts are not cleared", "all_to_all_v__fp32", "if (old != 0) add_to", "if (old < 0) add_to", "", 8},
    {"counts are cleared by block 0", "all_to_all_v__fp32", "if (block == shares.publisher_to(domain.me)) {",
     "if (block == 0) {", "", 8},
    {"counts are cleared after round A", "all_to_all_v__fp32", "if (block == shares.publisher_to(domain.me)) {",
     "if (false) {", "", 8, 4, 100, "lane.meet(1);\n    forget_cached();",
     "lane.meet(1);\n    forget_cached();\n    if (block == shares.publisher_to(domain.me)) {\n        for (int64_t "
     "source = "
     "0; source < domain.ranks; ++source) add_to(recv_counts + source, -count_at(recv_counts, source));\n        "
     "settle();\n    }"},
    {"counts are published by every lane", "all_to_all_v__fp32",
     "if (rows != 0 && block == shares.publisher_to(rank)) {", "if (rows != 0) {", "", 8},
    {"a rank forgets itself", "all_to_all_v__fp32", "const int64_t rows = counted(send_counts, rank, capacity);",
     "const int64_t rows = rank == domain.me ? 0 : counted(send_counts, rank, capacity);", "", 8},
    {"counts are not clamped", "all_to_all_v__fp32", "asked > capacity ? capacity : asked", "asked"},
    // pieces
    {"a store is rounded up to 32 bytes", "allgather__fp32", "const int64_t words = n * kWordsPerElem;",
     "const int64_t words = (n * kWordsPerElem + 7) / 8 * 8;", "", 1, 4, 100},
    {"a store is rounded up to 32 bytes", "broadcast__root0__fp32", "const int64_t words = n * kWordsPerElem;",
     "const int64_t words = (n * kWordsPerElem + 7) / 8 * 8;", "", 1, 4, 9},
    {"slices overlap", "allreduce__sum__fp32", "const int64_t hi = whole.lo + grains * (i + 1) / parts * kGrain;",
     "const int64_t hi = whole.lo + (grains * (i + 1) / parts + 1) * kGrain;"},
    {"the result goes to one rank less", "allreduce__sum__fp32", "slice.hi, 1, domain.ranks);",
     "slice.hi, 1, domain.ranks - 1);"},
    {"another order of ranks", "allreduce__sum__fp32", "load(even_in, mine, n, 0, EVENT_ID0);",
     "load(even_in, mine, n, domain.me, EVENT_ID0);"},
    // pipes
    {"a load is used before it is there", "allreduce__sum__fp32",
     "set_flag(PIPE_MTE2, PIPE_V, event);\n        wait_flag(PIPE_MTE2, PIPE_V, event);", ""},
    {"a tile is stored before it is computed", "allreduce__sum__fp32",
     "set_flag(PIPE_V, PIPE_MTE3, done);\n            wait_flag(PIPE_V, PIPE_MTE3, done);", ""},
    {"a stage is loaded while it is stored", "allgather__fp32", "wait_flag(PIPE_MTE3, PIPE_MTE2, stage);", "",
     "RowOf<Word", 1, 4, 9000},
};

// Schedules until the first problem, or 0 for none; the problem in `found`.
int schedules_until_caught(const Broken& broken, std::string& found) {
  Step step;
  step.variant = variant_named(broken.variant);
  std::string text = edited(rendered_kernel(step.variant), broken.from, broken.to, broken.after);
  if (*broken.from_too != '\0') text = edited(text, broken.from_too, broken.to_too);
  step.kernel = kernel_from_text(text);
  step.size = broken.size;
  step.core_num = broken.core_num;
  step.counts = std::string(broken.what).find("clamped") == std::string::npos ? Counts::kMixed : Counts::kAboveCapacity;
  Scenario scenario;
  scenario.ranks = broken.ranks;
  scenario.steps = {step};
  scenario.whole_numbers = false;
  for (int seed = 0; seed < 200; ++seed) {
    found = run_scenario(scenario, static_cast<uint64_t>(seed)).wrong;
    if (!found.empty()) return seed + 1;
  }
  return 0;
}

}  // namespace

TEST_CASE("every broken kernel is noticed") {
  int late = 0;
  for (const Broken& broken : kBroken) {
    std::string found;
    const int schedules = schedules_until_caught(broken, found);
    INFO(broken.what << ", " << broken.variant);
    CHECK(schedules > 0);
    late = std::max(late, schedules);
    std::cout << broken.variant << ", " << broken.what << ": schedule " << schedules << ": "
              << found.substr(0, found.find('\n')) << "\n";
  }
  std::cout << std::size(kBroken) << " broken kernels, noticed after at most " << late << " schedules\n";
}

// The bound of a chunk at 2^31 / ranks elements: too large to move, so that only accesses are looked at.
TEST_CASE("a chunk bound in 32-bit arithmetic is noticed") {
  Step step;
  step.variant = variant_named("allreduce_ring__sum__fp16");
  step.size = (int64_t{1} << 31) / 4 + 5;
  Scenario scenario;
  scenario.ranks = 8;
  scenario.calls = 1;
  scenario.move_data = false;
  scenario.max_operations = 3000;
  const std::string text = rendered_kernel(step.variant);
  step.kernel = kernel_from_text(text);
  scenario.steps = {step};
  CHECK(run_schedules(scenario, 0, 3) == "");
  step.kernel = kernel_from_text(
      edited(edited(text, "total * chunk / domain.ranks;",
                    "static_cast<int32_t>(static_cast<uint32_t>(total * chunk)) / static_cast<int32_t>(domain.ranks);"),
             "total * (chunk + 1) / domain.ranks;",
             "static_cast<int32_t>(static_cast<uint32_t>(total * (chunk + 1))) / static_cast<int32_t>(domain.ranks);"));
  scenario.steps = {step};
  CHECK(run_schedules(scenario, 0, 3) != "");
}

}  // namespace collectives
