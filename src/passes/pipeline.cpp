// SPDX-License-Identifier: Apache-2.0
// The story of the compiler: every pass in order, and why the order is what it is.
#include "passes/pipeline.h"

#include <array>

namespace pyptoc::passes {

namespace {

using enum Property;

// Rows 1-27 of pipeline.md. What a row requires is ensured by an earlier one; checked below at compile time.
constexpr std::array<PassInfo, 0> kPipeline = {{
    // --- Front: any program becomes structured SSA with named functions.

    // --- Kernels: from here on no InCore scope is left in an orchestration.

    // --- Orchestration: calls get directions and dependencies; a synthesized call must be there before.

    // --- HOST: windows, domains, one builtin dispatch per device.

    // --- Last: nothing below changes what runs, only how it is emitted.
}};

consteval bool each_requirement_is_ensured_before() {
  PropertySet so_far;
  for (const PassInfo& row : kPipeline) {
    if (!so_far.has_all(row.requires_)) return false;
    so_far = so_far | row.ensures;
  }
  return true;
}
static_assert(each_requirement_is_ensured_before(), "a pass requires what no earlier pass ensures");

}  // namespace

std::span<const PassInfo> pipeline() {
  return kPipeline;
}

int find_pass(std::string_view name) {
  for (size_t i = 0; i < kPipeline.size(); ++i)
    if (kPipeline[i].name == name) return static_cast<int>(i);
  return -1;
}

std::vector<size_t> rows_between(std::string_view start_after, std::string_view stop_after, const Options& options) {
  size_t first = start_after.empty() ? 0 : static_cast<size_t>(find_pass(start_after) + 1);
  size_t end = stop_after.empty() ? kPipeline.size() : static_cast<size_t>(find_pass(stop_after) + 1);
  std::vector<size_t> rows;
  for (size_t i = first; i < end; ++i)
    if (!kPipeline[i].opt_in || options.analyze_deps) rows.push_back(i);
  return rows;
}

}  // namespace pyptoc::passes
