// SPDX-License-Identifier: Apache-2.0
// Orchestrations over a few kernels, and what their tasks wait for after some passes.
#pragma once

#include <algorithm>

#include "front_fixture.h"
#include "ir/verifier.h"
#include "passes/call_graph.h"
#include "passes/derive_call_directions.h"
#include "passes/order_anti_dependencies.h"
#include "passes/property_checks.h"
#include "passes/task_sources.h"

namespace pyptoc::passes::testing {

inline constexpr std::string_view kTaskKernels = R"(
@pl.function(type=pl.FunctionType.AIV)
def use(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    return out

@pl.function(type=pl.FunctionType.AIV)
def look(x: TENSOR):
    return

@pl.function(type=pl.FunctionType.AIV)
def make(out: pl.Out[TENSOR]) -> TENSOR:
    return out

@pl.function(type=pl.FunctionType.AIV)
def change(x: pl.InOut[TENSOR]) -> TENSOR:
    return x

@pl.function(type=pl.FunctionType.AIV)
def look_half(x: pl.Tensor[[32], pl.FP32]):
    return

@pl.function(type=pl.FunctionType.AIV)
def change_half(x: pl.InOut[pl.Tensor[[32], pl.FP32]]) -> pl.Tensor[[32], pl.FP32]:
    return x

@pl.function(type=pl.FunctionType.AIV)
def meet(w: pl.InOut[pld.DistributedTensor[[64], pl.INT32]]) -> pld.DistributedTensor[[64], pl.INT32]:
    pld.system.wait(w, [0], 1, cmp=pld.WaitCmp.Ge)
    return w

)";

// A program whose orchestration `main` has these parameters and this body, after directions were derived and some
// passes ran.
class TaskRun : public PassRun {
 public:
  TaskRun(std::string_view parameters, std::string_view body, PassFunction pass = order_anti_dependencies,
          std::string_view more = "")
      : PassRun(source(parameters, body, more), {derive_call_directions, pass}) {}

  // One line for each task that waits explicitly: `change <- use`, `make <- look@previous` for a task of the previous
  // iteration, `change <- use*` for the tasks of all iterations.
  std::string waits() {
    std::string out;
    for_each_task([&](const TaskProgram& tasks, TaskIdSources& sources, const Task& task) {
      std::vector<std::string> names;
      for (const ir::Expr* dep : task.deps) {
        TaskSources found = sources.of(dep);
        for (const TaskSource& source : found.tasks)
          names.push_back(name(tasks.tasks[static_cast<size_t>(source.task)]) + (source.loop >= 0 ? "@previous" : "") +
                          (source.all ? "*" : ""));
        if (!found.complete) names.push_back("?");
      }
      std::sort(names.begin(), names.end());
      names.erase(std::unique(names.begin(), names.end()), names.end());
      for (const std::string& waited : names) out += name(task) + " <- " + waited + "\n";
    });
    return out;
  }
  // `use: input, inout` for each task.
  std::string directions() {
    std::string out;
    for_each_task([&](const TaskProgram&, TaskIdSources&, const Task& task) {
      if (task.is_dummy) return;
      const ir::Submit* submit = ir::as<ir::Submit>(task.call);
      const ir::AttrValue* list =
          ir::find_attr(submit != nullptr ? submit->attrs : ir::as<ir::Call>(task.call)->attrs, "arg_directions");
      REQUIRE(list != nullptr);
      std::string names;
      for (int32_t direction : list->as_ints())
        names += (names.empty() ? "" : ", ") + std::string(ir::name_of(static_cast<ir::ArgDirection>(direction)));
      out += name(task) + ": " + names + "\n";
    });
    return out;
  }
  // What the verifier and the pass's own property say; empty when all is well.
  std::string faults() {
    std::string out = messages();
    diag::Engine engine;
    ir::verify(after(), engine);
    for (const diag::Diagnostic& d : engine.sorted()) out += d.message + "\n";
    Findings findings;
    check_TasksOrdered(after(), findings);
    check_SSAForm(after(), findings);
    for (const std::string& finding : findings) out += finding + "\n";
    return out;
  }
  bool stays(PassFunction pass) {
    Options options;
    PassContext context{ir(), diags(), options};
    return pass(after(), context) == after();
  }

 private:
  static std::string source(std::string_view parameters, std::string_view body, std::string_view more) {
    return std::string(kTaskKernels) + std::string(more) +
           "@pl.function(type=pl.FunctionType.Orchestration)\ndef main(" + std::string(parameters) + "):\n" +
           std::string(body);
  }
  static std::string name(const Task& task) {
    const ir::Op* callee = called_function(task.call);
    return callee != nullptr ? std::string(callee->name) : "barrier";
  }
  template <class F>
  void for_each_task(F f) {
    REQUIRE(after() != nullptr);
    BufferRoots roots(after());
    BlockingKernels blocking(after());
    const ir::Function* main = after()->find("main");
    FunctionRegions regions(main, roots);
    TaskProgram tasks = task_program(after(), main, regions, blocking);
    TaskIdSources sources(tasks);
    for (const Task& task : tasks.tasks) f(tasks, sources, task);
  }
};

}  // namespace pyptoc::passes::testing
