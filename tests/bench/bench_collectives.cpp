// SPDX-License-Identifier: Apache-2.0
// Prints how many bytes leave the busiest rank in each collective, as the stand-in counts them, against the least that
// the operator needs. With `product [PREFIX]` runs every setting of every variant (whose name begins with PREFIX) in a
// few schedules: the whole of what tests/collectives runs a covering set of.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "rendered.h"
#include "settings.h"

namespace {

using namespace collectives;

int print_traffic() {
  fmt::print("{:<28} {:>5} {:>8} {:>12} {:>12} {:>7}\n", "collective", "ranks", "size", "bytes out", "least", "ratio");
  double worst = 0;
  for (const char* name :
       {"allreduce__sum__fp32", "allreduce__sum__bfloat16", "allreduce_ring__sum__fp32", "broadcast__root0__fp32",
        "reduce_scatter__sum__fp32", "allgather__fp32", "all_to_all__fp32", "all_to_all_v__fp32", "barrier__fp32"}) {
    for (int ranks : {2, 3, 8, 16}) {
      Step step;
      step.variant = variant_named(name);
      step.kernel = kernel_of(step.variant);
      step.size = 65539;
      step.core_num = step.variant.has_blocks() ? 2 : 1;
      Scenario scenario;
      scenario.ranks = ranks;
      scenario.steps = {step};
      scenario.calls = 1;
      const Outcome outcome = run_scenario(scenario, 1);
      if (!outcome.wrong.empty()) {
        fmt::print("{}: {}", name, outcome.wrong);
        return 1;
      }
      // a barrier's reader looks at its neighbour: that is not the barrier's traffic
      uint64_t most = *std::max_element(outcome.bytes_out.begin(), outcome.bytes_out.end());
      const uint64_t least = least_bytes_out(step, ranks, 0, scenario.data_seed);
      const double ratio = least == 0 ? 1 : static_cast<double>(most) / static_cast<double>(least);
      worst = std::max(worst, ratio);
      fmt::print("{:<28} {:>5} {:>8} {:>12} {:>12} {:>7.4f}\n", name, ranks, step.size, most, least, ratio);
    }
  }
  fmt::print("largest ratio {:.4f}, aim 1.02\n", worst);
  return 0;
}

int run_product(std::string_view prefix) {
  uint64_t runs = 0;
  int failed = 0;
  for (const Variant& variant : all_variants()) {
    if (variant.name().rfind(prefix, 0) != 0) continue;
    for_each_setting(variant, [&](const Setting& setting) {
      const Scenario scenario = scenario_of(setting, kernel_of(setting.variant));
      const int schedules = static_cast<int>(std::clamp(1e5 / cost_of(setting), 1.0, 8.0));
      const std::string wrong = run_schedules(scenario, runs * 16, schedules);
      ++runs;
      if (wrong.empty()) return;
      ++failed;
      fmt::print("{}: {}\n", setting.text(), wrong);
      std::fflush(stdout);  // a variant takes hours
    });
    fmt::print("{}: {} settings so far, {} failed\n", variant.name(), runs, failed);
    std::fflush(stdout);
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "product") == 0) return run_product(argc > 2 ? argv[2] : "");
  return print_traffic();
}
