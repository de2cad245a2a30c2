// SPDX-License-Identifier: Apache-2.0
// Random programs with collectives among tasks, loops, branches and scopes: every schedule leaves on every rank what
// the statements leave one after the other.
#include "random_program.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <sstream>

#include "paths.h"
#include "pipeline.h"

namespace chip_tests {
namespace {

using standin::ranks::host_argument;
using standin::ranks::HostArgument;
using standin::ranks::HostResult;

constexpr const char* kTensors[] = {"xs", "ys", "zs"};
constexpr int kCores = 4;  // a collective takes up to all of them

std::string source(const std::string& file) {
  std::ifstream in(pyptoc::test_support::source_dir() / "tests/runtime/chip_tests/kernels" / file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::pair<std::string, std::string>> kernel_files() {
  std::vector<std::pair<std::string, std::string>> files;
  const std::string text = source("element.h") + source("random.h");
  for (const auto& [name, task] : std::vector<std::pair<std::string, std::string>>{{"copy", "COPY"},
                                                                                   {"mix", "MIX"},
                                                                                   {"count", "COUNT"},
                                                                                   {"mask", "MASK"},
                                                                                   {"near", "NEAR"},
                                                                                   {"touch", "TOUCH"}}) {
    files.emplace_back(name + ".cpp",
                       "#define COPY 1\n#define MIX 2\n#define COUNT 3\n#define MASK 4\n#define NEAR 5\n"
                       "#define TOUCH 6\n#define TASK " +
                           task + "\n" + text);
  }
  return files;
}

constexpr DataType kTypes[] = {DataType::INT32,   DataType::INT16,   DataType::INT8,
                               DataType::FLOAT32, DataType::FLOAT16, DataType::BFLOAT16};

// The bits of whole numbers, those of floats below 2048.
uint32_t bits_of(int32_t value, ElementType type) {
  const auto real = static_cast<float>(value);
  uint32_t bits = 0;
  std::memcpy(&bits, &real, 4);
  switch (type) {
    case ElementType::kFloat:
      return bits;
    case ElementType::kBfloat:
      return bits >> 16;
    case ElementType::kHalf:
      return value == 0 ? 0 : (((bits >> 23) - 112) << 10) | ((bits >> 13) & 0x3ff);
    default:
      return static_cast<uint32_t>(value);
  }
}

std::vector<unsigned char> together(const Machine& m, size_t buffer, ElementType type) {
  const size_t size = get_element_size(kTypes[static_cast<size_t>(type)]);
  std::vector<unsigned char> out;
  for (const auto& rank : m.ranks) {
    for (const int32_t value : rank[buffer]) {
      const uint32_t bits = bits_of(value, type);
      unsigned char bytes[4];
      std::memcpy(bytes, &bits, 4);
      out.insert(out.end(), bytes, bytes + size);
    }
  }
  return out;
}

std::string run(uint64_t seed, int schedules) {
  RandomProgram p = random_program(seed);
  const Tree tree(p.text, kernel_files(), {"--aiv-cores", std::to_string(kCores)});
  if (!tree.ok()) return p.text + tree.messages();
  std::vector<HostArgument> arguments;
  for (size_t t = 0; t < 3; ++t) {
    arguments.push_back({kTensors[t],
                         kTypes[static_cast<size_t>(p.type)],
                         {p.ranks, p.ranks, 128},
                         together(p.start, t, p.type),
                         false});
  }
  arguments.push_back(host_argument("qs", DataType::INT32, {p.ranks, p.ranks, 1},
                                    std::vector<int32_t>(static_cast<size_t>(p.ranks * p.ranks))));
  arguments.push_back(standin::ranks::host_scalar("n", p.n));
  arguments.push_back(standin::ranks::host_scalar("w", p.width));
  Machine due = p.start;
  for (const auto& action : p.actions) action(due);
  const standin::ranks::HostProgram program(standin::ranks::record_host(tree.out(), p.ranks, arguments));
  if (!program.error().empty()) return p.text + program.error();
  for (int schedule = 0; schedule < schedules; ++schedule) {
    const HostResult result = program.run(static_cast<uint64_t>(schedule), kCores);
    std::string wrong = result.wrong;
    for (size_t t = 0; wrong.empty() && t < 3; ++t) {
      const auto& found = result.tensors.at(kTensors[t]);
      if (found != together(due, t, p.type))
        wrong = std::string(kTensors[t]) + " is not what the statements leave in order";
    }
    if (!wrong.empty()) return p.text + "schedule " + std::to_string(schedule) + ": " + wrong;
  }
  return "";
}

}  // namespace

TEST_CASE("random programs with collectives") {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    INFO("seed " << seed);
    CHECK(run(seed, 4) == "");
  }
}

TEST_CASE("more random programs with collectives", "[.many]") {
  for (uint64_t seed = 100; seed < 900; ++seed) {
    INFO("seed " << seed);
    CHECK(run(seed, 12) == "");
  }
}

}  // namespace chip_tests
