// SPDX-License-Identifier: Apache-2.0
// What a picture shows of programs in DSL text: items, flows, windows; and that names cannot break out of it.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "graph/render.h"
#include "text/parser.h"

namespace pyptoc::graph {
namespace {

constexpr std::string_view kHead =
    "import pypto.language as pl\n"
    "import pypto.language.distributed as pld\n"
    "\n\n"
    "@pl.program\n"
    "class P:\n";

constexpr std::string_view kKernels = R"(
    @pl.function(type=pl.FunctionType.AIV, attrs={"external_source": "k.cpp"})
    def make(self, x: pl.Tensor[[16], pl.FP32], y: pl.Out[pl.Tensor[[16], pl.FP32]]) -> pl.Tensor[[16], pl.FP32]:
        return y

    @pl.function(type=pl.FunctionType.AIV, attrs={"external_source": "k.cpp"})
    def use(self, x: pl.Tensor[[16], pl.FP32], y: pl.InOut[pl.Tensor[[16], pl.FP32]]) -> pl.Tensor[[16], pl.FP32]:
        return y
)";

class Made {
 public:
  explicit Made(const std::string& body) {
    const ir::Program* program = text::parse_program(context_, body, "p.py", diags_);
    for (const diag::Diagnostic& d : diags_.sorted()) FAIL(d.place.begin_line << ": " << d.message);
    graph = make_graph(program);
  }
  const FunctionGraph& function(std::string_view name) const {
    for (const FunctionGraph& f : graph.functions)
      if (f.name == name) return f;
    FAIL("no function " << name);
    return graph.functions.front();
  }

  ProgramGraph graph;

 private:
  ir::Context context_;
  diag::Engine diags_;
};

Made chip(const std::string& body) {
  return Made(std::string(kHead) + std::string(kKernels).substr(1) + R"(
    @pl.function(type=pl.FunctionType.Orchestration)
    def run(self, a: pl.Tensor[[16], pl.FP32], p: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[16], pl.FP32]]) -> pl.Tensor[[16], pl.FP32]:
)" + body);
}

// `task make; task use` indented by depth.
std::string items_of(const FunctionGraph& f) {
  std::string text;
  for (const Item& item : f.items)
    text += fmt::format("{:{}}{} {}{}{}\n", "", 2 * item.depth, name_of(item.kind), item.title,
                        item.detail.empty() ? "" : ": ", item.detail);
  return text;
}
std::string flows_of(const FunctionGraph& f) {
  std::string text;
  for (const Flow& flow : f.flows)
    text += fmt::format("{}->{} {}\n", flow.from, flow.to, flow.is_order ? "order" : flow.tensor);
  return text;
}

TEST_CASE("tensors flow from the task that made them last") {
  const Made made = chip(R"(
        t: pl.Tensor[[16], pl.FP32] = pl.tensor.create([16], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        u: pl.Tensor[[16], pl.FP32] = self.make(a, t)
        v: pl.Tensor[[16], pl.FP32] = self.use(a, u)
        w: pl.Tensor[[16], pl.FP32] = self.use(v, out)
        return w
)");
  const FunctionGraph& run = made.function("run");
  CHECK(items_of(run) == "task make: AIV\ntask use: AIV\ntask use: AIV\n");
  CHECK(flows_of(run) == "-1->0 a\n-1->1 a\n0->1 t\n-1->2 out\n1->2 t\n");
  CHECK(run.items[1].reads == std::vector<std::string>{"a", "t"});
  CHECK(run.items[1].writes == std::vector<std::string>{"t"});
  CHECK(made.graph.functions.front().name == "run");
  CHECK(made.function("use").callers == 2);
}

TEST_CASE("arms of an if do not see each other and both reach what follows") {
  const Made made = chip(R"(
        t: pl.Tensor[[16], pl.FP32] = pl.tensor.create([16], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        u: pl.Tensor[[16], pl.FP32] = self.make(a, t)
        if p == 0:
            v: pl.Tensor[[16], pl.FP32] = self.use(a, u)
            w = pl.yield_(v)
        else:
            x: pl.Tensor[[16], pl.FP32] = self.use(a, u)
            w = pl.yield_(x)
        return self.use(w, out)
)");
  const FunctionGraph& run = made.function("run");
  CHECK(items_of(run) == "task make: AIV\nif if p == 0\n  task use: AIV\nif else\n  task use: AIV\ntask use: AIV\n");
  CHECK(flows_of(run) == "-1->0 a\n-1->2 a\n0->2 t\n-1->4 a\n0->4 t\n-1->5 out\n0->5 t\n2->5 t\n4->5 t\n");
}

TEST_CASE("a loop that may not run leaves what was before") {
  const Made made = chip(R"(
        t: pl.Tensor[[16], pl.FP32] = pl.tensor.create([16], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        u: pl.Tensor[[16], pl.FP32] = self.make(a, t)
        for i, (c,) in pl.range(p, init_values=(u,)):
            d: pl.Tensor[[16], pl.FP32] = self.use(a, c)
            e = pl.yield_(d)
        return self.use(e, out)
)");
  const FunctionGraph& run = made.function("run");
  CHECK(items_of(run) == "task make: AIV\nloop for i in range(p)\n  task use: AIV\ntask use: AIV\n");
  CHECK(flows_of(run) == "-1->0 a\n-1->2 a\n0->2 t\n-1->3 out\n0->3 t\n2->3 t\n");
}

TEST_CASE("windows are followed from the host into the collective") {
  const Made made(std::string(kHead) + R"(    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.InOut[pld.DistributedTensor[[4, 16], pl.FP32]], s: pl.InOut[pld.DistributedTensor[[2, 1], pl.INT32]]):
        y: pld.DistributedTensor[[4, 16], pl.FP32] = pld.tensor.allreduce(x, s, op=pld.ReduceOp.Sum, mode="mesh", core_num=2)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self):
        buf: pl.Ptr = pld.tensor.alloc_window_buffer(256, name="data_buf")
        sig: pl.Ptr = pld.tensor.alloc_window_buffer(8, name="sig_buf")
        for r in pl.range(2):
            x: pld.DistributedTensor[[4, 16], pl.FP32] = pld.tensor.window(buf, [4, 16], dtype=pl.FP32)
            s: pld.DistributedTensor[[2, 1], pl.INT32] = pld.tensor.window(sig, [2, 1], dtype=pl.INT32)
            self.chip(x, s, device=r)
)");
  CHECK(made.graph.functions[0].name == "host");
  CHECK(made.graph.functions[0].role == "HOST orchestrator");
  CHECK(items_of(made.function("host")) ==
        "window data_buf: 256 bytes\nwindow sig_buf: 8 bytes\nloop for r in range(2)\n  dispatch chip: device r\n");
  CHECK(flows_of(made.function("host")) == "0->3 data_buf\n1->3 sig_buf\n");
  CHECK(items_of(made.function("chip")) == "collective allreduce: mesh, 2 blocks, x in data_buf, s in sig_buf\n");
  CHECK(made.function("chip").parameters[1].windows == "sig_buf");
}

TEST_CASE("dependencies by task id are flows of their own") {
  const Made made = chip(R"(
        t: pl.Tensor[[16], pl.FP32] = pl.tensor.create([16], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        with pl.manual_scope():
            u, first = pl.submit(self.make, a, t)
            v, second = pl.submit(self.use, a, out, deps=[first])
        return v
)");
  const FunctionGraph& run = made.function("run");
  CHECK(items_of(run) == "scope manual scope\n  task make: AIV\n  task use: AIV\n");
  CHECK_THAT(flows_of(run), Catch::Contains("1->2 order\n"));
}

TEST_CASE("a part of the graph is a function with what it calls") {
  const Made made = chip("\n        return self.make(a, out)\n");
  const ProgramGraph part = part_of(made.graph, "run");
  REQUIRE(part.functions.size() == 2);
  CHECK(part.functions[0].name == "run");
  CHECK(part.functions[static_cast<size_t>(part.functions[0].items[0].callee)].name == "make");
  CHECK(part_of(made.graph, "none").functions.empty());
}

TEST_CASE("names from a program stay text in every picture") {
  ProgramGraph graph;
  graph.name = "</script><b>\"\\N\n";
  FunctionGraph f;
  f.name = "f\"]; evil [label=\"";
  f.role = "<svg>";
  Item item;
  item.title = "</title>&\x1b[31m";
  item.reads = {"</script>"};
  f.items = {item, item};
  f.flows = {{0, 1, "\"]<", false}};
  graph.functions = {f};
  const std::string dot = render_dot(graph);
  CHECK_THAT(dot, Catch::Contains("f\\\"]; evil [label=\\\"") && !Catch::Contains("\x1b"));
  const std::string svg = render_svg(graph);
  CHECK_THAT(svg,
             !Catch::Contains("<b>") && !Catch::Contains("</title>&\x1b") && Catch::Contains("&lt;/title&gt;&amp;"));
  const std::string html = render_html(graph);
  const size_t data = html.find("<script type=\"application/json\"");
  const size_t end = html.find("</script>", data);
  CHECK(html.find("evil") < end);
  CHECK_THAT(html.substr(data + 10, end - data - 10), !Catch::Contains("<"));
  // Nothing comes from elsewhere.
  CHECK_THAT(html, !Catch::Contains("src=") && !Catch::Contains("href=") && !Catch::Contains("url("));
}

}  // namespace
}  // namespace pyptoc::graph
