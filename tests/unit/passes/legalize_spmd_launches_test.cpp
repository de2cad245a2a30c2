// SPDX-License-Identifier: Apache-2.0
// LegalizeSpmdLaunches: each rule of its contract.
#include "passes/legalize_spmd_launches.h"

#include "front_fixture.h"

namespace pyptoc::passes {
namespace {

using testing::PassRun;

constexpr std::string_view kKernel = R"(
M = pl.dynamic("M")

@pl.function(type=pl.FunctionType.AIV)
def k(x: TENSOR, y: pl.Out[TENSOR]) -> TENSOR:
    return y

@pl.function(type=pl.FunctionType.AIV)
def pair(x: pl.InOut[TENSOR], y: pl.Out[TENSOR]) -> tuple[TENSOR, TENSOR]:
    return x, y

@pl.function(type=pl.FunctionType.AIV, attrs={"builtin_template_dir": ":collectives.all_to_all_v"})
def exchange(x: pl.InOut[TENSOR]) -> TENSOR:
    return x

)";

std::string with_main(std::string_view body) {
  return std::string(kKernel) +
         "@pl.function(type=pl.FunctionType.Orchestration)\n"
         "def main(x: TENSOR, y: pl.Out[TENSOR], rows: pl.Tensor[[M, 4], pl.FP32], n: pl.Scalar[pl.INDEX]):\n" +
         std::string(body);
}

PassRun run(std::string_view body) {
  return PassRun(with_main(body), {legalize_spmd_launches});
}

bool is_guarded(std::string_view width, std::string_view before = "") {
  PassRun one = run(std::string(before) + "    y2, t = pl.spmd_submit(k, x, y, core_num=" + std::string(width) + ")\n");
  INFO(one.messages());
  REQUIRE(one.after() != nullptr);
  return one.after() != one.before();
}

TEST_CASE("a submit of unknown width becomes a branch, with a barrier that has the same dependencies") {
  PassRun one = run("    a = pl.system.task_dummy()\n    y2, t = pl.spmd_submit(k, x, y, core_num=n, deps=[a])\n");
  CHECK(one.difference_to(with_main(R"(    a = pl.system.task_dummy()
    if n > 0:
        r = pl.spmd_submit(k, x, y, core_num=n, deps=[a])
        y_2, t_2 = pl.yield_(r[0], r[1])
    else:
        barrier = pl.system.task_dummy(deps=[a])
        y_2, t_2 = pl.yield_(y, barrier)
    whole = [y_2, t_2]
    y2 = whole[0]
    t = whole[1]
)")) == "");
}

TEST_CASE("a call leaves nothing in place of the launch but its arguments") {
  PassRun one = run("    y2 = k(x, y, attrs={\"core_num\": pl.expr(n)})\n    y3 = k(y2, x)\n");
  CHECK(one.difference_to(with_main(R"(    if n > 0:
        r = k(x, y, attrs={"core_num": pl.expr(n)})
        y2 = pl.yield_(r)
    else:
        y2 = pl.yield_(y)
    y3 = k(y2, x)
)")) == "");
}

// A width that folds to 0 was an error at emission, while one of 0 at run time launches nothing.
TEST_CASE("a launch of a constant width below 1 is left out") {
  PassRun submit = run("    a = pl.system.task_dummy()\n    y2, t = pl.spmd_submit(k, x, y, core_num=0, deps=[a])\n");
  CHECK(submit.difference_to(with_main(R"(    a = pl.system.task_dummy()
    barrier = pl.system.task_dummy(deps=[a])
    whole = [y, barrier]
    y2 = whole[0]
    t = whole[1]
)")) == "");
  CHECK(run("    y2 = k(x, y, attrs={\"core_num\": 0})\n    y3 = k(y2, x)\n")
            .difference_to(with_main("    y2 = y\n    y3 = k(y2, x)\n")) == "");
  CHECK(run("    k(x, y, attrs={\"core_num\": pl.expr(-1)})\n    y3 = k(y, x)\n")
            .difference_to(with_main("    y3 = k(y, x)\n")) == "");
  CHECK(run("    r = pl.spmd_submit(k, x, core_num=0)\n").has("E0500"));
}

TEST_CASE("each result is the argument that the kernel hands back") {
  PassRun one = run("    a, b = pair(x, y, attrs={\"core_num\": pl.expr(n)})\n");
  INFO(one.text());
  CHECK(one.text().find("pl.yield_(x, y)") != std::string::npos);
}

TEST_CASE("widths that are at least 1") {
  CHECK_FALSE(is_guarded("4"));
  CHECK_FALSE(is_guarded("pl.max(n, 1)"));
  CHECK_FALSE(is_guarded("pl.tensor.dim(x, 0) // 64"));
  CHECK_FALSE(is_guarded("w", "    w = pl.system.available_aiv_count()\n"));
  CHECK_FALSE(is_guarded("w", "    w = pl.tensor.dim(rows, 0) + 1\n"));
  CHECK(is_guarded("n"));
  CHECK(is_guarded("n + 1"));
  CHECK(is_guarded("w", "    w = pl.tensor.dim(rows, 0)\n"));
  CHECK(is_guarded("w", "    w = pl.system.available_aiv_count() // 2\n"));
}

TEST_CASE("the variable of a loop has the start as its least value") {
  PassRun good = run("    for i in pl.range(1, n):\n        y2 = k(x, y, attrs={\"core_num\": pl.expr(i)})\n");
  CHECK(good.after() == good.before());
  PassRun guarded = run("    for i in pl.range(n):\n        y2 = k(x, y, attrs={\"core_num\": pl.expr(i)})\n");
  CHECK(guarded.after() != guarded.before());
}

TEST_CASE("a collective is launched whatever its width") {
  PassRun one = run("    z = exchange(y, attrs={\"core_num\": pl.expr(n)})\n");
  CHECK(one.after() == one.before());
}

TEST_CASE("E0500 lists every tensor that only the launch would make") {
  PassRun one = run("    r = pl.spmd_submit(k, x, core_num=n)\n");
  CHECK(one.has("E0500"));
  CHECK(one.messages().find("leaves `y` without a tensor") != std::string::npos);
}

TEST_CASE("a guarded launch stays as it is on a second run") {
  PassRun one =
      run("    y2, t = pl.spmd_submit(k, x, y, core_num=n)\n    y3 = k(x, y2, attrs={\"core_num\": pl.expr(n + 1)})\n");
  Options options;
  PassContext context{one.ir(), one.diags(), options};
  CHECK(legalize_spmd_launches(one.after(), context) == one.after());
}

}  // namespace
}  // namespace pyptoc::passes
