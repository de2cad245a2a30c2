// SPDX-License-Identifier: Apache-2.0
// The hand-written HOST trees, whole: host_orch.py is executed and what it submits runs on ranks in many schedules.
#include <catch2/catch.hpp>
#include <filesystem>
#include <iostream>

#include "paths.h"
#include "ranks/host.h"

namespace fs = std::filesystem;
using standin::ranks::HostArgument;
using standin::ranks::HostProgram;
using standin::ranks::HostRecord;
using standin::ranks::HostResult;

namespace {

fs::path reference(const char* tree) {
  return pyptoc::test_support::shared_dir() / "reference" / tree;
}

bool missing(const char* tree) {
  if (fs::exists(reference(tree))) return false;
  std::cout << "skipped: no reference trees beside the repository\n";
  return true;
}

constexpr int64_t kGuard = 16;  // elements behind the data that nobody may write

std::vector<float> numbers(int64_t count) {
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<float>((i * 37 + i / 11) % 101));
  return values;
}

std::vector<HostArgument> reduce_arguments(int64_t ranks, int64_t size, int64_t rows, int64_t lanes) {
  const int64_t width = size + kGuard;
  return {standin::ranks::host_argument("x", DataType::FLOAT32, {2, ranks, width}, numbers(2 * ranks * width)),
          standin::ranks::host_argument("y", DataType::FLOAT32, {2, ranks, width},
                                        std::vector<float>(static_cast<size_t>(2 * ranks * width))),
          standin::ranks::host_argument("cells", DataType::INT32, {ranks, rows, lanes},
                                        std::vector<int32_t>(static_cast<size_t>(ranks * rows * lanes))),
          standin::ranks::host_scalar("core_num", std::min<int64_t>(lanes, 3))};
}

std::string check_sums(const HostResult& result, int64_t ranks, int64_t size) {
  const int64_t width = size + kGuard;
  const std::vector<float> x = numbers(2 * ranks * width);
  std::vector<float> y(x.size());
  std::memcpy(y.data(), result.tensors.at("y").data(), y.size() * sizeof(float));
  for (int64_t call = 0; call < 2; ++call) {
    for (int64_t rank = 0; rank < ranks; ++rank) {
      for (int64_t i = 0; i < width; ++i) {
        float want = 0;
        for (int64_t r = 0; r < ranks && i < size; ++r) want += x[static_cast<size_t>((call * ranks + r) * width + i)];
        if (i >= size) want = x[static_cast<size_t>((call * ranks + rank) * width + i)];
        if (y[static_cast<size_t>((call * ranks + rank) * width + i)] != want) return "a wrong sum";
      }
    }
  }
  for (unsigned char byte : result.tensors.at("cells")) {
    if (byte != 0) return "a cell that is not 0";
  }
  return "";
}

}  // namespace

TEST_CASE("the reference tree of a mesh allreduce runs whole") {
  if (missing("host_mesh_sum")) return;
  for (int64_t ranks : {1, 2, 4}) {
    CHECK(standin::ranks::run_host_tree(reference("host_mesh_sum"), static_cast<int>(ranks),
                                        reduce_arguments(ranks, 100, ranks, 3), 60,
                                        [&](const HostResult& r) { return check_sums(r, ranks, 100); }) == "");
  }
}

TEST_CASE("the reference tree of a ring allreduce runs whole") {
  if (missing("host_ring_sum")) return;
  CHECK(standin::ranks::run_host_tree(reference("host_ring_sum"), 3, reduce_arguments(3, 257, 5, 3), 60,
                                      [](const HostResult& r) { return check_sums(r, 3, 257); }) == "");
}

TEST_CASE("a check of host_orch.py raises before anything is dispatched") {
  if (missing("host_mesh_sum")) return;
  auto arguments = reduce_arguments(2, 10, 2, 1);
  arguments.back() = standin::ranks::host_scalar("core_num", 4);
  const HostRecord record = standin::ranks::record_host(reference("host_mesh_sum"), 2, arguments);
  CHECK(record.error == "ValueError: allreduce: core_num 4 exceeds the 1 columns of signal");
}

// Without the token the dispatches of a rank have no order: windows give none.
TEST_CASE("a dropped ordering token is noticed") {
  if (missing("host_mesh_sum")) return;
  HostRecord record = standin::ranks::record_host(reference("host_mesh_sum"), 2, reduce_arguments(2, 100, 2, 3));
  REQUIRE(record.error == "");
  for (auto& dispatch : record.dispatches) dispatch.tensors.pop_back();
  const HostProgram program(record);
  REQUIRE(program.error() == "");
  int schedules = 1;
  while (schedules <= 200 && program.run(static_cast<uint64_t>(schedules)).wrong.empty()) ++schedules;
  CHECK(schedules <= 200);
}

TEST_CASE("the reference tree of a chip's all_to_all_v runs whole") {
  if (missing("chip_all_to_all_v")) return;
  constexpr int64_t kRanks = 4;
  constexpr int64_t kRow = 20;
  constexpr int64_t kCapacity = 5;
  std::vector<HostArgument> arguments;
  const auto counts = [](int64_t step, int64_t source, int64_t dest) {
    return static_cast<int32_t>((source * 3 + dest * 5 + step) % 8 - 1);  // -1 to 6: clamped at both ends
  };
  const auto value = [](int64_t step, int64_t rank, int64_t i) {
    return static_cast<float>(step * 7 + rank * 1000 + i);
  };
  for (int64_t step = 0; step < 2; ++step) {
    std::vector<float> in;
    std::vector<int32_t> count;
    for (int64_t rank = 0; rank < kRanks; ++rank) {
      for (int64_t i = 0; i < kRanks * kCapacity * kRow; ++i) in.push_back(value(step, rank, i));
      for (int64_t dest = 0; dest < kRanks; ++dest) count.push_back(counts(step, rank, dest));
    }
    const std::string tail = step == 0 ? "_a" : "_b";
    const auto add = [&](const char* name, DataType dtype, std::vector<int64_t> shape, const auto& values) {
      arguments.push_back(standin::ranks::host_argument(name + tail, dtype, std::move(shape), values));
    };
    add("inp", DataType::FLOAT32, {kRanks, kRanks * kCapacity, kRow}, in);
    add("cnt", DataType::INT32, {kRanks, kRanks, 1}, count);
    add("out", DataType::FLOAT32, {kRanks, kRanks * kCapacity, kRow}, std::vector<float>(in.size()));
    add("rout", DataType::INT32, {kRanks, kRanks, 1}, std::vector<int32_t>(count.size()));
    add("sig", DataType::INT32, {kRanks, kRanks, 8}, std::vector<int32_t>(kRanks * kRanks * 8));
  }
  const auto check = [&](const HostResult& result) -> std::string {
    for (int64_t step = 0; step < 2; ++step) {
      const std::string tail = step == 0 ? "_a" : "_b";
      const auto* out = reinterpret_cast<const float*>(result.tensors.at("out" + tail).data());
      const auto* rout = reinterpret_cast<const int32_t*>(result.tensors.at("rout" + tail).data());
      for (int64_t rank = 0; rank < kRanks; ++rank) {
        for (int64_t source = 0; source < kRanks; ++source) {
          const int64_t rows = std::clamp<int64_t>(counts(step, source, rank), 0, kCapacity);
          if (rout[rank * kRanks + source] != rows) return "a wrong count";
          for (int64_t i = 0; i < rows * kRow; ++i) {
            const float found = out[(rank * kRanks + source) * kCapacity * kRow + i];
            if (found != value(step, source, rank * kCapacity * kRow + i)) return "a wrong row";
          }
        }
      }
    }
    return "";
  };
  CHECK(standin::ranks::run_host_tree(reference("chip_all_to_all_v"), kRanks, arguments, 60, check) == "");
}
