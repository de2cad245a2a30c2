// SPDX-License-Identifier: Apache-2.0
// The graph as an image: rows in program order with arcs on their left.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diag/terminal_text.h"
#include "graph/render.h"

namespace pyptoc::graph {
namespace {

constexpr int kRow = 22;
constexpr int kGutter = 120;  // where the arcs are
constexpr int kIndent = 18;
constexpr int kWidth = 1100;
constexpr size_t kLongest = 110;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// On one line, without characters that XML has not, and not too long.
std::string shown(std::string_view text) {
  std::string visible;
  diag::append_visible(visible, text);
  if (visible.size() > kLongest) {
    size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(visible[end]) & 0xC0U) == 0x80U) --end;
    visible.resize(end);
    visible += "...";
  }
  return escaped(visible);
}

std::string list_of(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

class SvgWriter {
 public:
  explicit SvgWriter(const ProgramGraph& graph) : graph_(graph) {}

  std::string write() {
    y_ = 30;
    body_ = fmt::format("<text x=\"10\" y=\"20\" class=\"name\">{}</text>\n", shown(graph_.name));
    for (const FunctionGraph& f : graph_.functions)
      if (!is_plain_kernel(f)) function(f);
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
               "<style>text{{font:12px sans-serif;fill:#222}}.name{{font-weight:bold;font-size:15px}}"
               ".title{{font-weight:bold}}.quiet{{fill:#666}}path{{fill:none;stroke:#888;stroke-opacity:.6}}"
               ".order{{stroke-dasharray:2 3}}.task{{fill:#dbe9ff}}.dispatch{{fill:#ffe5c4}}.call{{fill:#e8e8e8}}"
               ".collective{{fill:#f5d4ef}}.window{{fill:#d9f2d9}}.domain{{fill:#eaf7ea}}.loop,.if,.scope{{fill:#"
               "f4f4f4}}"
               "</style>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
               kWidth, y_ + 10) +
           body_ + "</svg>\n";
  }

 private:
  void function(const FunctionGraph& f) {
    y_ += 14;
    body_ += fmt::format(
        "<text x=\"10\" y=\"{}\" class=\"name\">{} <tspan class=\"quiet\">{}, {} parameters</tspan></text>\n", y_ + 15,
        shown(f.name), shown(f.role), f.parameters.size());
    y_ += kRow;
    const int top = y_;
    for (const Item& item : f.items) row(item);
    for (const Flow& flow : f.flows)
      if (flow.from >= 0) arc(top, flow);
  }

  void row(const Item& item) {
    const int x = kGutter + kIndent * item.depth;
    body_ += fmt::format("<g><title>{}</title>", shown(item.place.empty() ? name_of(item.kind) : item.place));
    body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" class=\"{}\"/>", x, y_ + 1,
                         std::max(kWidth - x - 10, 200), kRow - 3, name_of(item.kind));
    std::string rest = item.detail;
    if (!item.reads.empty() || !item.writes.empty())
      rest += fmt::format("   {} \u2192 {}", list_of(item.reads), list_of(item.writes));
    body_ += fmt::format(
        "<text x=\"{}\" y=\"{}\"><tspan class=\"title\">{}</tspan> <tspan class=\"quiet\">{}</tspan></text></g>\n",
        x + 6, y_ + 15, shown(item.title), shown(rest));
    y_ += kRow;
  }

  void arc(int top, const Flow& flow) {
    const int from = top + flow.from * kRow + kRow / 2;
    const int to = top + flow.to * kRow + kRow / 2;
    const double rows = std::abs(flow.to - flow.from);
    const int reach = std::min(kGutter - 10, 12 + static_cast<int>(18 * std::log2(rows + 1)));
    body_ += fmt::format("<path d=\"M{0} {1}C{2} {1} {2} {3} {0} {3}\"{4}><title>{5}</title></path>\n", kGutter - 4,
                         from, kGutter - 4 - reach, to, flow.is_order ? " class=\"order\"" : "",
                         shown(flow.is_order ? "dependency" : flow.tensor));
  }

  const ProgramGraph& graph_;
  std::string body_;
  int y_ = 0;
};

}  // namespace

std::string render_svg(const ProgramGraph& graph) {
  return SvgWriter(graph).write();
}

}  // namespace pyptoc::graph
