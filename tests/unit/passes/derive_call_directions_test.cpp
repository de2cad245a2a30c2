// SPDX-License-Identifier: Apache-2.0
// DeriveCallDirections: each rule of its contract.
#include "passes/derive_call_directions.h"
#include "front_fixture.h"
#include "passes/assign_cores.h"
#include "passes/verify.h"

namespace pyptoc::passes {
namespace {

using testing::PassRun;

constexpr std::string_view kKernels = R"(
@pl.function(type=pl.FunctionType.AIV)
def copy(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    return out

@pl.function(type=pl.FunctionType.AIV)
def add_to(x: TENSOR, acc: pl.InOut[TENSOR]) -> TENSOR:
    return acc

)";

// The directions of all calls in an orchestration with this body, in order.
std::vector<std::string> directions(std::string_view parameters, std::string_view body) {
  std::string source(kKernels);
  source += "@pl.function(type=pl.FunctionType.Orchestration)\ndef main(" + std::string(parameters) + "):\n" +
            std::string(body);
  PassRun run(source, {derive_call_directions});
  INFO(run.messages());
  std::vector<std::string> found;
  std::string text = run.after() != nullptr ? run.text() : "";
  const std::string key = "\"arg_directions\": [";
  for (size_t at = text.find(key); at != std::string::npos; at = text.find(key, at)) {
    at += key.size();
    std::string list = text.substr(at, text.find(']', at) - at);
    for (size_t prefix = list.find("pl.adir."); prefix != std::string::npos; prefix = list.find("pl.adir."))
      list.erase(prefix, 8);
    found.push_back(list);
  }
  return found;
}
using Lists = std::vector<std::string>;

TEST_CASE("In is input, InOut is inout, a first Out is output_existing") {
  CHECK(directions("a: TENSOR, b: pl.Out[TENSOR]", "    c = copy(a, b)\n    d = add_to(a, c)\n") ==
        Lists{"input, output_existing", "input, inout"});
}

TEST_CASE("an Out after an earlier writer of the buffer is inout, through another name too") {
  CHECK(directions("a: TENSOR, b: pl.Out[TENSOR]", "    c = copy(a, b)\n    d = copy(a, c)\n") ==
        Lists{"input, output_existing", "input, inout"});
}

TEST_CASE("an Out inside a sequential loop is inout, inside a parallel loop not") {
  CHECK(directions("a: TENSOR, b: pl.Out[TENSOR]", "    for i in pl.range(4):\n        c = copy(a, b)\n") ==
        Lists{"input, inout"});
  CHECK(directions("a: TENSOR, b: pl.Out[TENSOR]", "    for i in pl.parallel(4):\n        c = copy(a, b)\n") ==
        Lists{"input, output_existing"});
}

TEST_CASE("branches do not see each other's writes, what follows sees both") {
  CHECK(directions("a: TENSOR, b: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]",
                   "    if n > 0:\n        c = copy(a, b)\n    else:\n        d = copy(a, b)\n    e = copy(a, b)\n") ==
        Lists{"input, output_existing", "input, output_existing", "input, inout"});
}

TEST_CASE("the Out of an InOut parameter of the caller is inout") {
  CHECK(directions("a: TENSOR, b: pl.InOut[TENSOR]", "    c = copy(a, b)\n") == Lists{"input, inout"});
}

TEST_CASE("an argument that may be one of two buffers is inout, one of unknown origin output_existing") {
  CHECK(directions("a: TENSOR, b: pl.Out[TENSOR], c: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]",
                   "    if n > 0:\n        d = pl.yield_(b)\n    else:\n        d = pl.yield_(c)\n"
                   "    e = copy(a, d)\n") == Lists{"input, inout"});
  CHECK(directions("a: TENSOR, b: pl.Out[TENSOR]", "    d: TENSOR = pl.op(\"no.such_op\")(b)\n    e = copy(a, d)\n") ==
        Lists{"input, output_existing"});
}

TEST_CASE("an Out in a while loop and in a pipeline is inout") {
  CHECK(directions("a: TENSOR, b: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]",
                   "    for (k,) in pl.while_(init_values=(0,)):\n        pl.cond(k < n)\n        c = copy(a, b)\n"
                   "        m = pl.yield_(k + 1)\n") == Lists{"input, inout"});
  CHECK(directions("a: TENSOR, b: pl.Out[TENSOR]", "    for i in pl.pipeline(4, stage=2):\n        c = copy(a, b)\n") ==
        Lists{"input, inout"});
}

TEST_CASE("scopes are transparent, writes of a loop count behind it") {
  CHECK(directions("a: TENSOR, b: pl.Out[TENSOR]",
                   "    with pl.scope():\n        c = copy(a, b)\n    with pl.scope():\n        d = copy(a, b)\n") ==
        Lists{"input, output_existing", "input, inout"});
  CHECK(directions("a: TENSOR, b: pl.Out[TENSOR]",
                   "    for i in pl.parallel(4):\n        c = copy(a, b)\n    d = copy(a, b)\n") ==
        Lists{"input, output_existing", "input, inout"});
}

TEST_CASE("an override is no_dep, a scalar is a scalar, what a submit leaves out has no direction") {
  CHECK(directions("a: TENSOR, b: pl.Out[TENSOR]", "    c = copy(pl.no_dep(a), b)\n") ==
        Lists{"no_dep, output_existing"});
  CHECK(directions("a: TENSOR, b: pl.Out[TENSOR]", "    c, t = pl.submit(copy, a)\n") == Lists{"input"});
  PassRun scalar(
      "@pl.function(type=pl.FunctionType.AIV)\ndef fill(out: pl.Out[TENSOR], k: pl.Scalar[pl.INDEX]) -> TENSOR:\n"
      "    return out\n\n@pl.function(type=pl.FunctionType.Orchestration)\n"
      "def main(b: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]):\n    c = fill(b, n)\n",
      {derive_call_directions});
  CHECK(scalar.text().find("[pl.adir.output_existing, pl.adir.scalar]") != std::string::npos);
}

TEST_CASE("what wrappers forward is theirs, through any number of them") {
  PassRun run(std::string(kKernels) +
                  "@pl.function(type=pl.FunctionType.Group)\ndef inner(x: TENSOR, y: TENSOR) -> TENSOR:\n"
                  "    r = add_to(x, y)\n    return r\n\n"
                  "@pl.function(type=pl.FunctionType.Spmd)\ndef outer(x: TENSOR, y: TENSOR) -> TENSOR:\n"
                  "    r = inner(x, y)\n    return r\n\n"
                  "@pl.function(type=pl.FunctionType.Orchestration)\ndef main(a: TENSOR, b: pl.InOut[TENSOR]):\n"
                  "    c = outer(a, b)\n",
              {derive_call_directions});
  REQUIRE(run.after() != nullptr);
  for (const char* name : {"inner", "outer"}) {
    CHECK(run.after()->find(name)->param_directions[0] == ir::ParamDirection::In);
    CHECK(run.after()->find(name)->param_directions[1] == ir::ParamDirection::InOut);
  }
  CHECK(run.text().find("outer(a, b, attrs={\"arg_directions\": [pl.adir.input, pl.adir.inout]})") !=
        std::string::npos);
}

TEST_CASE("HOST functions get no directions") {
  constexpr std::string_view kHost =
      "@pl.function(type=pl.FunctionType.Orchestration)\ndef chip(a: TENSOR):\n    return\n\n"
      "@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\ndef host(a: TENSOR):\n    chip(a)\n";
  PassRun run(kHost, {derive_call_directions});
  CHECK(run.after() == run.before());
}

// The indices of the Out parameters whose content the tasks may leave as it was.
std::vector<int32_t> partial(std::string_view body, std::string_view kernels = "") {
  PassRun run(std::string(kKernels) + std::string(kernels) +
                  "\nM = pl.dynamic(\"M\")\n\n"
                  "@pl.function(type=pl.FunctionType.AIV)\n"
                  "def row(x: pl.Tensor[[1, 64], pl.FP32], out: pl.Out[pl.Tensor[[1, 64], pl.FP32]]) -> "
                  "pl.Tensor[[1, 64], pl.FP32]:\n    return out\n\n"
                  "@pl.function(type=pl.FunctionType.Orchestration)\n"
                  "def main(a: TENSOR, x: pl.Tensor[[1, 64], pl.FP32], b: pl.Out[TENSOR], "
                  "c: pl.Out[pl.Tensor[[4, 64], pl.FP32]], d: pl.Out[pl.Tensor[[M, 64], pl.FP32]], "
                  "e: pl.Tensor[[4, 64], pl.FP32], n: pl.Scalar[pl.INDEX]):\n" +
                  std::string(body),
              {derive_call_directions});
  INFO(run.messages());
  REQUIRE(run.after() != nullptr);
  const ir::AttrValue* list = ir::find_attr(run.after()->find("main")->attrs, kPartialOutputs);
  if (list == nullptr) return {};
  return {list->as_ints().begin(), list->as_ints().end()};
}
using Indices = std::vector<int32_t>;

TEST_CASE("outputs that are written in full, and those that are not") {
  const std::string c =
      "    for i in pl.range(4):\n        p = pl.tensor.slice(c, [1, 64], [i, 0])\n        row(x, p)\n";
  const std::string d =
      "    for i in pl.range(M):\n        q = pl.tensor.slice(d, [1, 64], [i, 0])\n        row(x, q)\n";
  const std::string b = "    copy(a, b)\n";
  CHECK(partial(b + c + d) == Indices{});
  CHECK(partial(c + d) == Indices{2});
  CHECK(partial("    if n > 0:\n        copy(a, b)\n" + c + d) == Indices{2});
  CHECK(partial("    if n > 0:\n        copy(a, b)\n    else:\n        copy(a, b)\n" + c + d) == Indices{});
  CHECK(partial("    for i in pl.range(n):\n        copy(a, b)\n" + c + d) == Indices{2});
  CHECK(partial("    for i in pl.range(2):\n        copy(a, b)\n" + c + d) == Indices{});
  CHECK(partial("    pl.submit(copy, a, b, predicate=(pl.tensor.read(a, [0]) > 0))\n" + c + d) == Indices{2});
  auto rows = [&](std::string_view range, std::string_view at) {
    return partial(b + d + "    for i in " + std::string(range) + ":\n        p = pl.tensor.slice(c, [1, 64], [" +
                   std::string(at) + ", 0])\n        row(x, p)\n");
  };
  CHECK(rows("pl.range(3)", "i") == Indices{3});
  CHECK(rows("pl.range(1, 4)", "i") == Indices{3});
  CHECK(rows("pl.range(4)", "i * 2") == Indices{3});
  CHECK(rows("pl.range(4)", "3 - i") == Indices{3});  // not seen: the content goes to the device for nothing
  CHECK(rows("pl.parallel(4)", "i") == Indices{});
  CHECK(rows("pl.range(n)", "i") == Indices{});  // the program's word
  // A cache that the program calls In, of which tasks write some rows: it came back with no one's content elsewhere.
  CHECK(
      partial(b + c + d +
              "    for i in pl.range(n):\n        own = pl.tensor.slice(e, [1, 64], [i, 0])\n        row(x, own)\n") ==
      Indices{5});
}

// The first access in program order was a write, so the content of the caller was not passed.
TEST_CASE("outputs that are written in full, but may be read before") {
  const std::string rest =
      "    for i in pl.range(4):\n        p = pl.tensor.slice(c, [1, 64], [i, 0])\n        row(x, p)\n"
      "    for i in pl.range(M):\n        q = pl.tensor.slice(d, [1, 64], [i, 0])\n        row(x, q)\n";
  const std::string copy = "        copy(a, b)\n";
  const std::string read = "    add_to(b, a)\n";
  auto b = [&](const std::string& body) { return partial(body + "    copy(a, b)\n" + rest) == Indices{2}; };
  CHECK_FALSE(b("    copy(a, b)\n" + read));
  CHECK(b("    if n > 0:\n" + copy + read));
  CHECK_FALSE(b("    if n > 0:\n" + copy + "        add_to(b, a)\n"));
  CHECK(b("    if n > 0:\n" + copy + "    else:\n        add_to(b, a)\n"));
  CHECK_FALSE(b("    if n > 0:\n" + copy + "    else:\n" + copy + read));
  CHECK(b("    for i in pl.range(n):\n" + copy + read));
  CHECK_FALSE(b("    for i in pl.range(2):\n" + copy + read));
  CHECK(b("    pl.submit(copy, a, b, predicate=(pl.tensor.read(a, [0]) > 0))\n" + read));
  CHECK(b("    if n > 0:\n" + copy + "    v = pl.tensor.read(b, [0])\n    if v > 0.0:\n        add_to(a, a)\n"));
  CHECK_FALSE(b("    with pl.scope():\n" + copy + read));
  // Rows that were written before are no content of the caller's, nor are rows that loops laid side by side.
  const std::string row = "        o = pl.tensor.slice(c, [1, 64], [i, 0])\n        row(x, o)\n";
  auto c = [&](const std::string& body) { return partial("    copy(a, b)\n" + body + rest) == Indices{3}; };
  CHECK_FALSE(c("    for i in pl.range(4):\n" + row + "        row(o, x)\n"));
  CHECK_FALSE(c("    for i in pl.range(4):\n" + row +
                "    for j in pl.range(4):\n        s = pl.tensor.slice(c, [1, 64], [3 - j, 0])\n        row(s, x)\n"));
  CHECK(c("    for i in pl.range(3):\n" + row +
          "    for j in pl.range(4):\n        s = pl.tensor.slice(c, [1, 64], [j, 0])\n        row(s, x)\n"));
  CHECK(c("    for i in pl.range(4):\n        s = pl.tensor.slice(c, [1, 64], [3 - i, 0])\n" + row +
          "        row(s, x)\n"));
}

TEST_CASE("an output of which a kernel's body fills only a part") {
  auto stored = [](std::string_view rows) {
    return "@pl.function(type=pl.FunctionType.AIV)\ndef store(out: pl.Out[TENSOR]) -> TENSOR:\n"
           "    t: pl.Tile[[" +
           std::string(rows) + "], pl.FP32] = pl.load(out, [0], [" + std::string(rows) +
           "])\n"
           "    out_1 = pl.store(t, [0], out)\n    return out_1\n";
  };
  const std::string rest =
      "    for i in pl.range(4):\n        p = pl.tensor.slice(c, [1, 64], [i, 0])\n        row(x, p)\n"
      "    for i in pl.range(M):\n        q = pl.tensor.slice(d, [1, 64], [i, 0])\n        row(x, q)\n";
  CHECK(partial("    store(b)\n" + rest, stored("64")) == Indices{});
  CHECK(partial("    store(b)\n" + rest, stored("32")) == Indices{2});
}

// Where a task on the straight way is the first to use an output no regions are looked at.
TEST_CASE("an output that the first task to use it fills") {
  auto filled = [](const std::string& body, std::string_view kernels = "") {
    PassRun run(std::string(kKernels) + std::string(kernels) +
                    "\n@pl.function(type=pl.FunctionType.Orchestration)\n"
                    "def main(a: TENSOR, s: pl.InOut[TENSOR], b: pl.Out[TENSOR]):\n" +
                    body,
                {derive_call_directions});
    INFO(run.messages());
    REQUIRE(run.after() != nullptr);
    const ir::Function* main = run.after()->find("main");
    CHECK(main->param_directions[2] == ir::ParamDirection::Out);
    return ir::find_attr(main->attrs, kPartialOutputs) == nullptr;
  };
  CHECK(filled("    copy(a, b)\n"));
  CHECK(filled("    copy(a, s)\n    copy(s, b)\n    add_to(b, s)\n"));
  CHECK(filled("    pl.submit(copy, a, b)\n"));
  CHECK(filled("    p = pl.tensor.slice(b, [32], [0])\n    copy(a, b)\n"));
  CHECK(filled("    copy(a, b)\n    v = pl.tensor.read(b, [0])\n    if v > 0.0:\n        copy(b, s)\n"));
  CHECK_FALSE(filled("    pl.submit(copy, a, b, predicate=(pl.tensor.read(s, [0]) > 0))\n"));
  CHECK_FALSE(filled("    pl.submit(copy, a, s, predicate=(pl.tensor.read(b, [0]) > 0))\n    copy(a, b)\n"));
  CHECK_FALSE(filled("    v = pl.tensor.read(b, [0])\n    if v > 0.0:\n        copy(a, s)\n    copy(a, b)\n"));
  const std::string half =
      "@pl.function(type=pl.FunctionType.AIV)\ndef half(out: pl.Out[TENSOR]) -> TENSOR:\n"
      "    t: pl.Tile[[32], pl.FP32] = pl.load(out, [0], [32])\n    out_1 = pl.store(t, [0], out)\n    return out_1\n";
  CHECK_FALSE(filled("    half(b)\n", half));
  CHECK_FALSE(filled("    half(b)\n    half(b)\n", half));
  CHECK_FALSE(filled("    half(b)\n    half(b)\n    copy(a, s)\n", half));
}

TEST_CASE("a call that has directions is left whole") {
  CHECK(directions("a: TENSOR, b: pl.Out[TENSOR]",
                   "    c = copy(a, b, attrs={\"arg_directions\": [pl.adir.no_dep, pl.adir.inout]})\n") ==
        Lists{"no_dep, inout"});
}

// Three graphs of the corpus, taken before a late pass and compiled from the beginning, ended as a bug of pyptoc: their
// launches had directions, and AssignCores appended the workspace of a pipe to the arguments.
TEST_CASE("arguments that a pass appends to a call with directions get theirs") {
  PassRun run(
      "@pl.function(type=pl.FunctionType.InCore)\n"
      "def mixed(x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]) -> "
      "pl.Tensor[[16, 16], pl.FP32]:\n"
      "    y = pl.tensor.matmul(x, x)\n    z = pl.tensor.adds(y, 1.0)\n"
      "    out_1 = pl.tensor.assemble(out, z, [0, 0])\n    return out_1\n"
      "@pl.function(type=pl.FunctionType.Orchestration)\n"
      "def main(a: pl.Tensor[[16, 16], pl.FP32], b: pl.Out[pl.Tensor[[16, 16], pl.FP32]]):\n"
      "    c = mixed(a, b, attrs={\"arg_directions\": [pl.adir.no_dep, pl.adir.inout]})\n",
      {assign_cores, derive_call_directions});
  INFO(run.messages());
  CHECK(run.text().find("mixed(a, b, gm_pipe_buffer_0, attrs={\"arg_directions\": [pl.adir.no_dep, pl.adir.inout, "
                        "pl.adir.output_existing]})") != std::string::npos);
  INFO(run.text());
  CHECK(violations(run.after(), Property::CallDirectionsResolved).empty());
}

// Orchestrations declared an In parameter that their tasks write; the host would then never get the result.
TEST_CASE("parameters of an orchestration take the direction that its tasks give them") {
  PassRun run(std::string(kKernels) +
                  "@pl.function(type=pl.FunctionType.Orchestration)\n"
                  "def main(a: TENSOR, b: TENSOR, c: pl.Out[TENSOR], d: pl.Out[TENSOR]):\n"
                  "    e = copy(a, b)\n    f = add_to(a, c)\n    g = copy(a, d)\n    h = add_to(a, g)\n",
              {derive_call_directions});
  REQUIRE(run.after() != nullptr);
  const ir::Function* main = run.after()->find("main");
  REQUIRE(main != nullptr);
  CHECK(main->param_directions[0] == ir::ParamDirection::In);
  CHECK(main->param_directions[1] == ir::ParamDirection::Out);
  CHECK(main->param_directions[2] == ir::ParamDirection::InOut);  // its content is read before anything writes it
  CHECK(main->param_directions[3] == ir::ParamDirection::Out);    // written before it is read
}

TEST_CASE("a second run changes nothing") {
  PassRun run(std::string(kKernels) +
                  "@pl.function(type=pl.FunctionType.Orchestration)\n"
                  "def main(a: TENSOR, b: pl.Out[TENSOR]):\n    c = copy(a, b)\n",
              {derive_call_directions});
  REQUIRE(run.after() != nullptr);
  Options options;
  PassContext context{run.ir(), run.diags(), options};
  CHECK(derive_call_directions(run.after(), context) == run.after());
}

}  // namespace
}  // namespace pyptoc::passes
