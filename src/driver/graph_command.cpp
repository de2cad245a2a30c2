// SPDX-License-Identifier: Apache-2.0
// pyptoc graph: the program, as it was read or as a pass left it, as a picture.
#include <fmt/format.h>

#include "diag/codes_usage.h"
#include "driver/commands.h"
#include "graph/render.h"
#include "passes/pipeline.h"
#include "support/edit_distance.h"

namespace pyptoc::driver {
namespace {

std::string draw(const graph::ProgramGraph& graph, GraphFormat format) {
  switch (format) {
    case GraphFormat::kDot:
      return graph::render_dot(graph);
    case GraphFormat::kSvg:
      return graph::render_svg(graph);
    case GraphFormat::kHtml:
      break;
  }
  return graph::render_html(graph);
}

// The whole graph when no function is named.
std::optional<graph::ProgramGraph> wanted_part(Session& session, graph::ProgramGraph graph) {
  const std::string& name = session.options.function;
  if (name.empty()) return graph;
  graph::ProgramGraph part = graph::part_of(graph, name);
  if (!part.functions.empty()) return part;
  std::vector<std::string_view> names;
  for (const graph::FunctionGraph& f : graph.functions) names.push_back(f.name);
  auto report = session.diags.report(diag::codes::no_function_to_draw, diag::kNowhere, name);
  if (auto closest = support::closest(name, names)) report.help(fmt::format("did you mean `{}`?", *closest));
  return std::nullopt;
}

}  // namespace

void run_graph(Session& session) {
  const ir::Program* program = load_program(session);
  const std::string& last = session.options.print_program_after;
  if (program != nullptr && !last.empty())
    program = run_pipeline(session, program, passes::rows_between("", last, session.pass_options));
  if (program == nullptr) return;
  std::optional<graph::ProgramGraph> graph;
  {
    const auto stage = session.timings.scope("graph");
    graph = wanted_part(session, graph::make_graph(program));
  }
  if (graph) write_output(session, draw(*graph, *session.options.graph_format));
}

}  // namespace pyptoc::driver
