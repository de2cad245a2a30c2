// SPDX-License-Identifier: Apache-2.0
#include "passes/fuse_create_assemble_to_slice.h"

#include "ir/map_functions.h"
#include "ir/rewriter.h"
#include "passes/fuse_create_assemble_candidates.h"
#include "passes/output_tensors.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

class Fuser : public Rewriter {
 public:
  Fuser(Context& context, const FuseCandidates& candidates) : Rewriter(context), candidates_(candidates) {}

 protected:
  const Expr* rewrite(const Expr* e) override {
    if (const Var* var = as<Var>(e)) return candidates_.replacement(var);
    return rebuild(e);
  }

  const Stmt* rewrite(const Stmt* s) override {
    if (const AssignStmt* assign = as<AssignStmt>(s)) {
      if (candidates_.replacement(assign->var) != assign->var) return nullptr;
      if (const Call* assemble = candidates_.assemble_of(assign->var)) return slice(assign, assemble);
    } else if (const ForStmt* loop = as<ForStmt>(s)) {
      return rebuild_with(*loop, loop->iter_args, [&](ForStmt& draft) {
        draft.iter_args = staying(loop->iter_args, loop->iter_args);
        draft.return_vars = staying(loop->return_vars, loop->iter_args);
      });
    } else if (const WhileStmt* repeat = as<WhileStmt>(s)) {
      return rebuild_with(*repeat, repeat->iter_args, [&](WhileStmt& draft) {
        draft.iter_args = staying(repeat->iter_args, repeat->iter_args);
        draft.return_vars = staying(repeat->return_vars, repeat->iter_args);
      });
    } else if (const IfStmt* branch = as<IfStmt>(s)) {
      return rebuild_with(*branch, branch->return_vars, [&](IfStmt& draft) {
        draft.return_vars = staying(branch->return_vars, branch->return_vars);
      });
    } else if (const YieldStmt* yield = as<YieldStmt>(s)) {
      return without_dropped(yield);
    }
    return rebuild(s);
  }

 private:
  bool stays(const Var* var) const { return candidates_.replacement(var) == var; }

  const Stmt* slice(const AssignStmt* create, const Call* assemble) {
    const TensorType* part = as_tensor(create->var->type);
    const Expr* target = expr(assemble->args[0]);
    std::vector<const Expr*> shape(as_tensor(target->type)->shape.size() - part->shape.size(), context().const_int(1));
    shape.insert(shape.end(), part->shape.begin(), part->shape.end());
    const Type* type = shape.size() == part->shape.size() ? create->var->type
                                                          : context().tensor_type(part->dtype, context().list(shape));
    const Call* value =
        context().call(context().op("tensor.slice", false),
                       {target, tuple_expr(shape, context()), expr(assemble->args[2])}, type, create->value->span);
    AssignStmt draft = *create;
    draft.value = value;
    if (type != create->var->type) {
      draft.var = context().var(create->var->name_hint, type, create->var->span);
      substitute(create->var, draft.var);
    }
    return context().make(draft);
  }

  // Those of `vars` whose neighbour among `deciding` stays.
  List<const Var*> staying(List<const Var*> vars, List<const Var*> deciding) {
    std::vector<const Var*> out;
    for (size_t i = 0; i < vars.size(); ++i)
      if (i >= deciding.size() || stays(deciding[i])) out.push_back(vars[i]);
    return context().list(out);
  }

  // The loop or branch without the variables that go; yields inside follow `carried`.
  template <class S, class Drop>
  const Stmt* rebuild_with(const S& s, List<const Var*> carried, Drop drop) {
    std::vector<bool> kept;
    bool all = true;
    for (const Var* var : carried) {
      kept.push_back(stays(var));
      all = all && kept.back();
    }
    const Stmt* start = &s;
    if (!all) {
      S draft = s;
      drop(draft);
      start = context().make(draft);
    }
    kept_.push_back(std::move(kept));
    const Stmt* out = rebuild(start);
    kept_.pop_back();
    return out;
  }

  // --- yields follow the carries of the innermost loop or branch

  const Stmt* without_dropped(const YieldStmt* yield) {
    if (kept_.empty()) return rebuild(yield);
    std::vector<const Expr*> values;
    for (size_t i = 0; i < yield->value.size(); ++i)
      if (i >= kept_.back().size() || kept_.back()[i]) values.push_back(yield->value[i]);
    if (values.size() == yield->value.size()) return rebuild(yield);
    if (values.empty()) return nullptr;
    YieldStmt draft = *yield;
    draft.value = context().list(values);
    return rebuild(context().make(draft));
  }

  const FuseCandidates& candidates_;
  std::vector<std::vector<bool>> kept_;  // of the loops and branches around, for each carried variable
};

}  // namespace

const Program* fuse_create_assemble_to_slice(const Program* program, PassContext& context) {
  BufferRoots roots(program, context.roots);
  ReturnedParams returned(roots);
  return map_functions(program, context.ir, [&](const Function* f) {
    if (!f->contents.has(Content::Assemble) || !is_chip_orchestration(f)) return f;
    FuseCandidates candidates(f, program, roots, returned);
    return candidates.empty() ? f : Fuser(context.ir, candidates).function(f);
  });
}

}  // namespace pyptoc::passes
