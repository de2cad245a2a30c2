// SPDX-License-Identifier: Apache-2.0
// Command line for whoever writes a kernel: runs one kernel on P ranks in many schedules and prints the first problem.
// `builtin` in place of a file takes the variant's kernel from the compiler.
//
//   collective_try KERNEL.cpp VARIANT [ranks=4] [size=257] [core_num=1] [calls=3] [seeds=200] [first=0] [counts=4]
//                  [whole=1] [slack=0] [cores=48]
#include <cstdlib>
#include <iostream>
#include <map>
#include <stdexcept>

#include "ranks/kernels.h"
#include "rendered.h"
#include "scenario.h"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: collective_try KERNEL.cpp VARIANT [name=value]...\n";
    return 2;
  }
  std::map<std::string, int64_t> values = {{"ranks", 4}, {"size", 257}, {"core_num", 1}, {"calls", 3},  {"seeds", 200},
                                           {"first", 0}, {"counts", 4}, {"whole", 1},    {"cores", 48}, {"slack", 0}};
  for (int i = 3; i < argc; ++i) {
    const std::string word = argv[i];
    const size_t equals = word.find('=');
    if (equals == std::string::npos || values.count(word.substr(0, equals)) == 0) {
      std::cerr << "not a setting: " << word << "\n";
      return 2;
    }
    values[word.substr(0, equals)] = std::atoll(word.c_str() + equals + 1);
  }
  collectives::Step step;
  try {
    step.variant = collectives::variant_named(argv[2]);
    const std::string text = std::string(argv[1]) == "builtin" ? collectives::rendered_kernel(step.variant)
                                                               : standin::ranks::read_text(argv[1]);
    step.kernel = collectives::kernel_from_text(text);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  step.size = values["size"];
  step.core_num = static_cast<int>(values["core_num"]);
  step.counts = static_cast<collectives::Counts>(values["counts"]);
  collectives::Scenario scenario;
  scenario.ranks = static_cast<int>(values["ranks"]);
  scenario.calls = static_cast<int>(values["calls"]);
  scenario.whole_numbers = values["whole"] != 0;
  scenario.stride_slack = static_cast<int>(values["slack"]);
  scenario.aiv_cores = static_cast<int>(values["cores"]);
  scenario.steps = {step};
  const std::string wrong =
      collectives::run_schedules(scenario, static_cast<uint64_t>(values["first"]), static_cast<int>(values["seeds"]));
  std::cout << (wrong.empty() ? "ok" : wrong) << "\n";
  return wrong.empty() ? 0 : 1;
}
