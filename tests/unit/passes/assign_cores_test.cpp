// SPDX-License-Identifier: Apache-2.0
// AssignCores: sides, pairs, Groups, lanes, pipe workspaces.
#include "passes/assign_cores.h"

#include "front_fixture.h"
#include "passes/assign_cores_sides.h"
#include "passes/property_checks.h"

namespace pyptoc::passes::testing {
namespace {

Options for_target(std::string_view name) {
  Options options;
  options.target = *find_target(name);
  return options;
}

// `cube`, `vector`, `cube vector` and `crosses` of the function `k` with this body.
std::string sides_of(std::string_view body) {
  std::string source = R"(
@pl.function(type=pl.FunctionType.InCore)
def k(a: pl.Tensor[[64, 64], pl.FP32], b: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
)" + std::string(body);
  PassRun run(source, {});
  if (run.before() == nullptr) return run.messages();
  BufferRoots roots(run.before());
  KernelSides sides = kernel_sides(run.before()->find("k"), roots);
  std::string out;
  if (sides.cube) out += "cube ";
  if (sides.vector) out += "vector ";
  if (sides.crosses) out += "crosses ";
  return out;
}

TEST_CASE("sides: loads and stores go with the values") {
  CHECK(sides_of("    m = pl.tensor.matmul(a, b)\n    o_1 = pl.tensor.assemble(o, m, [0, 0])\n") == "cube ");
  CHECK(sides_of("    s = pl.tensor.slice(a, [32, 64], [0, 0])\n    t = pl.tensor.slice(b, [64, 64], [0, 0])\n"
                 "    m = pl.tensor.matmul(s, t)\n    o_1 = pl.tensor.assemble(o, m, [0, 0])\n") == "cube ");
  CHECK(sides_of("    s = pl.tensor.add(a, b)\n    o_1 = pl.tensor.assemble(o, s, [0, 0])\n") == "vector ");
  CHECK(sides_of("    s = pl.tensor.slice(a, [64, 64], [0, 0])\n    o_1 = pl.tensor.assemble(o, s, [0, 0])\n") ==
        "vector ");
  CHECK(sides_of("    o_1 = pl.tensor.write(o, [0, 0], 1.0)\n") == "");
}

TEST_CASE("sides: a value that changes sides meets in a pipe") {
  CHECK(sides_of("    m = pl.tensor.matmul(a, b)\n    e = pl.tensor.exp(m)\n"
                 "    o_1 = pl.tensor.assemble(o, e, [0, 0])\n") == "cube vector crosses ");
  CHECK(sides_of("    e = pl.tensor.exp(a)\n    m = pl.tensor.matmul(e, b)\n"
                 "    o_1 = pl.tensor.assemble(o, m, [0, 0])\n") == "cube vector crosses ");
  // Both sides load the whole of a by themselves.
  CHECK(sides_of("    e = pl.tensor.exp(a)\n    o_1 = pl.tensor.assemble(o, e, [0, 0])\n"
                 "    m = pl.tensor.matmul(a, b)\n    o_2 = pl.tensor.assemble(o_1, m, [0, 0])\n") == "cube vector ");
  // One part of it is loaded once.
  CHECK(sides_of("    s = pl.tensor.slice(a, [64, 64], [0, 0])\n    e = pl.tensor.exp(s)\n"
                 "    o_1 = pl.tensor.assemble(o, e, [0, 0])\n    m = pl.tensor.matmul(s, b)\n"
                 "    o_2 = pl.tensor.assemble(o_1, m, [0, 0])\n") == "cube vector crosses ");
}

TEST_CASE("sides: what the cube core stores and the vector core loads behind it") {
  CHECK(sides_of("    m = pl.tensor.matmul(a, b)\n    o_1 = pl.tensor.assemble(o, m, [0, 0])\n"
                 "    for i in pl.range(4):\n        s = pl.tensor.slice(o_1, [1, 64], [i, 0])\n"
                 "        e = pl.tensor.exp(s)\n        b_1 = pl.tensor.assemble(b, e, [i, 0])\n") ==
        "cube vector crosses ");
  CHECK(sides_of("    s = pl.tensor.slice(o, [1, 64], [0, 0])\n    e = pl.tensor.exp(s)\n"
                 "    b_1 = pl.tensor.assemble(b, e, [0, 0])\n    m = pl.tensor.matmul(a, a)\n"
                 "    o_1 = pl.tensor.assemble(o, m, [0, 0])\n") == "cube vector ");
}

TEST_CASE("sides: the cube core casts an accumulator on its way to the next product") {
  auto chain = [](std::string_view mode, std::string_view use) {
    return sides_of("    m = pl.tensor.matmul(a, b)\n    c = pl.tensor.cast(m, target_type=pl.BF16, mode=" +
                    std::string(mode) + ")\n" + std::string(use));
  };
  std::string product = "    n = pl.tensor.matmul(c, b)\n    o_1 = pl.tensor.assemble(o, n, [0, 0])\n";
  CHECK(chain("1", product) == "cube ");
  CHECK(chain("2", product) == "cube vector crosses ");
  CHECK(chain("1", product + "    e = pl.tensor.exp(c)\n") == "cube vector crosses ");
}

constexpr std::string_view kMixed = R"(
@pl.function(type=pl.FunctionType.InCore)
def k(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    m = pl.tensor.matmul(a, a)
    e = pl.tensor.exp(m)
    o_1 = pl.tensor.assemble(o, e, [0, 0])
    return o_1

@pl.function(type=pl.FunctionType.Orchestration)
def main(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    for i, (c,) in pl.range(2, init_values=(o,)):
        c_1 = k(a, c)
        r = pl.yield_(c_1)
    s = k(a, r)
    return s
)";

TEST_CASE("assign: a mixed kernel becomes a pair under a Group; its pipe gets a workspace") {
  PassRun run(kMixed, {assign_cores}, for_target("a2a3"));
  CHECK(run.messages() == "");
  Findings findings;
  check_KernelsReady(run.after(), findings);
  CHECK(findings.empty());
  CHECK(run.difference_to(R"(
@pl.function(type=pl.FunctionType.Group)
def k(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]], __gm_pipe_buffer: pl.Out[pl.Tensor[[1], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    k_aic(a, o, __gm_pipe_buffer)
    r = k_aiv(a, o, __gm_pipe_buffer)
    return r

@pl.function(type=pl.FunctionType.AIC)
def k_aic(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]], __gm_pipe_buffer: pl.Out[pl.Tensor[[1], pl.FP32]]):
    m = pl.tensor.matmul(a, a)
    e = pl.tensor.exp(m)
    o_1 = pl.tensor.assemble(o, e, [0, 0])

@pl.function(type=pl.FunctionType.AIV, attrs={"dual_aiv_dispatch": True})
def k_aiv(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]], __gm_pipe_buffer: pl.Out[pl.Tensor[[1], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    m = pl.tensor.matmul(a, a)
    e = pl.tensor.exp(m)
    o_1 = pl.tensor.assemble(o, e, [0, 0])
    return o_1

@pl.function(type=pl.FunctionType.Orchestration)
def main(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    for i, (c,) in pl.range(2, init_values=(o,)):
        gm_pipe_buffer_0 = pl.tensor.create([1], dtype=pl.FP32, layout=pl.TensorLayout.ND, manual_dep=True)
        c_1 = k(a, c, gm_pipe_buffer_0)
        r = pl.yield_(c_1)
    gm_pipe_buffer_1 = pl.tensor.create([1], dtype=pl.FP32, layout=pl.TensorLayout.ND, manual_dep=True)
    s = k(a, r, gm_pipe_buffer_1)
    return s
)") == "");
}

TEST_CASE("assign: on a5 there is no workspace, and one vector lane where nothing is split") {
  PassRun run(kMixed, {assign_cores}, for_target("a5"));
  CHECK(run.messages() == "");
  CHECK(run.after()->find("k")->params.size() == 2);
  CHECK(run.after()->find("k_aiv")->attrs.empty());
}

TEST_CASE("assign: a Group that calls a mixed kernel calls the pair in its place") {
  PassRun run(R"(
@pl.function(type=pl.FunctionType.InCore)
def k(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    m = pl.tensor.matmul(a, a)
    e = pl.tensor.exp(m)
    o_1 = pl.tensor.assemble(o, e, [0, 0])
    return o_1

@pl.function(type=pl.FunctionType.Group)
def pair(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    o_1 = k(a, o)
    return o_1
)",
              {assign_cores}, for_target("a5"));
  CHECK(run.messages() == "");
  CHECK(run.after()->find("k") == nullptr);
  std::string text = run.text();
  CHECK(text.find("self.k_aic(a, o)") != std::string::npos);
  CHECK(text.find("o_1: pl.Tensor[[64, 64], pl.FP32] = self.k_aiv(a, o)") != std::string::npos);
}

TEST_CASE("assign: kernels on one side are typed, split-AIV ones work on both lanes") {
  PassRun run(R"(
@pl.function(type=pl.FunctionType.InCore)
def cube(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    m = pl.tensor.matmul(a, a)
    o_1 = pl.tensor.assemble(o, m, [0, 0])

@pl.function(type=pl.FunctionType.InCore, attrs={"split_aiv": True})
def lanes(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):
        m = pl.tensor.exp(a)
        o_1 = pl.tensor.assemble(o, m, [0, 0])

@pl.function(type=pl.FunctionType.InCore)
def nothing(a: pl.Tensor[[64, 64], pl.FP32]):
    v = pl.tensor.read(a, [0, 0])
)",
              {assign_cores});
  CHECK(run.messages() == "");
  CHECK(run.after()->find("cube")->func_type == ir::FunctionType::Aic);
  CHECK(run.after()->find("nothing")->func_type == ir::FunctionType::Aiv);
  const ir::Function* lanes = run.after()->find("lanes");
  CHECK(lanes->func_type == ir::FunctionType::Aiv);
  CHECK(ir::bool_attr(lanes->attrs, "dual_aiv_dispatch", false));
}

constexpr std::string_view kUneven = R"(
@pl.function(type=pl.FunctionType.Group)
def g(a: TENSOR, o: pl.Out[TENSOR]) -> TENSOR:
    left(a)
    o_1 = right(o)
    return o_1
)";

TEST_CASE("assign: the kernels of a Group get its parameters") {
  PassRun run(R"(
@pl.function(type=pl.FunctionType.AIC)
def left(x: TENSOR):
    v = pl.tensor.read(x, [0])

@pl.function(type=pl.FunctionType.AIV)
def right(y: pl.Out[TENSOR]) -> TENSOR:
    y_1 = pl.tensor.write(y, [0], 1.0)
    return y_1
)" + std::string(kUneven),
              {assign_cores}, for_target("a5"));
  CHECK(run.difference_to(R"(
@pl.function(type=pl.FunctionType.Group)
def g(a: TENSOR, o: pl.Out[TENSOR]) -> TENSOR:
    left(a, o)
    o_1 = right(a, o)
    return o_1

@pl.function(type=pl.FunctionType.AIC)
def left(a: TENSOR, o: TENSOR):
    v = pl.tensor.read(a, [0])

@pl.function(type=pl.FunctionType.AIV)
def right(a: TENSOR, o: pl.Out[TENSOR]) -> TENSOR:
    y_1 = pl.tensor.write(o, [0], 1.0)
    return y_1
)") == "");
}

TEST_CASE("assign: external kernels of a Group must agree by themselves") {
  check_error({assign_cores}, R"(
@pl.function(type=pl.FunctionType.AIC, attrs={"external_source": "left.cpp"})
def left(x: TENSOR):
    return

@pl.function(type=pl.FunctionType.AIV)
def right(y: pl.Out[TENSOR]) -> TENSOR:
    y_1 = pl.tensor.write(y, [0], 1.0)
    return y_1
)" + std::string(kUneven),
              "E0452", 12);
}

TEST_CASE("assign: below a Spmd wrapper a Group is made; wrappers hand the workspace on") {
  PassRun run(std::string(R"(
@pl.function(type=pl.FunctionType.InCore)
def k(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    m = pl.tensor.matmul(a, a)
    e = pl.tensor.exp(m)
    o_1 = pl.tensor.assemble(o, e, [0, 0])
    return o_1

@pl.function(type=pl.FunctionType.Orchestration)
def main(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    o_1 = wide(a, o, attrs={"core_num": 4})
    return o_1

@pl.function(type=pl.FunctionType.Spmd)
def wide(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    o_1 = k(a, o)
    return o_1
)"),
              {assign_cores});
  CHECK(run.messages() == "");
  CHECK(run.after()->find("k")->func_type == ir::FunctionType::Group);
  for (const char* name : {"k", "k_aic", "k_aiv", "wide"}) {
    INFO(name);
    const ir::Function* f = run.after()->find(name);
    REQUIRE(f->params.size() == 3);
    CHECK(f->params[2]->name_hint == "__gm_pipe_buffer");
    CHECK(f->param_directions[2] == ir::ParamDirection::Out);
  }
  const std::string text = run.text();
  CHECK(text.find("self.k(a, o, __gm_pipe_buffer)") != std::string::npos);
  CHECK(text.find("self.wide(a, o, gm_pipe_buffer_0, attrs={\"core_num\": 4})") != std::string::npos);
}

}  // namespace
}  // namespace pyptoc::passes::testing
