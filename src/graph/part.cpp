// SPDX-License-Identifier: Apache-2.0
// A part of a graph.
#include "graph/render.h"

namespace pyptoc::graph {

ProgramGraph part_of(const ProgramGraph& graph, std::string_view name) {
  std::vector<int> numbers(graph.functions.size(), -1);
  std::vector<int> order;
  const auto add = [&](int number) {
    int& place = numbers[static_cast<size_t>(number)];
    if (place >= 0) return;
    place = static_cast<int>(order.size());
    order.push_back(number);
  };
  for (size_t i = 0; i < graph.functions.size(); ++i)
    if (graph.functions[i].name == name) add(static_cast<int>(i));
  for (size_t next = 0; next < order.size(); ++next)
    for (const Item& item : graph.functions[static_cast<size_t>(order[next])].items)
      if (item.callee >= 0) add(item.callee);

  ProgramGraph part;
  part.name = graph.name;
  for (const int number : order) {
    FunctionGraph function = graph.functions[static_cast<size_t>(number)];
    for (Item& item : function.items)
      if (item.callee >= 0) item.callee = numbers[static_cast<size_t>(item.callee)];
    part.functions.push_back(std::move(function));
  }
  return part;
}

}  // namespace pyptoc::graph
