// SPDX-License-Identifier: Apache-2.0
#include "passes/shared_tensors.h"

#include "ir/collectives.h"
#include "ir/op_table.h"
#include "ir/walker.h"
#include "passes/call_graph.h"
#include "passes/collective_kernels.h"
#include "passes/task_program.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

class Elements : public Walker {
 public:
  Elements(const Function* kernel, BufferRoots& roots, ElementAccess& out)
      : kernel_(kernel), roots_(roots), out_(out) {}

 protected:
  void visit(const Node* node) override {
    const Call* call = as<Call>(node);
    if (call != nullptr && call->op->id == OpId::TensorRead) mark(call->args[0], out_.reads);
    if (call != nullptr && call->op->id == OpId::TensorWrite) mark(call->args[0], out_.writes);
    children(node);
  }

 private:
  void mark(const Expr* tensor, std::vector<bool>& params) {
    const FunctionRoots& roots = roots_.of(kernel_);  // few kernels get here
    for (int number : roots.of(tensor)) {
      const Root& root = roots.root(number);
      if (root.kind == Root::Kind::Param) params[static_cast<size_t>(root.param)] = true;
    }
  }

  const Function* kernel_;
  BufferRoots& roots_;
  ElementAccess& out_;
};

ElementAccess element_access(const Function* kernel, BufferRoots& roots) {
  ElementAccess out;
  out.reads.assign(kernel->params.size(), false);
  out.writes.assign(kernel->params.size(), false);
  if (kernel->body->contents.has_any(Content::ElementRead | Content::ElementWrite))
    Elements(kernel, roots, out).walk(kernel->body);
  return out;
}

}  // namespace

SharedTensors::SharedTensors(const Program* program, BufferRoots& roots) : program_(program), roots_(roots) {
  for (const Function* f : program->functions) {
    if (is_kernel(f)) elements_[f] = element_access(f, roots);
    uses_[f].resize(f->params.size());
  }
  for (const Function* f : program->functions)
    if (submits_tasks(f)) orchestration(f);
}

// What is done to a root anywhere in the function counts for all tasks that get it: loops bring later tasks before
// earlier ones.
void SharedTensors::orchestration(const Function* f) {
  const FunctionRoots& roots = roots_.of(f);
  std::vector<Use> facts(roots.size());
  for (size_t i = 0; i < roots.size(); ++i) {
    const Root& root = roots.root(static_cast<int>(i));
    if (root.kind == Root::Kind::Param) facts[i].after_elements = is_distributed(as<Var>(root.node)->type);
  }
  const std::vector<const Expr*> calls = function_calls(f);
  for (const Expr* call : calls) {
    const Function* callee = program_->find(called_function(call));
    if (callee == nullptr) continue;
    const std::optional<CollectiveVariant> variant = collective_variant(callee);
    const ElementAccess* elements = elements_.find(callee);
    List<const Expr*> args = call_args(call);
    for (size_t p = 0; p < args.size() && p < callee->params.size(); ++p) {
      for (int number : roots.of(args[p])) {
        Use& fact = facts[static_cast<size_t>(number)];
        const bool writes = callee->param_directions[p] != ParamDirection::In;
        if (variant) {
          (writes ? fact.collective_before : fact.collective_after) = collective_info(variant->id).public_name;
          fact.after_elements |= writes;
        } else if (elements != nullptr && elements->writes[p]) {
          fact.after_elements = true;
        }
      }
    }
  }
  for (const Expr* call : calls) {
    const Function* callee = program_->find(called_function(call));
    if (callee == nullptr) continue;
    std::vector<Use>& uses = uses_[callee];
    List<const Expr*> args = call_args(call);
    for (size_t p = 0; p < args.size() && p < uses.size(); ++p) {
      for (int number : roots.of(args[p])) {
        const Use& fact = facts[static_cast<size_t>(number)];
        uses[p].after_elements |= fact.after_elements;
        if (uses[p].collective_before.empty()) uses[p].collective_before = fact.collective_before;
        if (uses[p].collective_after.empty()) uses[p].collective_after = fact.collective_after;
      }
    }
  }
}

bool SharedTensors::reads_elements(const Function* kernel, size_t index) const {
  const ElementAccess* found = elements_.find(kernel);
  return found != nullptr && index < found->reads.size() && found->reads[index];
}

SharedTensors::Use SharedTensors::use(const Function* kernel, size_t index) const {
  const std::vector<Use>* found = uses_.find(kernel);
  return found != nullptr && index < found->size() ? (*found)[index] : Use();
}

}  // namespace pyptoc::passes
