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

std::vector<int32_t> together(const Machine& m, size_t buffer) {
  std::vector<int32_t> out;
  for (const auto& rank : m.ranks) out.insert(out.end(), rank[buffer].begin(), rank[buffer].end());
  return out;
}

std::string run(uint64_t seed, int schedules) {
  RandomProgram p = random_program(seed);
  const Tree tree(p.text, kernel_files(), {"--aiv-cores", std::to_string(kCores)});
  if (!tree.ok()) return p.text + tree.messages();
  std::vector<HostArgument> arguments;
  for (size_t t = 0; t < 3; ++t) {
    arguments.push_back(host_argument(kTensors[t], DataType::INT32, {p.ranks, p.ranks, 32}, together(p.start, t)));
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
      const std::vector<int32_t> expected = together(due, t);
      if (found.size() != expected.size() * 4 || std::memcmp(found.data(), expected.data(), found.size()) != 0)
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
