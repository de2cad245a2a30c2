// SPDX-License-Identifier: Apache-2.0
// OutlineHierarchyScopes: levels, roles, names, nesting.
#include "passes/outline_hierarchy_scopes.h"

#include "front_fixture.h"

namespace pyptoc::passes::testing {
namespace {

TEST_CASE("hierarchy: a scope becomes a function of its level and role") {
  check_pass({outline_hierarchy_scopes}, R"(
@pl.function
def main(x: TENSOR, w: TENSOR) -> TENSOR:
    with pl.at(level=pl.Level.HOST, role=pl.Role.Orchestrator):
        a = pl.tensor.add(x, x)
        b = pl.tensor.mul(w, w)
    y = pl.tensor.add(a, b)
    return y
)",
             R"(
@pl.function
def main(x: TENSOR, w: TENSOR) -> TENSOR:
    r = main_host_orch_0(x, w)
    a = r[0]
    b = r[1]
    y = pl.tensor.add(a, b)
    return y

@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def main_host_orch_0(x: TENSOR, w: TENSOR) -> tuple[TENSOR, TENSOR]:
    a = pl.tensor.add(x, x)
    b = pl.tensor.mul(w, w)
    return a, b
)");
}

TEST_CASE("hierarchy: scopes inside each other, without a role, of a cluster level") {
  check_pass({outline_hierarchy_scopes}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    with pl.at(level=pl.Level.CLUSTER_0):
        y = pl.tensor.add(x, x)
        with pl.at(level=pl.Level.CHIP):
            z = pl.tensor.mul(y, y)
    return z
)",
             R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    z = main_cluster0_0(x)
    return z

@pl.function(level=pl.Level.CLUSTER_0)
def main_cluster0_0(x: TENSOR) -> TENSOR:
    y = pl.tensor.add(x, x)
    z = main_cluster0_0_chip_0(y)
    return z

@pl.function(level=pl.Level.CHIP)
def main_cluster0_0_chip_0(y: TENSOR) -> TENSOR:
    z = pl.tensor.mul(y, y)
    return z
)");
}

TEST_CASE("hierarchy: a scope with a task id or dependencies is submitted") {
  check_pass({outline_hierarchy_scopes}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    with pl.at(level=pl.Level.GLOBAL, role=pl.Role.Orchestrator, name_hint="first") as t:
        y = pl.tensor.add(x, x)
    with pl.at(level=pl.Level.HOST, role=pl.Role.Orchestrator, name_hint="second", deps=[t]):
        z = pl.tensor.mul(y, y)
    return z
)",
             R"(
@pl.function(level=pl.Level.GLOBAL, role=pl.Role.Orchestrator)
def first(x: TENSOR) -> TENSOR:
    y = pl.tensor.add(x, x)
    return y

@pl.function
def main(x: TENSOR) -> TENSOR:
    r = pl.submit(first, x)
    y = r[0]
    t = r[1]
    r_1 = pl.submit(second, y, deps=[t])
    z = r_1[0]
    return z

@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def second(y: TENSOR) -> TENSOR:
    z = pl.tensor.mul(y, y)
    return z
)");
}

TEST_CASE("hierarchy: other functions and other scopes stay") {
  check_unchanged({outline_hierarchy_scopes}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    with pl.at(level=pl.Level.CORE_GROUP):
        y = pl.tensor.add(x, x)
    return y
)");
}

TEST_CASE("hierarchy: parameters that are read only are In, written only Out, both InOut") {
  PassRun run(R"(
@pl.function
def main(x: TENSOR, a: TENSOR, b: TENSOR):
    with pl.at(level=pl.Level.CHIP, role=pl.Role.Orchestrator):
        a_1 = pl.tensor.assemble(a, x, [0])
        t = pl.tensor.add(b, x)
        b_1 = pl.tensor.assemble(b, t, [0])
)",
              {outline_hierarchy_scopes});
  CHECK(run.messages() == "");
  INFO(run.text());
  const ir::Function* f = run.after()->find("main_chip_orch_0");
  REQUIRE(f != nullptr);
  for (size_t i = 0; i < f->params.size(); ++i) {
    const std::string_view name = f->params[i]->name_hint;
    CHECK(f->param_directions[i] == (name == "x"   ? ir::ParamDirection::In
                                     : name == "a" ? ir::ParamDirection::Out
                                                   : ir::ParamDirection::InOut));
  }
}

}  // namespace
}  // namespace pyptoc::passes::testing
