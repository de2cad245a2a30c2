// SPDX-License-Identifier: Apache-2.0
// Checkers of the properties that the passes on tasks ensure.
#include "ir/op_table.h"
#include "ir/walker.h"
#include "passes/call_graph.h"
#include "passes/property_checks.h"
#include "passes/task_order.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

void add(Findings& findings, const Function* f, const std::string& what) {
  if (findings.size() < kMaxFindings) findings.push_back("`" + std::string(f->name) + "`: " + what);
}

std::string name_of_call(const Expr* call) {
  const Op* callee = called_function(call);
  return "`" + std::string(callee != nullptr ? callee->name : "task_dummy") + "`";
}

}  // namespace

void check_ChipCollectivesLowered(const Program* program, Findings& findings) {
  class Collectives : public Walker {
   public:
    std::vector<std::string_view> found;

   protected:
    void visit(const Node* node) override {
      const Call* call = as<Call>(node);
      if (call != nullptr && !call->op->is_global_var && is_collective(call->op->id)) found.push_back(call->op->name);
      children(node);
    }
  };
  for (const Function* f : program->functions) {
    if (!submits_tasks(f) || !f->contents.has(Content::Window)) continue;
    Collectives collectives;
    collectives.walk(f->body);
    for (std::string_view name : collectives.found) add(findings, f, "has the collective `" + std::string(name) + "`");
  }
}

void check_CallDirectionsResolved(const Program* program, Findings& findings) {
  for (const Function* f : program->functions) {
    if (!submits_tasks(f)) continue;
    for (const Expr* call : function_calls(f)) {
      if (program->find(called_function(call)) == nullptr) continue;
      const AttrValue* directions = find_attr(call_attrs(call), "arg_directions");
      if (directions == nullptr || directions->kind() != AttrKind::ArgDirectionVector)
        add(findings, f, "the call of " + name_of_call(call) + " has no argument directions");
      else if (directions->as_ints().size() != call_args(call).size())
        add(findings, f, "the call of " + name_of_call(call) + " has another number of directions than arguments");
    }
  }
}

// Ordered is what needs no further edge.
void check_TasksOrdered(const Program* program, Findings& findings) {
  BufferRoots roots(program);
  BlockingKernels blocking(program);
  const ParamAliases aliases(program, roots);
  diag::Engine ignored;
  for (const Function* f : program->functions) {
    if (!submits_tasks(f)) continue;
    FunctionRegions regions(f, roots);
    TaskProgram tasks = task_program(program, f, regions, blocking, &aliases);
    TaskOrder order = find_task_order(tasks, regions, ignored);
    for (size_t t = 0; t < tasks.tasks.size(); ++t) {
      if (order.edges[t].empty() && order.inout_args[t].empty()) continue;
      const std::string call = name_of_call(tasks.tasks[t].call);
      for (const TaskEdge& edge : order.edges[t])
        add(findings, f,
            call + " does not wait for " + name_of_call(tasks.tasks[static_cast<size_t>(edge.source)].call));
      if (!order.inout_args[t].empty())
        add(findings, f, "argument " + std::to_string(order.inout_args[t].front()) + " of " + call + " is not InOut");
    }
  }
}

}  // namespace pyptoc::passes
