// SPDX-License-Identifier: Apache-2.0
#include "passes/optimize_orch_tensors.h"

#include "ir/map_functions.h"
#include "ir/rewriter.h"
#include "passes/call_graph.h"
#include "passes/optimize_orch_merges.h"
#include "passes/output_tensors.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

const Function* merge_params(const Function* f, const ParamMerge& merge, Context& context) {
  std::vector<const Var*> params;
  std::vector<ParamDirection> directions;
  for (size_t i = 0; i < f->params.size(); ++i) {
    if (i == merge.out) continue;
    params.push_back(f->params[i]);
    directions.push_back(i == merge.in ? ParamDirection::InOut : f->param_directions[i]);
  }
  Rewriter body(context);
  body.substitute(f->params[merge.out], f->params[merge.in]);
  Function draft = *f;
  draft.params = context.list(params);
  draft.param_directions = context.list(directions);
  draft.body = body.stmt(f->body);
  return context.make(draft);
}

class MergedCalls : public Rewriter {
 public:
  MergedCalls(Context& context, const ParamMerges& merges) : Rewriter(context), merges_(merges) {}

 protected:
  const Stmt* rewrite(const Stmt* s) override {
    const AssignStmt* assign = as<AssignStmt>(s);
    if (assign != nullptr && merges_.creates.contains(assign->var)) return nullptr;
    return rebuild(s);
  }

  const Expr* rewrite(const Expr* e) override {
    const Op* op = called_function(e);
    auto found = op != nullptr ? merges_.by_kernel.find(op->name) : merges_.by_kernel.end();
    if (found == merges_.by_kernel.end()) return e;
    List<const Expr*> args = call_args(e);
    std::vector<const Expr*> kept(args.begin(), args.end());
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(found->second.out));
    return with_args(e, kept, context());
  }

 private:
  const ParamMerges& merges_;
};

}  // namespace

const Program* optimize_orch_tensors(const Program* program, PassContext& context) {
  ParamMerges merges = find_param_merges(program, context.roots);
  if (merges.by_kernel.empty()) return program;
  return map_functions(program, context.ir, [&](const Function* f) {
    auto found = merges.by_kernel.find(f->name);
    return found != merges.by_kernel.end() ? merge_params(f, found->second, context.ir)
                                           : MergedCalls(context.ir, merges).function(f);
  });
}

}  // namespace pyptoc::passes
