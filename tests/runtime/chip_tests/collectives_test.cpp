// SPDX-License-Identifier: Apache-2.0
// Collectives as tasks of a chip program: whole trees, built and run on ranks in adversarial schedules, compared with
// what the operators mean and with the same program on the HOST rail.
//
// A run fails as well where a cell of a signal is not 0 at its end, where two accesses are not ordered, and where
// something waits for ever (ranks/world.h).
#include <algorithm>
#include <catch2/catch.hpp>
#include <iostream>
#include <map>

#include "pipeline.h"

using namespace chip_tests;
using collectives::Counts;
using collectives::variant_named;

namespace {

constexpr int kRankCounts[] = {2, 3, 4, 8};

// Every rank gets `due` dispatches, and `seeds` schedules give what must come out.
std::string run(const Pipeline& p, const Tree& tree, int seeds, int due) {
  if (!tree.ok()) return tree.messages() + program_text(p);
  const standin::ranks::HostProgram program(standin::ranks::record_host(tree.out(), p.ranks, arguments_of(p)));
  if (!program.error().empty()) return program.error();
  std::map<int, int> dispatches;
  for (const auto& dispatch : program.record().dispatches) ++dispatches[dispatch.worker];
  for (int rank = 0; rank < p.ranks; ++rank) {
    if (dispatches[rank] != due) return "rank " + std::to_string(rank) + " gets " + std::to_string(dispatches[rank]);
  }
  for (int seed = 0; seed < seeds; ++seed) {
    const standin::ranks::HostResult result = program.run(static_cast<uint64_t>(seed));
    const std::string wrong = !result.wrong.empty() ? result.wrong : check_outputs(p, result);
    if (!wrong.empty()) return "seed " + std::to_string(seed) + " " + wrong;
  }
  return "";
}

Pipeline pipeline(const std::string& variant, int ranks, int core_num) {
  Pipeline p;
  p.step.variant = variant_named(variant);
  p.step.size = 20;
  p.step.core_num = core_num;
  p.ranks = ranks;
  return p;
}

bool only_the_pipeline(const Tree& tree) {
  return tree.sub_builds() == std::vector<std::string>{"chip_pipeline"};
}
// The chip program says nothing of the order of its three tasks but their directions. Only a barrier, which has no
// operand in common with the others, does.
bool directions_alone(const Pipeline& p, const Tree& tree) {
  const std::string text = tree.read("next_levels/chip_pipeline/orchestration/chip_pipeline.cpp");
  const bool explicit_order = text.find("set_dependencies") != std::string::npos;
  return text.find("rt_submit_aiv_task(2, ") != std::string::npos &&
         explicit_order == (p.step.variant.op == collectives::Op::kBarrier);
}

// In a loop of two rounds on the CHIP rail; where `all`, straight there and on the HOST rail too. One pattern of counts
// after the other, of `patterns` in all.
int run_everywhere(Pipeline p, int first_pattern, int patterns, int seeds, bool all) {
  int runs = 0;
  for (const int rounds : {1, 2}) {
    for (const bool host : {false, true}) {
      if ((rounds == 1 && !all) || (host && rounds == 2)) continue;
      p.rounds = rounds;
      p.on_host = host;
      const Tree tree(p);
      INFO(p.name());
      if (!host) {
        CHECK(only_the_pipeline(tree));
        CHECK((rounds == 2 || directions_alone(p, tree)));
      }
      for (int i = 0; i < patterns; ++i) {
        p.step.counts = static_cast<Counts>((first_pattern + i) % collectives::kCountPatterns);
        INFO(p.name());
        CHECK(run(p, tree, seeds, host ? 3 : 1) == "");
        runs += seeds;
      }
    }
  }
  return runs;
}

// The seed's exchange with its three widths; without `all` in one of its two element types each.
int run_exchanges(int patterns, int seeds, bool all) {
  int runs = 0;
  int pattern = 0;
  for (const int ranks : kRankCounts) {
    for (const char* variant : {"all_to_all_v__fp32", "all_to_all_v__int8"}) {
      for (const int core_num : {1, ranks, 2 * ranks + 1}) {
        pattern += patterns;
        if (!all && pattern % 2 == 0) continue;
        runs += run_everywhere(pipeline(variant, ranks, core_num), pattern, patterns, seeds,
                               all || (ranks == 3 && core_num == 7));
      }
    }
  }
  return runs;
}

struct Other {
  const char* variant;
  bool has_width;
  bool everywhere;
};
constexpr Other kOthers[] = {
    {"allreduce__sum__fp32", true, true},
    {"allreduce__max__bfloat16", true, false},
    {"allreduce_ring__sum__fp32", false, true},
    {"allreduce_ring__sum__int32", false, false},
    {"barrier__fp32", false, true},
    {"broadcast__root1__int8", false, true},
    {"reduce_scatter__prod__fp16", false, false},
    {"reduce_scatter__sum__fp32", false, true},
    {"allgather__uint64", false, true},
    {"all_to_all__fp32", false, true},
    {"all_to_all__bool", false, false},
};

int run_others(int seeds, bool all) {
  int runs = 0;
  size_t turn = 0;
  for (const Other& other : kOthers) {
    const int only = kRankCounts[turn++ % 3];
    for (const int ranks : kRankCounts) {
      if (!all && only != ranks) continue;
      for (const int core_num : {1, ranks, 2 * ranks + 1}) {
        if (core_num != 1 && !other.has_width) continue;
        runs += run_everywhere(pipeline(other.variant, ranks, core_num), 0, 1, seeds,
                               all || (other.everywhere && core_num == 1));
      }
    }
  }
  return runs;
}

}  // namespace

TEST_CASE("the exchange of the seed") {
  CHECK(run_exchanges(1, 2, false) == 28);
}
TEST_CASE("the other six collectives in the place of the exchange") {
  CHECK(run_others(2, false) == 58);
}
// Two of four devices: their ranks are 0 and 1, whatever their numbers.
TEST_CASE("a domain of some devices") {
  for (const char* variant : {"all_to_all_v__fp32", "allreduce__sum__fp32", "broadcast__root1__int8"}) {
    Pipeline p = pipeline(variant, 2, 1);
    p.rounds = 2;
    std::string text = program_text(p);
    const std::string loop = "for r in pl.range(pld.world_size()):\n";
    const size_t at = text.find(loop);
    REQUIRE(at != std::string::npos);
    const size_t call = text.find("self.", at);
    const std::string dispatch = text.substr(call, text.find('\n', call) - call);
    text.resize(at);
    for (const int rank : {0, 1}) {
      std::string one = dispatch;
      for (size_t r = one.find("[r]"); r != std::string::npos; r = one.find("[r]"))
        one.replace(r, 3, "[" + std::to_string(rank) + "]");
      one.replace(one.find("device=r"), 8, rank == 0 ? "device=1" : "device=3");
      text += (rank == 0 ? "" : "        ") + one + "\n";
    }
    const Tree tree(text, {{"stage.cpp", kernel_text(p, "stage")}, {"consume.cpp", kernel_text(p, "consume")}});
    INFO(text);
    REQUIRE(tree.messages() == "");
    const standin::ranks::HostRecord record = standin::ranks::record_host(tree.out(), 4, arguments_of(p));
    REQUIRE(record.error == "");
    CHECK(record.domains.at(0).workers == std::vector<int>{1, 3});
    CHECK(standin::ranks::run_host_tree(tree.out(), 4, arguments_of(p), 10,
                                        [&](const auto& result) { return check_outputs(p, result); }) == "");
  }
}

// With --analyze-deps the compiler states edges that the runtime would find.
TEST_CASE("edges that the compiler derives keep the order as well") {
  for (const char* variant : {"all_to_all_v__fp32", "allreduce__sum__fp32", "barrier__fp32"}) {
    Pipeline p = pipeline(variant, 3, variant_named(variant).has_blocks() ? 7 : 1);
    p.rounds = 2;
    p.analyze = true;
    INFO(p.name());
    CHECK(run(p, Tree(p), 10, 1) == "");
  }
}

TEST_CASE("the indexed exchange, a collective of a5") {
  for (const char* variant : {"indexed_all_to_all_v__fp32", "indexed_all_to_all_v__int8"}) {
    for (const int ranks : {2, 3}) {
      for (const int core_num : {1, 2 * ranks + 1}) {
        Pipeline p = pipeline(variant, ranks, core_num);
        p.target = "a5";
        CHECK(run_everywhere(p, ranks, 1, 2, false) == 2);
      }
    }
  }
}

// Everything with everything; minutes.
TEST_CASE("the exchange of the seed, the whole product", "[.full]") {
  std::cout << run_exchanges(collectives::kCountPatterns, 20, true) << " runs of exchanges\n";
}
TEST_CASE("the other six collectives, the whole product", "[.full]") {
  std::cout << run_others(20, true) << " runs of the others\n";
}
