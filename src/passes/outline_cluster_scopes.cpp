// SPDX-License-Identifier: Apache-2.0
#include "passes/outline_cluster_scopes.h"

#include "passes/kernel_access.h"
#include "passes/outline_scopes.h"

namespace pyptoc::passes {

using namespace ir;

const Program* outline_cluster_scopes(const Program* program, PassContext& context) {
  if (!program->contents.has(Content::Scope)) return program;
  auto launches = [](const Function* f) {
    return f->func_type == FunctionType::Opaque || f->func_type == FunctionType::Orchestration;
  };
  auto same = [](const Function* f) { return f; };
  std::vector<std::string_view> made;
  program = outline_program(program, OutlineKind::Cluster, context, made, launches, same);
  program = outline_program(program, OutlineKind::Spmd, context, made, launches, same);
  return infer_directions(program, made, context);
}

}  // namespace pyptoc::passes
