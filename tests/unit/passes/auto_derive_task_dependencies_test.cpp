// SPDX-License-Identifier: Apache-2.0
// AutoDeriveTaskDependencies: each rule of its contract.
#include "passes/auto_derive_task_dependencies.h"

#include "task_fixture.h"

namespace pyptoc::passes {
namespace {

using testing::TaskRun;

constexpr std::string_view kX = "x: pl.InOut[TENSOR], y: pl.Out[TENSOR], z: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]";

std::string waits(std::string_view body, std::string_view parameters = kX) {
  TaskRun run(parameters, body, auto_derive_task_dependencies);
  INFO(run.messages());
  diag::Engine engine;
  CHECK(ir::verify(run.after(), engine));
  CHECK(run.stays(auto_derive_task_dependencies));
  return run.waits();
}

TEST_CASE("a reader behind the writer, a writer behind the reader, a writer behind a writer") {
  CHECK(waits("    x2 = change(x)\n    look(x2)\n") == "look <- change\n");
  CHECK(waits("    look(x)\n    x2 = change(x)\n") == "change <- look\n");
  CHECK(waits("    y2 = make(y)\n    y3 = make(y2)\n") == "make <- make\n");
  CHECK(waits("    look(x)\n    y2 = use(x, y)\n") == "");
}

TEST_CASE("edges that follow from others are left out") {
  CHECK(waits("    y2 = use(x, y)\n    z2 = use(y2, z)\n    x2 = use(z2, x)\n") == "use <- use\nuse <- use\n");
  CHECK(waits("    y2, t = pl.submit(use, x, y)\n    pl.submit(look, y2, deps=[t])\n") == "look <- use\n");
}

TEST_CASE("parts that share no element are not ordered") {
  CHECK(waits("    a = pl.tensor.slice(x, [32], [0])\n    b = pl.tensor.slice(x, [32], [32])\n"
              "    a2 = change_half(a)\n    look_half(b)\n") == "");
  CHECK(waits("    a = pl.tensor.slice(x, [32], [0])\n    b = pl.tensor.slice(x, [32], [16])\n"
              "    a2 = change_half(a)\n    look_half(b)\n") == "look_half <- change_half\n");
}

TEST_CASE("scopes count for the scope around them, loops and branches are scopes of their own") {
  CHECK(waits("    with pl.scope():\n        x2 = change(x)\n    look(x)\n") == "look <- change\n");
  CHECK(waits("    for i in pl.range(4):\n        y2 = make(y)\n        look(y2)\n") == "look <- make\n");
  CHECK(waits("    if n > 0:\n        y2 = make(y)\n        look(y2)\n") == "look <- make\n");
}

TEST_CASE("a scope with an access that cannot be bounded is left as it is, what is inside of it is not") {
  // A value of two possible buffers.
  CHECK(waits("    if n > 0:\n        a = pl.yield_(x)\n    else:\n        a = pl.yield_(y)\n    look(a)\n"
              "    z2 = make(z)\n    look(z2)\n") == "");
  // What conflicts lies in a loop.
  CHECK(waits("    for i in pl.range(4):\n        x2 = change(x)\n    look(x)\n    z2 = make(z)\n    look(z2)\n") ==
        "");
  CHECK(
      waits(
          "    x2 = change(x)\n    for i in pl.range(4):\n        look(x)\n        z2 = make(z)\n        look(z2)\n") ==
      "look <- make\n");
  // Nothing that conflicts lies in the loop.
  CHECK(waits("    x2 = change(x)\n    look(x2)\n    for i in pl.range(4):\n        look(y)\n") == "look <- change\n");
}

TEST_CASE("never inside of a manual scope") {
  CHECK(waits("    with pl.manual_scope():\n        x2 = change(x)\n        look(x2)\n") == "");
}

}  // namespace
}  // namespace pyptoc::passes
