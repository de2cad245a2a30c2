// SPDX-License-Identifier: Apache-2.0
// The items and flows of one function.
#pragma once

#include <string>
#include <vector>

#include "graph/model.h"
#include "graph/storages.h"
#include "ir/node_map.h"

namespace pyptoc::graph {

// What callers have to know of a function.
struct Summary {
  std::vector<bool> reads;  // by parameter
  std::vector<bool> writes;
  std::vector<NumberSet> returns;  // for each returned value the parameters whose storage it may be
};

// A window or a parameter of the caller that a call hands to a parameter of the callee.
struct WindowArgument {
  int callee = -1;
  int param = -1;
  std::string window;  // empty: the caller's own parameter
  int caller_param = -1;
};

struct WalkResult {
  FunctionGraph graph;
  Summary summary;
  std::vector<WindowArgument> arguments;
  std::vector<std::pair<int, int>> collective_params;  // (item, parameter): a collective works on that parameter
};

// What is known of the other functions while one of them is walked.
struct Surroundings {
  const ir::Program* program;
  ir::NodeMap<int> numbers;        // function -> its number in ProgramGraph::functions
  ir::NodeMap<Summary> summaries;  // of those that were walked before
};

WalkResult walk_function(const ir::Function* function, const Surroundings& known);

}  // namespace pyptoc::graph
