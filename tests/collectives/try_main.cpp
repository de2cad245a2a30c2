// SPDX-License-Identifier: Apache-2.0
// Command line for whoever writes a kernel: runs one rendered kernel on P ranks in many schedules and prints the first
// problem.
//
//   collective_try KERNEL.cpp VARIANT [ranks=4] [size=257] [core_num=1] [calls=3] [seeds=200] [first=0] [counts=4]
//                  [whole=1] [slack=0]
#include <cstdlib>
#include <iostream>
#include <map>
#include <stdexcept>

#include "ranks/kernels.h"
#include "scenario.h"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: collective_try KERNEL.cpp VARIANT [name=value]...\n";
    return 2;
  }
  std::map<std::string, int64_t> values = {{"ranks", 4}, {"size", 257}, {"core_num", 1}, {"calls", 3}, {"seeds", 200},
                                           {"first", 0}, {"counts", 4}, {"whole", 1},    {"slack", 0}};
  for (int i = 3; i < argc; ++i) {
    const std::string word = argv[i];
    const size_t equals = word.find('=');
    if (equals == std::string::npos || values.count(word.substr(0, equals)) == 0) {
      std::cerr << "not a setting: " << word << "\n";
      return 2;
    }
    values[word.substr(0, equals)] = std::atoll(word.c_str() + equals + 1);
  }
  const auto kernel = standin::ranks::load_kernel(argv[1]);
  if (!kernel.error.empty()) {
    std::cerr << kernel.error << "\n";
    return 1;
  }
  collectives::Step step;
  try {
    step.variant = collectives::variant_named(argv[2]);
  } catch (const std::invalid_argument& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
  step.kernel = kernel.body;
  step.size = values["size"];
  step.core_num = static_cast<int>(values["core_num"]);
  step.counts = static_cast<collectives::Counts>(values["counts"]);
  collectives::Scenario scenario;
  scenario.ranks = static_cast<int>(values["ranks"]);
  scenario.calls = static_cast<int>(values["calls"]);
  scenario.whole_numbers = values["whole"] != 0;
  scenario.stride_slack = static_cast<int>(values["slack"]);
  scenario.steps = {step};
  const std::string wrong =
      collectives::run_schedules(scenario, static_cast<uint64_t>(values["first"]), static_cast<int>(values["seeds"]));
  std::cout << (wrong.empty() ? "ok" : wrong) << "\n";
  return wrong.empty() ? 0 : 1;
}
