// SPDX-License-Identifier: Apache-2.0
// The graph as a page: the data as JSON inside of the page that shows it.
#include "graph/page.h"
#include "graph/render.h"
#include "support/json_writer.h"

namespace pyptoc::graph {
namespace {

using support::JsonWriter;
constexpr auto kInline = JsonWriter::Layout::kInline;

void write_item(JsonWriter& json, const Item& item) {
  json.begin_object(kInline).member("kind", name_of(item.kind)).member("title", item.title);
  if (!item.detail.empty()) json.member("detail", item.detail);
  if (!item.place.empty()) json.member("place", item.place);
  if (item.callee >= 0) json.member("callee", item.callee);
  if (item.parent >= 0) json.member("parent", item.parent);
  if (!item.reads.empty()) json.key("reads").inline_array(item.reads);
  if (!item.writes.empty()) json.key("writes").inline_array(item.writes);
  json.end();
}

void write_function(JsonWriter& json, const FunctionGraph& f) {
  json.begin_object().member("name", f.name).member("role", f.role).member("kernel", f.is_kernel);
  json.member("callers", f.callers).key("parameters").begin_array();
  for (const Parameter& p : f.parameters) {
    json.begin_object(kInline).member("name", p.name).member("type", p.type).member("direction", p.direction);
    if (!p.windows.empty()) json.member("windows", p.windows);
    json.end();
  }
  json.end().key("items").begin_array();
  for (const Item& item : f.items) write_item(json, item);
  json.end().key("flows").begin_array();
  for (const Flow& flow : f.flows) {
    if (flow.from < 0) continue;  // the names say it
    json.begin_array(kInline).value(flow.from).value(flow.to).value(flow.tensor).value(flow.is_order).end();
  }
  json.end().end();
}

// A script ends where `</script` stands, whatever is around it.
std::string for_script(const std::string& json) {
  std::string out;
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string render_html(const ProgramGraph& graph) {
  JsonWriter json;
  json.begin_object().member("name", graph.name).key("functions").begin_array();
  for (const FunctionGraph& f : graph.functions) write_function(json, f);
  json.end().end();
  std::string page(page_head());
  page += for_script(json.take());
  page += page_tail();
  return page;
}

}  // namespace pyptoc::graph
