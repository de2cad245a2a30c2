// SPDX-License-Identifier: Apache-2.0
// DeriveCallDirections: each rule of its contract.
#include "passes/derive_call_directions.h"
#include "front_fixture.h"

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

TEST_CASE("a call that has directions is left whole") {
  CHECK(directions("a: TENSOR, b: pl.Out[TENSOR]",
                   "    c = copy(a, b, attrs={\"arg_directions\": [pl.adir.no_dep, pl.adir.inout]})\n") ==
        Lists{"no_dep, inout"});
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
