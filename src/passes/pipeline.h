// SPDX-License-Identifier: Apache-2.0
// The fixed pass pipeline and its runner.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "passes/pass.h"

namespace pyptoc::passes {

// The rows in order. Names are distinct except for Simplify, which runs twice: a name selects its first row.
std::span<const PassInfo> pipeline();
// Index of the first row of that name, or -1.
int find_pass(std::string_view name);

// A bug of pyptoc inside a pass: which one, and the program before it.
struct PassFailure {
  std::string pass;
  const ir::Program* before = nullptr;
  std::string what;
};

struct RunPlan {
  std::vector<size_t> rows;  // indices into pipeline(), ascending
  bool verify_each = true;   // what a pass ensures, and the invariants of the IR, are verified after it
  // Called around each pass; `after` is null in before_pass. Dumps, printing and timing hang here.
  std::function<void(size_t row, const ir::Program* before)> before_pass;
  std::function<void(size_t row)> before_verify;  // only when the pass is verified
  // A check of the caller's own after verification; throws for a bug.
  std::function<void(size_t row, const ir::Program* after)> also_verify;
  std::function<void(size_t row, const ir::Program* before, const ir::Program* after)> after_pass;
  std::function<void(const PassFailure&)> on_failure;
};

// Every row from `start_after` (exclusive; empty = the first) to `stop_after` (inclusive; empty = the last); opt-in
// rows only where the options ask for them.
std::vector<size_t> rows_between(std::string_view start_after, std::string_view stop_after, const Options& options);

// Runs the rows. Stops after the first pass that reports an error and returns null then. An exception of a pass, which
// is a bug unless memory ran out, goes to on_failure and is thrown again.
const ir::Program* run_passes(const ir::Program* program, PassContext& context, const RunPlan& plan);

}  // namespace pyptoc::passes
