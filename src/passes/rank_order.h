// SPDX-License-Identifier: Apache-2.0
// Whether the ranks of a HOST function meet in their collectives. Internal to check_window_provenance.
#pragma once

#include <cstdint>

#include "passes/host_checks.h"
#include "passes/rank_traces.h"

namespace pyptoc::passes {

struct DeviceCount {
  int64_t least = 1;
  bool exact = false;  // a check asks for just so many
};

// Reports, once, ranks that wait for each other for ever since they get their dispatches in different orders or
// numbers, when that is so in every run in which each loop runs at least once. Where only some branches lead there, or
// all numbers of devices but the least, a check at the start of the program says so. Nothing is said of runs that
// cannot be told, or of signals that other kernels can reach.
void check_rank_order(RankTraces& traces, const HostDomains& domains, DeviceCount count, HostChecks& checks,
                      diag::Engine& diags);

}  // namespace pyptoc::passes
