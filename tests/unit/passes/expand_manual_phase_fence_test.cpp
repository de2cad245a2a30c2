// SPDX-License-Identifier: Apache-2.0
// ExpandManualPhaseFence: each rule of its contract.
#include "passes/expand_manual_phase_fence.h"

#include "front_fixture.h"

namespace pyptoc::passes {
namespace {

using testing::PassRun;

constexpr std::string_view kKernel = R"(
@pl.function(type=pl.FunctionType.AIV)
def k(x: TENSOR):
    return

)";

std::string with_main(std::string_view body) {
  return std::string(kKernel) +
         "@pl.function(type=pl.FunctionType.Orchestration)\n"
         "def main(x: TENSOR, n: pl.Scalar[pl.INDEX], tid: pl.Scalar[pl.TASK_ID]):\n" +
         std::string(body);
}

PassRun run(std::string_view body) {
  return PassRun(with_main(body), {expand_manual_phase_fence});
}

// How many barriers a manual scope gets whose body is this, after an array `ids` of so many ids.
size_t fences(std::string_view body, int producers = 4) {
  std::string text = "    with pl.manual_scope():\n        ids = pl.array.create(" + std::to_string(producers) +
                     ", pl.TASK_ID)\n" + std::string(body);
  PassRun one = run(text);
  INFO(one.messages());
  REQUIRE(one.after() != nullptr);
  std::string out = one.text();
  size_t count = 0;
  for (size_t at = out.find("task_dummy("); at != std::string::npos; at = out.find("task_dummy(", at + 1)) ++count;
  return count;
}

TEST_CASE("the submits of a loop that wait for a whole array wait for one barrier") {
  PassRun one = run(R"(    with pl.manual_scope():
        ids = pl.array.create(4, pl.TASK_ID)
        for p in pl.parallel(4):
            pl.submit(k, x, deps=[ids])
)");
  CHECK(one.difference_to(with_main(R"(    with pl.manual_scope():
        ids = pl.array.create(4, pl.TASK_ID)
        fence = pl.system.task_dummy(deps=[ids])
        for p in pl.parallel(4):
            pl.submit(k, x, deps=[fence])
)")) == "");
}

TEST_CASE("only where it saves edges") {
  constexpr std::string_view kLoop = "        for p in pl.parallel(2):\n            pl.submit(k, x, deps=[ids])\n";
  CHECK(fences(kLoop, 2) == 0);  // 2 * 2 against 2 + 2
  CHECK(fences(kLoop, 3) == 1);  // 3 * 2 against 3 + 2
  CHECK(fences("        for p in pl.parallel(9):\n            pl.submit(k, x, deps=[ids])\n", 1) == 0);
  CHECK(fences("        for p in pl.range(1):\n            pl.submit(k, x, deps=[ids])\n") == 0);
  CHECK(fences("        for p in pl.range(0):\n            pl.submit(k, x, deps=[ids])\n") == 0);
}

TEST_CASE("a loop of unknown length: sequential counts once, parallel not at all") {
  CHECK(fences("        for p in pl.range(n):\n            pl.submit(k, x, deps=[ids])\n") == 0);
  CHECK(fences("        for p in pl.range(n):\n            pl.submit(k, x, deps=[ids])\n"
               "            pl.submit(k, x, deps=[ids])\n") == 1);
  CHECK(fences("        for p in pl.parallel(n):\n            pl.submit(k, x, deps=[ids])\n"
               "            pl.submit(k, x, deps=[ids])\n") == 0);
}

TEST_CASE("one barrier before the outermost loop") {
  PassRun one = run(R"(    with pl.manual_scope():
        ids = pl.array.create(4, pl.TASK_ID)
        for p in pl.range(4):
            for q in pl.parallel(4):
                pl.submit(k, x, deps=[ids])
)");
  CHECK(one.difference_to(with_main(R"(    with pl.manual_scope():
        ids = pl.array.create(4, pl.TASK_ID)
        fence = pl.system.task_dummy(deps=[ids])
        for p in pl.range(4):
            for q in pl.parallel(4):
                pl.submit(k, x, deps=[fence])
)")) == "");
}

TEST_CASE("not where the content of the array changes in the loop, under any name") {
  CHECK(fences("        for p, (a,) in pl.parallel(4, init_values=(ids,)):\n"
               "            pl.submit(k, x, deps=[a])\n            b = pl.yield_(a)\n") == 0);
  CHECK(fences("        for p, (a,) in pl.range(4, init_values=(ids,)):\n"
               "            pl.submit(k, x, deps=[ids])\n            pl.submit(k, x, deps=[ids])\n"
               "            b = pl.array.update_element(a, p, tid)\n            c = pl.yield_(b)\n") == 0);
  CHECK(fences("        for p in pl.parallel(4):\n            a = ids\n            pl.submit(k, x, deps=[ids])\n"
               "            b = pl.array.update_element(a, 0, tid)\n") == 0);
  CHECK(fences("        for p in pl.parallel(4):\n            mine = pl.array.create(4, pl.TASK_ID)\n"
               "            pl.submit(k, x, deps=[mine])\n") == 0);
  // Another array may change.
  CHECK(fences("        next_ids = pl.array.create(4, pl.TASK_ID)\n"
               "        for p, (a,) in pl.parallel(4, init_values=(next_ids,)):\n"
               "            pl.submit(k, x, deps=[ids])\n            b = pl.array.update_element(a, p, tid)\n"
               "            c = pl.yield_(b)\n") == 1);
}

TEST_CASE("not for single ids, mixed dependencies, or outside of manual scopes") {
  CHECK(fences("        for p in pl.parallel(4):\n            pl.submit(k, x, deps=[tid])\n") == 0);
  CHECK(fences("        for p in pl.parallel(4):\n            pl.submit(k, x, deps=[ids, tid])\n") == 0);
  PassRun automatic = run(
      "    ids = pl.array.create(4, pl.TASK_ID)\n    for p in pl.parallel(4):\n        pl.submit(k, x, deps=[ids])\n");
  CHECK(automatic.after() == automatic.before());
}

TEST_CASE("barriers are not put before barriers on a second run") {
  PassRun one =
      run("    with pl.manual_scope():\n        ids = pl.array.create(4, pl.TASK_ID)\n"
          "        for p in pl.parallel(4):\n            pl.submit(k, x, deps=[ids])\n");
  Options options;
  PassContext context{one.ir(), one.diags(), options};
  CHECK(expand_manual_phase_fence(one.after(), context) == one.after());
}

}  // namespace
}  // namespace pyptoc::passes
