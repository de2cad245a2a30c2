// SPDX-License-Identifier: Apache-2.0
#include "passes/outline_incore_scopes.h"

#include "diag/codes_front.h"
#include "ir/map_functions.h"
#include "ir/walker.h"
#include "passes/kernel_access.h"
#include "passes/outline_extents.h"
#include "passes/outline_scopes.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

class FirstScope : public Walker {
 public:
  const Node* find(const Function* f) {
    walk(f->body);
    return found_;
  }

 protected:
  void visit(const Node* node) override {
    if (!is_stmt(node->kind) || !node->contents.has(Content::Scope)) return;
    if (found_ == nullptr && node->kind == NodeKind::InCoreScopeStmt) found_ = node;
    if (found_ == nullptr) children(node);
  }

 private:
  const Node* found_ = nullptr;
};

// Functions with such scopes get ready; scopes where none can be are reported.
const Program* prepare(const Program* program, PassContext& context, NodeSet& with_scopes) {
  return map_functions(program, context.ir, [&](const Function* f) {
    const Node* scope = FirstScope().find(f);
    const Function* ready = f;
    if (scope == nullptr) {
    } else if (is_kernel(f)) {
      context.diags.report(diag::codes::scope_in_kernel, place_of(scope), as<ScopeStmt>(scope)->name_hint, f->name);
    } else if (f->level == Level::Host) {
      context.diags.report(diag::codes::kernel_scope_in_host, place_of(scope), f->name);
    } else {
      if (f->func_type == FunctionType::Opaque) ready = name_param_extents(f, context.ir);
      with_scopes.insert(ready);
    }
    return ready;
  });
}

}  // namespace

const Program* outline_incore_scopes(const Program* program, PassContext& context) {
  if (!program->contents.has(Content::Scope)) return program;
  NodeSet with_scopes;
  program = prepare(program, context, with_scopes);
  std::vector<std::string_view> made;
  program = outline_program(
      program, OutlineKind::InCore, context, made, [&](const Function* f) { return with_scopes.contains(f); },
      [&](const Function* f) {
        if (f->func_type != FunctionType::Opaque) return f;
        Function draft = *f;
        draft.func_type = FunctionType::Orchestration;
        draft.level = Level::Chip;
        draft.role = Role::Orchestrator;
        return context.ir.make(draft);
      });
  return infer_directions(program, made, context);
}

}  // namespace pyptoc::passes
