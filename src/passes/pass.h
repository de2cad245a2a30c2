// SPDX-License-Identifier: Apache-2.0
// What a pass is: a function Program -> Program with a row in the pipeline table.
#pragma once

#include <string_view>

#include "diag/engine.h"
#include "ir/context.h"
#include "passes/property.h"
#include "passes/target.h"

namespace pyptoc::passes {

class RootsMemo;

struct Options {
  Target target = kTargets[0];  // aiv_cores holds the value of --aiv-cores when that was given
  bool analyze_deps = false;    // --analyze-deps
};

// Handed to every pass. A pass reports to `diags`, goes on where it can, and returns the program as far as it got;
// after a pass that reported an error the runner stops.
struct PassContext {
  ir::Context& ir;
  diag::Engine& diags;
  const Options& options;
  RootsMemo* roots = nullptr;  // for BufferRoots, made by the runner; a pass works without
};

// Returns `program` itself when there was nothing to change.
using PassFunction = const ir::Program* (*)(const ir::Program* program, PassContext& context);

struct PassInfo {
  std::string_view name;     // as in --stop-after
  std::string_view summary;  // one line
  PassFunction run;
  PropertySet requires_;
  PropertySet ensures;
  bool opt_in = false;  // runs only with the option that names it
};

}  // namespace pyptoc::passes
