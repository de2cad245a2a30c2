// SPDX-License-Identifier: Apache-2.0
#include "passes/param_aliases.h"

#include <algorithm>

#include "passes/call_graph.h"

namespace pyptoc::passes {

using namespace ir;

ParamAliases::ParamAliases(const Program* program, BufferRoots& roots) {
  for (const Function* f : program->functions) {
    if (!is_host_orchestrator(f)) continue;
    for (const Expr* call : function_calls(f))
      if (const Function* callee = program->find(called_function(call))) note(call, callee, roots.of(f));
  }
}

void ParamAliases::note(const Expr* call, const Function* callee, const FunctionRoots& roots) {
  List<const Expr*> args = call_args(call);
  std::map<int, std::vector<int>> by_root;
  for (size_t i = 0; i < args.size() && i < callee->params.size(); ++i)
    if (is_distributed(args[i]->type))
      for (int root : roots.of(args[i])) by_root[root].push_back(static_cast<int>(i));
  for (const auto& [root, params] : by_root) {
    if (params.size() < 2) continue;
    std::map<int, std::vector<int>>& known = by_function_[callee];
    for (int one : params) {
      std::vector<int>& others = known[one];
      for (int other : params)
        if (other != one && std::find(others.begin(), others.end(), other) == others.end()) others.push_back(other);
      std::sort(others.begin(), others.end());
    }
  }
}

const std::vector<int>& ParamAliases::of(const Function* function, int param) const {
  const auto* known = by_function_.find(function);
  if (known == nullptr) return none_;
  auto found = known->find(param);
  return found != known->end() ? found->second : none_;
}

}  // namespace pyptoc::passes
