// SPDX-License-Identifier: Apache-2.0
// The graph in the language of Graphviz.
#include <fmt/format.h>

#include "diag/terminal_text.h"
#include "graph/render.h"

namespace pyptoc::graph {
namespace {

// Inside of "...": on one line, and what looks like an escape of Graphviz stays text.
std::string in_quotes(std::string_view text) {
  std::string visible;
  diag::append_visible(visible, text);
  std::string out;
  for (const char c : visible) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string_view style_of(ItemKind kind) {
  switch (kind) {
    case ItemKind::Task:
      return "shape=box, style=\"rounded,filled\", fillcolor=\"#dbe9ff\"";
    case ItemKind::Dispatch:
      return "shape=box3d, style=filled, fillcolor=\"#ffe5c4\"";
    case ItemKind::Call:
      return "shape=component, style=filled, fillcolor=\"#eeeeee\"";
    case ItemKind::Collective:
      return "shape=hexagon, style=filled, fillcolor=\"#f5d4ef\"";
    case ItemKind::Window:
      return "shape=cylinder, style=filled, fillcolor=\"#d9f2d9\"";
    default:
      break;
  }
  return "";
}

class DotWriter {
 public:
  explicit DotWriter(const ProgramGraph& graph) : graph_(graph) {}

  std::string write() {
    out_ = fmt::format(
        "digraph \"{}\" {{\n  compound=true;\n  node [fontname=\"sans-serif\", fontsize=10];\n"
        "  edge [fontname=\"sans-serif\", fontsize=8];\n",
        in_quotes(graph_.name));
    for (size_t i = 0; i < graph_.functions.size(); ++i)
      if (!is_plain_kernel(graph_.functions[i])) function(i);
    for (size_t i = 0; i < graph_.functions.size(); ++i) calls(i);
    return out_ + "}\n";
  }

 private:
  static std::string node_name(size_t function, int item) {
    return item < 0 ? fmt::format("f{}_in", function) : fmt::format("f{}_{}", function, item);
  }

  void line(int depth, std::string_view text) { out_ += fmt::format("{:{}}{}\n", "", 4 + 2 * depth, text); }

  void function(size_t number) {
    const FunctionGraph& f = graph_.functions[number];
    out_ += fmt::format("  subgraph cluster_f{} {{\n    label=\"{}\\n{}\"; style=rounded; color=\"#888888\";\n", number,
                        in_quotes(f.name), in_quotes(f.role));
    bool has_input = f.items.empty();
    for (const Flow& flow : f.flows) has_input = has_input || flow.from < 0;
    if (has_input) line(0, fmt::format("f{}_in [label=\"parameters\", shape=plaintext];", number));
    std::vector<int> open;  // depths of the groups around
    for (size_t i = 0; i < f.items.size(); ++i) {
      const Item& item = f.items[i];
      for (; !open.empty() && open.back() >= item.depth; open.pop_back()) line(open.back(), "}");
      const std::string label = in_quotes(item.title) + (item.detail.empty() ? "" : "\\n" + in_quotes(item.detail));
      // A task with a collective in it is a node beside it: what is in a kernel is no group.
      if (is_group(item.kind)) {
        line(item.depth, fmt::format("subgraph cluster_f{}_{} {{ label=\"{}\"; style=dashed;", number, i, label));
        open.push_back(item.depth);
      } else {
        line(item.depth,
             fmt::format("{} [label=\"{}\", {}];", node_name(number, static_cast<int>(i)), label, style_of(item.kind)));
      }
    }
    for (; !open.empty(); open.pop_back()) line(open.back(), "}");
    flows(number, f);
    out_ += "  }\n";
  }

  void flows(size_t number, const FunctionGraph& f) {
    for (size_t i = 0; i < f.flows.size(); ++i) {
      const Flow& flow = f.flows[i];
      std::string label = in_quotes(flow.tensor);
      // One arrow for all tensors that go the same way.
      while (i + 1 < f.flows.size() && f.flows[i + 1].from == flow.from && f.flows[i + 1].to == flow.to &&
             f.flows[i + 1].is_order == flow.is_order)
        label += "\\n" + in_quotes(f.flows[++i].tensor);
      line(0, fmt::format("{} -> {} [label=\"{}\"{}];", node_name(number, flow.from), node_name(number, flow.to), label,
                          flow.is_order ? ", style=dotted" : ""));
    }
  }

  void calls(size_t number) {
    const std::vector<Item>& items = graph_.functions[number].items;
    for (size_t i = 0; i < items.size(); ++i) {
      if (items[i].callee < 0) continue;
      const auto callee = static_cast<size_t>(items[i].callee);
      const FunctionGraph& f = graph_.functions[callee];
      if (is_plain_kernel(f)) continue;
      int first = -1;
      for (size_t k = 0; k < f.items.size() && first < 0; ++k)
        if (!is_group(f.items[k].kind)) first = static_cast<int>(k);
      out_ += fmt::format("  {} -> {} [lhead=cluster_f{}, style=dashed, color=\"#888888\"];\n",
                          node_name(number, static_cast<int>(i)), node_name(callee, first), callee);
    }
  }

  const ProgramGraph& graph_;
  std::string out_;
};

}  // namespace

std::string render_dot(const ProgramGraph& graph) {
  return DotWriter(graph).write();
}

}  // namespace pyptoc::graph
