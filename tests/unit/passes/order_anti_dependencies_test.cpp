// SPDX-License-Identifier: Apache-2.0
// OrderAntiDependencies: each rule of its contract.
#include "passes/order_anti_dependencies.h"

#include "task_fixture.h"

namespace pyptoc::passes {
namespace {

using testing::TaskRun;

constexpr std::string_view kX = "x: pl.InOut[TENSOR], y: pl.Out[TENSOR], z: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]";

TEST_CASE("a writer waits for the reader before it: the reader becomes a submit, its results keep their names") {
  testing::PassRun run(std::string(testing::kTaskKernels) + R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: pl.InOut[TENSOR], y: pl.Out[TENSOR]) -> TENSOR:
    y2 = use(x, y)
    x2 = change(x)
    return y2
)",
                       {derive_call_directions, order_anti_dependencies});
  CHECK(run.difference_to(std::string(testing::kTaskKernels) + R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: pl.InOut[TENSOR], y: pl.Out[TENSOR]) -> TENSOR:
    t = pl.submit(use, x, y, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
    y2 = t[0]
    use_tid = t[1]
    x2 = change(x, attrs={"arg_directions": [pl.adir.inout], "compiler_manual_dep_edges": [use_tid]})
    return y2
)") == "");
}

TEST_CASE("an order that the runtime derives needs no edge") {
  // The writer reads what the reader wrote.
  CHECK(TaskRun(kX, "    y2 = use(x, y)\n    x2 = use(y2, x)\n").waits() == "");
  // Nobody writes, or only before.
  CHECK(TaskRun(kX, "    x2 = change(x)\n    y2 = use(x2, y)\n    z2 = use(x2, z)\n").waits() == "");
  // Writers of one buffer are ordered by their look-ups.
  CHECK(TaskRun(kX, "    x2 = change(x)\n    x3 = change(x2)\n").waits() == "");
}

TEST_CASE("an edge that another one implies is left out") {
  // The first use is before the second by what it writes, and so is everything that it waits for.
  CHECK(TaskRun(kX, "    y2 = use(x, y)\n    z2 = use(y2, z)\n    x2 = use(z2, x)\n").waits() == "");
  // The later of two readers waits for the earlier one.
  CHECK(TaskRun("x: pl.InOut[TENSOR], y: pl.InOut[TENSOR], z: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]",
                "    y2 = use(x, y)\n    y3 = use(x, y2)\n    x2 = change(x)\n")
            .waits() == "change <- use\n");
  // A user's dependency counts.
  CHECK(TaskRun(kX, "    y2, t = pl.submit(use, x, y)\n    x2, u = pl.submit(change, x, deps=[t])\n").waits() ==
        "change <- use\n");
}

// The emitted C++ took a tensor for the id of a task: a graph of the front end names results in this attribute.
TEST_CASE("what a task handed back stands for the task") {
  auto on = [](const std::string& names) { return ", attrs={\"compiler_manual_dep_edges\": [" + names + "]})\n"; };
  const std::string use = "    y2 = use(x, y)\n";
  CHECK(TaskRun(kX, use + "    z2 = use(pl.no_dep(y2), z" + on("y2")).waits() == "use <- use\n");
  CHECK(TaskRun(kX, use + "    y3 = y2\n    z2 = use(pl.no_dep(y3), z" + on("y3")).waits() == "use <- use\n");
  // The runtime orders them already, or no task made it.
  CHECK(TaskRun(kX, use + "    z2 = use(y2, z" + on("y2")).waits() == "");
  CHECK(TaskRun(kX, "    z2 = use(pl.no_dep(x), z" + on("x")).waits() == "");
  // A part of it, and what one iteration hands to the next: whichever tasks wrote there.
  CHECK(TaskRun(kX, use + "    p = pl.tensor.slice(y2, [32], [0])\n    z2 = use(pl.no_dep(x), z" + on("p")).waits() ==
        "use <- use\n");
  CHECK(
      TaskRun(kX,
              "    y2, t = pl.submit(use, x, y)\n    z2 = use(x, z, attrs={\"compiler_manual_dep_edges\": [y2, t]})\n")
          .waits() == "use <- use\n");
}

TEST_CASE("all readers since the last write, none from before it") {
  CHECK(TaskRun(kX, "    y2 = use(x, y)\n    look(x)\n    x2 = change(x)\n    x3 = make(x2)\n").waits() ==
        "change <- look\nchange <- use\n");
}

TEST_CASE("views that share no element need no edge, those that may do") {
  constexpr std::string_view kLow = "    a = pl.tensor.slice(x, [32], [0])\n    look_half(a)\n";
  auto second = [&](std::string_view offset) {
    return TaskRun(kX, std::string(kLow) + "    b = pl.tensor.slice(x, [32], [" + std::string(offset) +
                           "])\n    b2 = change_half(b)\n")
        .waits();
  };
  CHECK(second("32") == "");
  CHECK(second("31") == "change_half <- look_half\n");
  CHECK(second("n") == "change_half <- look_half\n");
}

TEST_CASE("a view is its buffer: a reshape, a slice of a slice, a kernel's result") {
  CHECK(TaskRun(kX,
                "    a = pl.tensor.reshape(x, [2, 32])\n    b = pl.tensor.slice(a, [1, 32], [1, 0])\n"
                "    c = pl.tensor.reshape(b, [32])\n    look_half(c)\n    x2 = change(x)\n")
            .waits() == "change <- look_half\n");
  CHECK(TaskRun(kX, "    x2 = change(x)\n    look(x2)\n    x3 = change(x)\n").waits() == "change <- look\n");
}

TEST_CASE("a reader in a branch: the id is a result of the if") {
  TaskRun run(kX, "    if n > 0:\n        look(x)\n    x2 = change(x)\n");
  CHECK(run.waits() == "change <- look\n");
  CHECK(run.faults() == "");
  CHECK(run.text().find("pl.yield_(no_task)") != std::string::npos);
}

TEST_CASE("a writer in a branch waits for a reader before it") {
  CHECK(TaskRun(kX, "    look(x)\n    if n > 0:\n        x2 = change(x)\n").waits() == "change <- look\n");
}

TEST_CASE("branches do not see each other; what follows sees both") {
  TaskRun run(kX, "    if n > 0:\n        look(x)\n    else:\n        x2 = change(x)\n    x3 = change(x)\n");
  CHECK(run.waits() == "change <- look\n");
  CHECK(run.faults() == "");
}

TEST_CASE("what only one branch orders is not ordered behind both") {
  CHECK(TaskRun(kX, "    look(x)\n    if n > 0:\n        x2 = change(x)\n    x3 = make(x)\n").waits() ==
        "change <- look\nmake <- look\n");
}

TEST_CASE("a reader of the iteration before: the id is a carry") {
  TaskRun run(kX, "    for i in pl.range(4):\n        x2 = change(x)\n        look(x)\n");
  CHECK(run.waits() == "change <- look@previous\n");
  CHECK(run.faults() == "");
  CHECK(run.stays(order_anti_dependencies));
}

TEST_CASE("iterations of a parallel loop count as well") {
  CHECK(TaskRun(kX, "    for i in pl.parallel(4):\n        x2 = make(x)\n        look(x)\n").waits() ==
        "make <- look@previous\n");
}

TEST_CASE("a buffer that each iteration makes anew has no readers of another one") {
  CHECK(TaskRun(kX,
                "    for i in pl.range(4):\n        t = pl.tensor.create([64], dtype=pl.FP32)\n        t2 = make(t)\n"
                "        look(t2)\n")
            .waits() == "");
}

TEST_CASE("parts that move with the loop's variable do not meet") {
  constexpr std::string_view kBig = "x: pl.InOut[pl.Tensor[[256], pl.FP32]]";
  auto loop = [&](std::string_view read, std::string_view write) {
    return TaskRun(kBig, "    for i in pl.range(4):\n        a = pl.tensor.slice(x, [32], [" + std::string(write) +
                             "])\n        a2 = change_half(a)\n        b = pl.tensor.slice(x, [32], [" +
                             std::string(read) + "])\n        look_half(b)\n")
        .directions();
  };
  CHECK(loop("i * 32", "i * 32") == "change_half: InOut\nlook_half: Input\n");
  CHECK(loop("i * 64 + 32", "i * 64") == "change_half: InOut\nlook_half: Input\n");
  // The next iteration writes what this one reads, and no two readers wait for each other.
  CHECK(loop("(i + 1) * 32", "i * 32") == "change_half: InOut\nlook_half: InOut\n");
}

TEST_CASE("parts of an extent that is known at run time do not meet either") {
  constexpr std::string_view kRows = "x: pl.InOut[pl.Tensor[[M, 32], pl.FP32]], m: pl.Scalar[pl.INDEX]";
  TaskRun run(kRows,
              "    n = pl.tensor.dim(x, 0) // 4\n    for i in pl.range(4):\n"
              "        a = pl.tensor.slice(x, [n, 32], [i * n, 0])\n        change_rows(a)\n        look_rows(a)\n",
              order_anti_dependencies, R"(
M = pl.dynamic("M")

@pl.function(type=pl.FunctionType.AIV)
def change_rows(x: pl.InOut[pl.Tensor[[M, 32], pl.FP32]]):
    return

@pl.function(type=pl.FunctionType.AIV)
def look_rows(x: pl.Tensor[[M, 32], pl.FP32]):
    return

)");
  CHECK(run.waits() == "");
}

TEST_CASE("nested loops: the last reader of the inner one when they wait for each other") {
  TaskRun run("x: pl.InOut[TENSOR], y: pl.InOut[TENSOR], n: pl.Scalar[pl.INDEX]",
              "    for i in pl.range(4):\n        x2 = change(x)\n        for j in pl.range(n):\n"
              "            y2 = use(x, y)\n");
  CHECK(run.waits() == "change <- use@previous\n");
  CHECK(run.faults() == "");
}

TEST_CASE("readers in a loop without an order among themselves: both sides become InOut") {
  TaskRun run("x: pl.InOut[pl.Tensor[[256], pl.FP32]], n: pl.Scalar[pl.INDEX]",
              "    for i in pl.parallel(n):\n        a = pl.tensor.slice(x, [32], [i * 32])\n        look_half(a)\n"
              "    b = pl.tensor.slice(x, [32], [n])\n    b2 = change_half(b)\n");
  CHECK(run.waits() == "");
  CHECK(run.directions() == "look_half: InOut\nchange_half: InOut\n");
  CHECK(run.faults() == "");
  CHECK(run.stays(order_anti_dependencies));
}

TEST_CASE("readers of the same elements in a sequential loop wait for one another instead") {
  TaskRun run(kX, "    for i in pl.range(n):\n        look(x)\n    x2 = change(x)\n");
  CHECK(run.waits() == "look <- look@previous*\nchange <- look*\n");
  CHECK(run.directions() == "look: Input\nchange: InOut\n");
  CHECK(run.faults() == "");
  CHECK(run.stays(order_anti_dependencies));
}

TEST_CASE("a writer that runs in some iterations only waits for the readers of all before") {
  TaskRun run(kX,
              "    for i in pl.range(8):\n        if i > n:\n            x2 = change(x)\n        else:\n"
              "            look(x)\n");
  CHECK(run.waits() == "change <- look@previous*\nlook <- look@previous*\n");
  CHECK(run.faults() == "");
  CHECK(run.stays(order_anti_dependencies));
}

TEST_CASE("a while loop carries ids too") {
  TaskRun run(
      kX,
      "    i = 0\n    for (i2,) in pl.while_(init_values=(i,)):\n        pl.cond(i2 < n)\n        x2 = change(x)\n"
      "        look(x)\n        i3 = i2 + 1\n        i4 = pl.yield_(i3)\n");
  CHECK(run.waits() == "change <- look@previous\n");
  CHECK(run.faults() == "");
}

TEST_CASE("a scope is no border") {
  TaskRun run(kX, "    with pl.scope():\n        look(x)\n    with pl.scope():\n        x2 = change(x)\n");
  CHECK(run.waits() == "change <- look\n");
  CHECK(run.faults() == "");
}

TEST_CASE("a value that may be one of two buffers counts for both") {
  TaskRun run(kX,
              "    if n > 0:\n        a = pl.yield_(x)\n    else:\n        a = pl.yield_(y)\n    look(a)\n"
              "    x2 = change(x)\n    y2 = make(y)\n");
  CHECK(run.waits() == "change <- look\nmake <- look\n");
}

TEST_CASE("a task that waits for an element of a tensor reads it") {
  constexpr std::string_view kFlag = "x: pl.InOut[TENSOR], y: pl.Out[TENSOR], flag: pl.InOut[pl.Tensor[[4], pl.INT32]]";
  constexpr std::string_view kSet = R"(
@pl.function(type=pl.FunctionType.AIV)
def set_flag(f: pl.InOut[pl.Tensor[[4], pl.INT32]]):
    return

)";
  TaskRun run(kFlag,
              "    y2, t = pl.submit(use, x, y, predicate=(pl.tensor.read(flag, [0]) > 0))\n    set_flag(flag)\n",
              order_anti_dependencies, kSet);
  CHECK(run.waits() == "set_flag <- use\n");
}

TEST_CASE("an element that the orchestration writes: readers of a caller's buffer become InOut") {
  TaskRun run(kX, "    look(x)\n    x2 = pl.tensor.write(x, [0], 1.0)\n");
  CHECK(run.directions() == "look: InOut\n");
  // The orchestration waits for every task on a buffer of its own.
  TaskRun own(kX,
              "    t = pl.tensor.create([64], dtype=pl.FP32)\n    t2 = make(t)\n    look(t2)\n"
              "    t3 = pl.tensor.write(t2, [0], 1.0)\n    t4 = change(t3)\n");
  CHECK(own.directions() == "make: OutputExisting\nlook: Input\nchange: InOut\n");
  CHECK(own.waits() == "");
}

TEST_CASE("what the orchestration waited for is over, if anybody needs the element") {
  constexpr std::string_view kRead = "    y2 = use(x, y)\n    v = pl.tensor.read(y2, [0])\n";
  CHECK(TaskRun(kX, std::string(kRead) + "    if v > 0.0:\n        look(z)\n    x2 = change(x)\n").waits() == "");
  CHECK(TaskRun(kX, std::string(kRead) + "    w = v + 1.0\n    x2 = change(x)\n").waits() == "change <- use\n");
}

TEST_CASE("arguments and buffers that the user keeps untracked are left alone") {
  CHECK(TaskRun(kX, "    look(pl.no_dep(x))\n    x2 = change(x)\n").waits() == "");
  CHECK(TaskRun(kX,
                "    t = pl.tensor.create([64], dtype=pl.FP32, manual_dep=True)\n    t2 = make(t)\n    look(t2)\n"
                "    t3 = change(t2)\n")
            .waits() == "");
}

TEST_CASE("tasks behind a manual scope wait for what its tasks wrote and read") {
  TaskRun run(kX,
              "    with pl.manual_scope():\n        y2, t = pl.submit(use, x, y)\n    x2 = change(x)\n    look(y2)\n");
  CHECK(run.waits() == "change <- use\nlook <- use\n");
  CHECK(run.faults() == "");
}

TEST_CASE("a task with a predicate waits for who wrote the element that it reads") {
  constexpr std::string_view kFlag =
      "x: pl.InOut[TENSOR], y: pl.InOut[TENSOR], f: pl.InOut[TENSOR], n: pl.Scalar[pl.INDEX]";
  TaskRun run(kFlag,
              "    f2 = change(f)\n    y2, t = pl.submit(use, x, y, predicate=(pl.tensor.read(f2, [0]) > 3.0))\n");
  CHECK(run.waits() == "use <- change\n");
  CHECK(run.faults() == "");
  CHECK(run.stays(order_anti_dependencies));
  TaskRun told(kFlag,
               "    f2, a = pl.submit(change, f)\n"
               "    y2, t = pl.submit(use, x, y, deps=[a], predicate=(pl.tensor.read(f2, [0]) > 3.0))\n");
  CHECK(told.waits() == "use <- change\n");
  // The runtime's own edge on another argument is enough.
  TaskRun derived(kFlag,
                  "    f2 = change(f)\n    y2, t = pl.submit(use, f2, y, predicate=(pl.tensor.read(f2, [0]) > 3.0))\n");
  CHECK(derived.waits() == "");
  TaskRun loop(
      kFlag,
      "    for i in pl.range(n):\n        y2, t = pl.submit(use, x, y, predicate=(pl.tensor.read(f, [0]) > 3.0))\n"
      "        f2 = change(f)\n");
  CHECK(loop.faults() == "");
  CHECK(loop.waits().find("use <- change@previous*\n") != std::string::npos);
}

TEST_CASE("nothing is added in a manual scope; W0520 what no dependency can order") {
  TaskRun run(kX, "    with pl.manual_scope():\n        y2 = use(x, y)\n        look(y2)\n");
  CHECK(run.waits() == "");
  CHECK(run.messages().find("W0520") == 0);
  CHECK(run.messages().find(": `look` reads `y` and no dependency orders it behind `use`, which writes it\n"
                            "  note: the earlier task is here\n") != std::string::npos);
  TaskRun good(
      kX, "    with pl.manual_scope():\n        y2, t = pl.submit(use, x, y)\n        pl.submit(look, y2, deps=[t])\n");
  CHECK(good.messages() == "");
}

TEST_CASE("W0522: tasks of a loop in a manual scope whose ids nobody carried") {
  constexpr std::string_view kLoop =
      "    with pl.manual_scope():\n        for i in pl.range(4):\n            y2 = use(x, y)\n";
  TaskRun run(kX, std::string(kLoop) + "    look(y)\n");
  CHECK(run.has("W0522"));
  TaskRun carried(kX,
                  "    ids = pl.array.create(4, pl.TASK_ID)\n    with pl.manual_scope():\n"
                  "        for i, (a,) in pl.parallel(4, init_values=(ids,)):\n"
                  "            y2, t = pl.submit(use, x, y)\n            a2 = pl.array.update_element(a, i, t)\n"
                  "            b = pl.yield_(a2)\n    pl.submit(look, y, deps=[b])\n");
  CHECK(carried.messages() == "");
}

// Only the last task of such a chain was believed to be behind the others, and only where nothing came between.
TEST_CASE("no W0522 for a chain of several tasks whose last id is waited for") {
  constexpr std::string_view kChain =
      "    none = pl.system.task_invalid()\n    with pl.manual_scope():\n"
      "        for i, (t,) in pl.range(n, init_values=(none,)):\n"
      "            y2, t2 = pl.submit(use, x, y, deps=[t])\n"
      "            if i > 2:\n                y3, t3 = pl.submit(change, y2, deps=[t2])\n"
      "                t4 = pl.yield_(t3)\n            else:\n                t4 = pl.yield_(t2)\n"
      "            y5, t5 = pl.submit(change, y, deps=[t4])\n            last = pl.yield_(t5)\n";
  TaskRun behind(kX, std::string(kChain) + "    y6, u = pl.submit(change, y, deps=[last])\n    look(y6)\n");
  CHECK(behind.messages() == "");
  TaskRun within(kX, std::string(kChain) + "        y6, u = pl.submit(change, y, deps=[last])\n    z2 = change(z)\n");
  CHECK(within.messages() == "");
  TaskRun alone(kX, std::string(kChain) + "    look(y)\n");
  CHECK(alone.has("W0522"));
}

TEST_CASE("an id that may be another one orders nothing; one that each iteration hands on orders all of them") {
  constexpr std::string_view kReaders = "    y2, t = pl.submit(use, x, y)\n    z2, u = pl.submit(use, x, z)\n";
  constexpr std::string_view kWriter = "    x2, w = pl.submit(change, x, deps=[v])\n";
  TaskRun either(kX, std::string(kReaders) +
                         "    if n > 2:\n        v = pl.yield_(t)\n    else:\n        v = pl.yield_(u)\n" +
                         std::string(kWriter));
  CHECK(either.faults() == "");
  CHECK(either.text().find("\"compiler_manual_dep_edges\": [use_tid_1, use_tid]") != std::string::npos);
  TaskRun in_branches(kX,
                      "    if n > 2:\n        y2, t = pl.submit(use, x, y)\n        v = pl.yield_(t)\n    else:\n"
                      "        z2, u = pl.submit(use, x, z)\n        v = pl.yield_(u)\n" +
                          std::string(kWriter));
  CHECK(in_branches.text().find("compiler_manual_dep_edges") == std::string::npos);
  TaskRun handed_on(kX,
                    "    none = pl.system.task_invalid()\n    for i, (t,) in pl.range(n, init_values=(none,)):\n"
                    "        a, u = pl.submit(use, x, y)\n        f = pl.system.task_dummy(deps=[t, u])\n"
                    "        v = pl.yield_(f)\n" +
                        std::string(kWriter));
  CHECK(handed_on.waits() == "barrier <- barrier@previous*\nbarrier <- use\nchange <- barrier*\n");
}

TEST_CASE("W0523: an element that a task of a manual scope wrote") {
  TaskRun run(kX,
              "    with pl.manual_scope():\n        y2 = use(x, y)\n    v = pl.tensor.read(y2, [0])\n"
              "    if v > 0.0:\n        look(z)\n");
  CHECK(run.has("W0523"));
}

TEST_CASE("tasks that can block on a peer wait for one another, through branches and loops") {
  constexpr std::string_view kWindows =
      "v: pl.InOut[pld.DistributedTensor[[64], pl.INT32]], w: pl.InOut[pld.DistributedTensor[[64], pl.INT32]], "
      "n: pl.Scalar[pl.INDEX]";
  CHECK(TaskRun(kWindows, "    meet(v)\n    meet(w)\n").waits() == "meet <- meet\n");
  TaskRun branch(kWindows, "    meet(v)\n    if n > 0:\n        meet(w)\n    meet(v)\n");
  CHECK(branch.faults() == "");
  TaskRun loop(kWindows, "    for i in pl.range(n):\n        meet(v)\n        meet(w)\n    meet(w)\n");
  CHECK(loop.waits() == "meet <- meet@previous*\nmeet <- meet\n");
  CHECK(loop.faults() == "");
  CHECK(loop.stays(order_anti_dependencies));
}

TEST_CASE("W0521: tasks in a manual scope that can block on a peer") {
  TaskRun run("v: pl.InOut[pld.DistributedTensor[[64], pl.INT32]], w: pl.InOut[pld.DistributedTensor[[64], pl.INT32]]",
              "    with pl.manual_scope():\n        meet(v)\n        meet(w)\n");
  CHECK(run.has("W0521"));
}

TEST_CASE("carries that change places: reading what the iteration before wrote orders them already") {
  TaskRun swap(kX,
               "    for i, (a, b) in pl.range(n, init_values=(x, y)):\n        b2 = use(a, b)\n"
               "        a3, b3 = pl.yield_(b2, a)\n");
  CHECK(swap.waits() == "");
  CHECK(swap.faults() == "");
  TaskRun other(kX,
                "    for i, (a, b) in pl.range(n, init_values=(x, y)):\n        b2 = make(b)\n        look(a)\n"
                "        a3, b3 = pl.yield_(b2, a)\n");
  CHECK(other.directions().find("look: InOut\n") != std::string::npos);  // what it reads is written next time
  CHECK(other.faults() == "");
}

TEST_CASE("thousands of tasks take time in their number") {
  std::string body;
  for (int i = 0; i < 3000; ++i) body += "    look(x)\n    x = change(x)\n";
  TaskRun run(kX, body);
  CHECK(run.waits().size() == 3000 * std::string("change <- look\n").size());
}

// What a barrier of all ranks separates: windows that others write to, and read from.
TEST_CASE("a barrier waits for all tasks that touched a window before, and those behind it for the barrier") {
  constexpr std::string_view kMore = R"(
@pl.function(type=pl.FunctionType.AIV, attrs={"builtin_template_dir": "x.collectives.barrier"})
def barrier(w: pl.InOut[pld.DistributedTensor[[64], pl.INT32]]) -> pld.DistributedTensor[[64], pl.INT32]:
    return w

@pl.function(type=pl.FunctionType.AIV)
def show(w: pld.DistributedTensor[[64], pl.INT32]):
    return

)";
  constexpr std::string_view kWindows =
      "v: pl.InOut[pld.DistributedTensor[[64], pl.INT32]], w: pl.InOut[pld.DistributedTensor[[64], pl.INT32]], "
      "x: pl.InOut[TENSOR], n: pl.Scalar[pl.INDEX]";
  TaskRun run(kWindows, "    show(v)\n    look(x)\n    barrier(w)\n    show(v)\n    look(x)\n", order_anti_dependencies,
              kMore);
  CHECK(run.waits() == "barrier <- show\nshow <- barrier\n");
  CHECK(run.faults() == "");
  CHECK(run.stays(order_anti_dependencies));
  TaskRun loop(kWindows, "    for i in pl.range(n):\n        barrier(w)\n        show(v)\n", order_anti_dependencies,
               kMore);
  CHECK(loop.waits() == "barrier <- show@previous*\nshow <- barrier\n");
  CHECK(loop.faults() == "");
}

// The edge was left out: the maker of the value's buffer was taken to be the task of this iteration, or to be there
// whichever buffer the value is.
TEST_CASE("the maker of a buffer orders only what certainly uses that buffer") {
  CHECK(TaskRun(kX,
                "    m, t = pl.submit(use, y)\n    if n > 0:\n        a = pl.yield_(m)\n    else:\n"
                "        a = pl.yield_(x)\n    b, u = pl.submit(use, a)\n    y2 = change(y)\n")
            .waits() == "change <- use\n");
  TaskRun carried(kX,
                  "    for i, (p, q) in pl.range(n, init_values=(x, y)):\n        m, t = pl.submit(use, p)\n"
                  "        q2 = change(q)\n        p3, q3 = pl.yield_(m, m)\n");
  CHECK(carried.directions() == "use: InOut\nchange: InOut\n");  // whichever iteration's output the two get
  CHECK(carried.faults() == "");
  CHECK(TaskRun(kX,
                "    for i, (p,) in pl.range(n, init_values=(x,)):\n        m, t = pl.submit(use, p)\n"
                "        m2 = change(m)\n        p3 = pl.yield_(m2)\n")
            .waits() == "");
}

}  // namespace
}  // namespace pyptoc::passes
