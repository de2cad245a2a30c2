// SPDX-License-Identifier: Apache-2.0
// What is decided at run time: the width of a launch, and the checks of the host and of the chip.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <set>

#include "pipeline.h"
#include "standin/run.h"

using namespace chip_tests;
using collectives::Counts;
using collectives::variant_named;
using standin::Direction;
using standin::ranks::HostRecord;

namespace {

constexpr int kCells = 130;  // columns of the signal
constexpr int kCores = 128;

// all_to_all_v as the only statement of a chip program without a host function, with a width that its caller gives.
std::string only_exchange(int64_t ranks) {
  return fmt::format(R"(import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Only:
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        input: pl.Tensor[[{0}, 8], pl.FP32],
        data: pl.InOut[pld.DistributedTensor[[{0}, 8], pl.FP32]],
        signal: pl.InOut[pld.DistributedTensor[[{0}, {1}], pl.INT32]],
        counts: pl.Tensor[[{0}, 1], pl.INT32],
        recv: pl.InOut[pld.DistributedTensor[[{0}, 1], pl.INT32]],
        n: pl.Scalar[pl.INDEX],
    ):
        data = pld.tensor.all_to_all_v(input, data, signal, counts, recv, n)
)",
                     ranks, kCells);
}

struct Operand {
  const char* name;
  std::vector<uint32_t> shape;
};
std::vector<Operand> operands(uint32_t ranks) {
  return {{"input", {ranks, 8}},
          {"data", {ranks, 8}},
          {"signal", {ranks, kCells}},
          {"counts", {ranks, 1}},
          {"recv", {ranks, 1}}};
}

// Operand `strided` has a gap behind each row.
standin::Arguments arguments(uint32_t ranks, int64_t width, const std::string& strided = "") {
  standin::Arguments out;
  for (const Operand& o : operands(ranks)) {
    const bool gap = o.name == strided;
    const std::vector<int32_t> words(o.shape[0] * (o.shape[1] + (gap ? 1 : 0)), 1);
    const bool data = std::string(o.name) == "input" || std::string(o.name) == "data";
    const bool read = std::string(o.name) == "input" || std::string(o.name) == "counts";
    standin::HostTensor t = standin::host_tensor(o.name, read ? Direction::kIn : Direction::kInOut,
                                                 data ? DataType::FLOAT32 : DataType::INT32, o.shape, words);
    if (gap) t.strides = {o.shape[1] + 1, 1};
    out.tensors.push_back(std::move(t));
  }
  out.scalars = {to_u64(width), 0, 0, 0};  // the width and three contexts
  return out;
}

standin::Config config() {
  standin::Config c;
  c.aiv_cores = kCores;
  return c;
}

standin::Loaded chip_of(const Tree& tree) {
  REQUIRE(tree.messages() == "");
  return standin::load_tree(tree.out(), true, {});  // the kernel itself needs peers
}

Tree tree_of(int64_t ranks) {
  return Tree(only_exchange(ranks), {}, {"--aiv-cores", std::to_string(kCores)});
}

}  // namespace

TEST_CASE("a width that the caller gives: what the chip launches, for every L up to 130") {
  for (const uint32_t ranks : {1U, 3U, 8U, 64U}) {
    const Tree tree = tree_of(ranks);
    const standin::Loaded chip = chip_of(tree);
    REQUIRE(chip.error == "");
    for (int64_t width = 1; width <= kCells; ++width) {
      int64_t due = width;
      for (int64_t b = ranks; b <= width; b += ranks) due = b;
      const standin::RunResult result = standin::run(chip.program, arguments(ranks, width), config());
      INFO(ranks << " ranks, core_num " << width);
      if (due > kCores) {
        CHECK(result.fatal_code == 5);
        CHECK(
            result.text().find(fmt::format("pld.tensor.all_to_all_v: {} blocks wait for each other, the device has {} "
                                           "AIV cores",
                                           due, kCores)) != std::string::npos);
        continue;
      }
      REQUIRE(result.text() == "");
      REQUIRE(result.tasks.size() == 1);
      CHECK(result.tasks[0].width == due);
      CHECK((result.tasks[0].sync_start || due == 1));
    }
  }
}

TEST_CASE("the chip's checks, as a backstop: what the caller passes must be a width and contiguous") {
  const Tree tree = tree_of(8);
  const standin::Loaded chip = chip_of(tree);
  REQUIRE(chip.error == "");
  for (const int64_t width : {int64_t{0}, int64_t{-3}, int64_t{2147483648}, INT64_MAX, INT64_MIN}) {
    const standin::RunResult result = standin::run(chip.program, arguments(8, width), config());
    CHECK(result.fatal_code == 5);
    CHECK(result.tasks.empty());
    CHECK(result.text().find(fmt::format("pld.tensor.all_to_all_v: core_num lies in [1, 2147483647], it is {}",
                                         width)) != std::string::npos);
  }
  const std::map<std::string, std::string> roles = {
      {"input", "input"}, {"data", "target"}, {"signal", "signal"}, {"counts", "send_counts"}, {"recv", "recv_counts"}};
  for (const Operand& o : operands(8)) {
    const standin::RunResult result = standin::run(chip.program, arguments(8, 4, o.name), config());
    const std::string due = fmt::format(
        "pld.tensor.all_to_all_v: operand {}{} is not contiguous: extent of its last axis {}, stride of the "
        "axis before it {}",
        roles.at(o.name), " ('" + std::string(o.name) + "')", o.shape[1], o.shape[1] + 1);
    INFO(due << "\n" << result.text());
    CHECK(result.fatal_code == 5);
    CHECK(result.tasks.empty());
    CHECK(result.text().find(due) != std::string::npos);
  }
}

TEST_CASE("a width that the host's caller gives: exact on the ranks, refused before the first dispatch") {
  for (const int ranks : {2, 3}) {
    Pipeline p;
    p.step.variant = variant_named("all_to_all_v__fp32");
    p.step.size = 20;
    p.step.core_num = 1;
    p.step.counts = Counts::kMixed;
    p.ranks = ranks;
    p.rounds = 2;
    p.width = "n";
    p.cells = 2 * ranks;
    const Tree tree(p);
    REQUIRE(tree.messages() == "");
    for (const int width : std::set<int>{1, ranks - 1, ranks, ranks + 1, 2 * ranks, 2 * ranks + 1}) {
      p.step.core_num = width;
      INFO(p.name());
      CHECK(standin::ranks::run_host_tree(tree.out(), ranks, arguments_of(p), 3,
                                          [&](const auto& result) { return check_outputs(p, result); }) == "");
    }
    const auto refused = [&](int width) {
      p.step.core_num = width;
      const HostRecord record = standin::ranks::record_host(tree.out(), ranks, arguments_of(p));
      CHECK(record.dispatches.empty());
      CHECK(record.domains.empty());
      return record.error;
    };
    const std::string who = "ValueError: pld.tensor.all_to_all_v in chip_pipeline: ";
    CHECK(refused(0) == who + "core_num lies in [1, 2147483647], it is 0");
    CHECK(refused(-1) == who + "core_num lies in [1, 2147483647], it is -1");
    CHECK(refused(3 * ranks) ==
          who + fmt::format("operand signal ('signal') has {} cells for each rank, {} blocks need as many", 2 * ranks,
                            3 * ranks));
  }
}

// The device is narrower than the signal.
TEST_CASE("a width that the host's caller gives: more blocks than cores") {
  Pipeline p;
  p.step.variant = variant_named("all_to_all_v__fp32");
  p.step.core_num = 60;
  p.ranks = 3;
  p.width = "n";
  p.cells = 100;
  const Tree tree(p);
  REQUIRE(tree.messages() == "");
  const HostRecord record = standin::ranks::record_host(tree.out(), 3, arguments_of(p));
  CHECK(record.dispatches.empty());
  CHECK(record.error ==
        "ValueError: pld.tensor.all_to_all_v in chip_pipeline: 60 blocks wait for each other, the device has 48 AIV "
        "cores");
}
