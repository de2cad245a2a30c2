// SPDX-License-Identifier: Apache-2.0
#include "passes/blocking_kernels.h"

#include <algorithm>

#include "ir/contains.h"
#include "ir/node_map.h"
#include "ir/op_table.h"
#include "passes/call_graph.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

bool waits(const Node* node) {
  const Call* call = as<Call>(node);
  if (call == nullptr || call->op->is_global_var) return false;
  const OpId id = call->op->id;
  return id == OpId::PldSystemWait || id == OpId::PldSystemDeferWait || is_collective(id);
}

bool contains(const std::vector<std::string_view>& sorted, std::string_view name) {
  return std::binary_search(sorted.begin(), sorted.end(), name);
}

}  // namespace

BlockingKernels::BlockingKernels(const Program* program) {
  if (!program->contents.has(Content::Window)) return;  // what is waited for is a cell of a window
  NodeSet blocking;
  NodeSet barriers;
  std::vector<const Function*> wrappers;
  auto has_window = [](const Function* f) {
    return std::any_of(f->params.begin(), f->params.end(),
                       [](const Var* param) { return is_distributed(param->type); });
  };
  for (const Function* f : program->functions) {
    const AttrValue* built_in = find_attr(f->attrs, "builtin_template_dir");
    if (is_wrapper(f) && has_window(f)) wrappers.push_back(f);
    if (!is_kernel(f) || (built_in == nullptr && !has_window(f))) continue;
    if (built_in != nullptr || ir::contains(f->body, waits)) blocking.insert(f);
    if (built_in != nullptr && built_in->kind() == AttrKind::String &&
        built_in->as_string().ends_with(".collectives.barrier"))
      barriers.insert(f);
  }
  // Wrappers are nested a few levels; each round settles one.
  for (size_t known = 0; known != blocking.size() + barriers.size();) {
    known = blocking.size() + barriers.size();
    for (const Function* f : wrappers) {
      for (const Expr* call : function_calls(f)) {
        const Function* callee = program->find(called_function(call));
        if (callee != nullptr && blocking.contains(callee)) blocking.insert(f);
        if (callee != nullptr && barriers.contains(callee)) barriers.insert(f);
      }
    }
  }
  for (const Function* f : program->functions) {  // in order of name
    if (blocking.contains(f)) blocking_.push_back(f->name);
    if (barriers.contains(f)) barriers_.push_back(f->name);
  }
}

bool BlockingKernels::can_block(std::string_view function) const {
  return contains(blocking_, function);
}
bool BlockingKernels::is_barrier(std::string_view function) const {
  return contains(barriers_, function);
}

}  // namespace pyptoc::passes
