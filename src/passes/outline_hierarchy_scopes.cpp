// SPDX-License-Identifier: Apache-2.0
#include "passes/outline_hierarchy_scopes.h"

#include "passes/kernel_access.h"
#include "passes/outline_scopes.h"

namespace pyptoc::passes {

const ir::Program* outline_hierarchy_scopes(const ir::Program* program, PassContext& context) {
  if (!program->contents.has(ir::Content::Scope)) return program;
  std::vector<std::string_view> made;
  program = outline_program(
      program, OutlineKind::Hierarchy, context, made,
      [](const ir::Function* f) { return f->func_type == ir::FunctionType::Opaque; },
      [](const ir::Function* f) { return f; });
  return infer_directions(program, made, context);
}

}  // namespace pyptoc::passes
