// SPDX-License-Identifier: Apache-2.0
// OutlineClusterScopes: launches, clusters, widths, faults.
#include "passes/outline_cluster_scopes.h"

#include "front_fixture.h"
#include "passes/outline_incore_scopes.h"

namespace pyptoc::passes::testing {
namespace {

constexpr std::string_view kKernel = R"(
@pl.function(type=pl.FunctionType.InCore)
def k(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    out_1 = pl.tensor.assemble(out, x, [0])
    return out_1
)";
std::string with_kernel(std::string_view rest) {
  return std::string(kKernel) + std::string(rest);
}

TEST_CASE("cluster: an spmd scope becomes a wrapper, its width stays with the launch") {
  check_pass({outline_cluster_scopes}, with_kernel(R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, out: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]) -> TENSOR:
    with pl.spmd(n // 16, sync_start=True):
        out_1 = k(x, out)
    return out_1
)"),
             with_kernel(R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, out: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]) -> TENSOR:
    out_1 = main_spmd_0(x, out, attrs={"core_num": n // 16, "sync_start": True})
    return out_1

@pl.function(type=pl.FunctionType.Spmd)
def main_spmd_0(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    out_1 = k(x, out)
    return out_1
)"));
}

TEST_CASE("cluster: a launch with a task id is a submit of that width") {
  check_pass({outline_cluster_scopes}, with_kernel(R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    with pl.spmd(4, name_hint="stage") as t:
        out_1 = k(x, out)
    return out_1
)"),
             with_kernel(R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    r = pl.spmd_submit(stage, x, out, core_num=4)
    out_1 = r[0]
    t = r[1]
    return out_1

@pl.function(type=pl.FunctionType.Spmd)
def stage(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    out_1 = k(x, out)
    return out_1
)"));
}

TEST_CASE("cluster: a cluster with a launch inside is launched with its width") {
  check_pass({outline_cluster_scopes}, with_kernel(R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, out: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]) -> TENSOR:
    with pl.cluster():
        with pl.spmd(n):
            out_1 = k(x, out)
    return out_1
)"),
             with_kernel(R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, out: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]) -> TENSOR:
    out_1 = main_cluster_0(x, out, attrs={"core_num": pl.expr(n)})
    return out_1

@pl.function(type=pl.FunctionType.Group, attrs={"spmd_unwrapped": True})
def main_cluster_0(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    out_1 = k(x, out)
    return out_1
)"));
}

TEST_CASE("cluster: a scope of a launch is outlined before the launch") {
  PassRun run(R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    with pl.spmd(4):
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="inner"):
            i = pl.tile.get_block_idx()
            out_1 = pl.tensor.assemble(out, x, [i])
    return out_1
)",
              {outline_incore_scopes, outline_cluster_scopes});
  CHECK(run.messages() == "");
  const ir::Function* wrapper = run.after()->find("main_spmd_0");
  REQUIRE(wrapper != nullptr);
  CHECK(wrapper->params.size() == 2);
  CHECK(wrapper->params[0]->name_hint == "out");
  CHECK(wrapper->param_directions[0] == ir::ParamDirection::Out);
}

TEST_CASE("cluster: faults") {
  SECTION("a width that the cluster computes") {
    check_error({outline_cluster_scopes}, with_kernel(R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, out: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]) -> TENSOR:
    with pl.cluster():
        m = n + 1
        with pl.spmd(m):
            out_1 = k(x, out)
    return out_1
)"),
                "E0446", 10);
  }
  SECTION("two launches in a cluster") {
    check_error({outline_cluster_scopes}, with_kernel(R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    with pl.cluster():
        with pl.spmd(2):
            out_1 = k(x, out)
        with pl.spmd(2):
            out_2 = k(x, out_1)
    return out_2
)"),
                "E0448", 11);
  }
  SECTION("a launch of a cluster with options of a task") {
    check_error({outline_cluster_scopes}, with_kernel(R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    with pl.cluster():
        with pl.spmd(2, allow_early_resolve=True):
            out_1 = k(x, out)
    return out_1
)"),
                "E0449", 9);
  }
  SECTION("a launch in a launch") {
    check_error({outline_cluster_scopes}, with_kernel(R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    with pl.spmd(2):
        with pl.spmd(2):
            out_1 = k(x, out)
    return out_1
)"),
                "E0442", 9);
  }
}

}  // namespace
}  // namespace pyptoc::passes::testing
