// SPDX-License-Identifier: Apache-2.0
#include "passes/host_copies.h"

#include "diag/codes_host.h"
#include "ir/describe.h"
#include "passes/call_graph.h"
#include "passes/task_regions.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

bool comes_back(const Function* callee, size_t param) {
  return !is_distributed(callee->params[param]->type) && as_tensor(callee->params[param]->type) != nullptr &&
         callee->param_directions[param] != ParamDirection::In;
}

}  // namespace

void check_host_copies(const Program* program, const Function* host, BufferRoots& roots, diag::Engine& diags) {
  std::optional<FunctionRegions> regions;  // few programs need them
  for (const Expr* call : function_calls(host)) {
    const Function* callee = program->find(called_function(call));
    if (callee == nullptr || callee->role == Role::SubWorker) continue;  // which gets the tensors themselves
    const List<const Expr*> args = call_args(call);
    std::vector<size_t> written;
    for (size_t i = 0; i < args.size() && i < callee->params.size(); ++i)
      if (comes_back(callee, i)) written.push_back(i);
    for (size_t b = 1; b < written.size(); ++b) {
      for (size_t a = 0; a < b; ++a) {
        const Expr* one = args[written[a]];
        const Expr* other = args[written[b]];
        const std::optional<int> root = roots.of(host).single(one);
        if (!root || root != roots.of(host).single(other)) continue;
        if (!regions) regions.emplace(host, roots);
        const Region& first = regions->of(one);
        const Region& second = regions->of(other);
        if (first.root < 0 || first.root != second.root) continue;
        if (!meet(second, first, regions->scalars(), -1).must) continue;
        diags
            .report(diag::codes::host_tensor_written_twice, place_of(call), callee->name,
                    callee->params[written[a]]->name_hint, callee->params[written[b]]->name_hint)
            .note("`" + describe(one) + "` is made here", place_of(one))
            .help("pass each of them a tensor of its own, or slices that share no element");
      }
    }
  }
}

}  // namespace pyptoc::passes
