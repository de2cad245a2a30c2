// SPDX-License-Identifier: Apache-2.0
// Pictures of a program.
#pragma once

#include <string>

#include "graph/model.h"

namespace pyptoc::graph {

// The same graph gives the same bytes. Names from the program are escaped and cannot become markup or script.

// For Graphviz: a cluster for each function and each group, an edge for each flow.
std::string render_dot(const ProgramGraph& graph);
// One image: the items of each function as rows in program order, flows as arcs beside them.
std::string render_svg(const ProgramGraph& graph);
// One page without anything from elsewhere: the same rows, which fold, unfold into what they call, and show their
// flows.
std::string render_html(const ProgramGraph& graph);

// Only the functions that `name` reaches, it first. Empty when there is none of that name.
ProgramGraph part_of(const ProgramGraph& graph, std::string_view name);

// A kernel in which nothing is drawn.
inline bool is_plain_kernel(const FunctionGraph& function) {
  return function.is_kernel && function.items.empty();
}

}  // namespace pyptoc::graph
