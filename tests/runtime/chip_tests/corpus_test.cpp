// SPDX-License-Identifier: Apache-2.0
// The seed's program as the Python front end serializes it, with kernels of the tests in place of its own, which pyptoc
// does not emit.
#include <catch2/catch.hpp>
#include <cstring>
#include <iostream>
#include <random>

#include "paths.h"
#include "pipeline.h"

namespace fs = std::filesystem;
using namespace chip_tests;
using standin::ranks::HostArgument;
using standin::ranks::HostResult;

namespace {

constexpr int64_t kRanks = 4;
constexpr int64_t kRows = 16;  // from one rank to one rank
constexpr int64_t kColumns = 32;
constexpr int64_t kElements = kRanks * kRows * kColumns;

using Bytes = std::vector<unsigned char>;

// Elements of one rank; the first one of each block is its count.
template <typename T>
std::vector<T> elements(int64_t rank) {
  std::mt19937 random(static_cast<uint32_t>(rank) + 7);
  std::vector<T> values;
  for (int64_t i = 0; i < kElements; ++i) {
    const int number = static_cast<int>(random() % 200) - 100;
    values.push_back(static_cast<T>(i % (kRows * kColumns) == 0 ? number / 4 : number));
  }
  return values;
}

template <typename T>
Bytes output_of(int64_t rank) {
  Bytes out(static_cast<size_t>(kElements) * sizeof(T), 0x7E);
  for (int64_t source = 0; source < kRanks; ++source) {
    const std::vector<T> values = elements<T>(source);
    const auto block = static_cast<size_t>(kRows * kColumns);
    const auto asked = static_cast<int64_t>(values[static_cast<size_t>(rank) * block]);
    const auto rows = static_cast<size_t>(std::clamp<int64_t>(asked, 0, kRows));
    std::memcpy(out.data() + static_cast<size_t>(source) * block * sizeof(T),
                values.data() + static_cast<size_t>(rank) * block, rows * kColumns * sizeof(T));
  }
  return out;
}

template <typename T>
std::string run(const Tree& tree, DataType dtype, int seeds) {
  std::vector<T> inputs;
  Bytes outputs;
  for (int64_t rank = 0; rank < kRanks; ++rank) {
    const std::vector<T> values = elements<T>(rank);
    inputs.insert(inputs.end(), values.begin(), values.end());
    const Bytes due = output_of<T>(rank);
    outputs.insert(outputs.end(), due.begin(), due.end());
  }
  const std::vector<int64_t> shape = {kRanks, kRanks * kRows, kColumns};
  const std::vector<T> zeros(inputs.size());
  const std::vector<HostArgument> arguments = {
      standin::ranks::host_argument("inputs", dtype, shape, inputs),
      standin::ranks::host_argument("stages", dtype, shape, zeros),
      standin::ranks::host_argument("counts", DataType::INT32, {kRanks, kRanks, 1}, std::vector<int32_t>(16)),
      standin::ranks::host_argument("outputs", dtype, shape, zeros)};
  return standin::ranks::run_host_tree(tree.out(), kRanks, arguments, seeds, [&](const HostResult& result) {
    return result.tensors.at("outputs") == outputs ? "" : "a wrong output";
  });
}

}  // namespace

TEST_CASE("the exchange of the seed, as serialized by the front end") {
  const fs::path folder = pyptoc::test_support::shared_dir() / "corpus" / "seed";
  if (!fs::exists(folder)) {
    std::cout << "skipped: no corpus beside the repository\n";
    return;
  }
  Pipeline kernels;
  kernels.step.variant = collectives::variant_named("all_to_all_v__fp32");
  for (const char* name : {"fp32_L1_S1", "fp32_operand", "int8_L1_S1"}) {
    INFO(name);
    const Tree tree(folder / (std::string("chip_all_to_all_v_") + name + ".msgpack"), {}, {"--emit", "orchestration"});
    REQUIRE(tree.messages() == "");
    CHECK(tree.sub_builds() == std::vector<std::string>{"chip_pipeline"});
    const fs::path own = "next_levels/chip_pipeline/kernels/aiv";
    tree.replace(own / "stage_step.cpp", kernel_text(kernels, "stage"));
    tree.replace(own / "consume_step.cpp", kernel_text(kernels, "consume"));
    CHECK((name[0] == 'f' ? run<float>(tree, DataType::FLOAT32, 3) : run<int8_t>(tree, DataType::INT8, 3)) == "");
  }
}
