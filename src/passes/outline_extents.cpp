// SPDX-License-Identifier: Apache-2.0
#include "passes/outline_extents.h"

#include "ir/rewriter.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

class ExtentNames : public Rewriter {
 public:
  ExtentNames(const Function* f, Context& context) : Rewriter(context, true) {
    for (const Var* param : f->params) {
      const TensorType* tensor = as_tensor(param->type);
      if (tensor == nullptr) continue;
      for (const Expr* extent : tensor->shape)
        if (is<Var>(extent)) any_ |= symbols_.insert(extent);
    }
  }
  bool any() const { return any_; }

 protected:
  using Rewriter::rewrite;
  // Definitions come before uses, so one walk follows chains: the types that the test sees are renamed already.
  const Stmt* rewrite(const Stmt* s) override {
    const Stmt* now = rebuild(s);
    const AssignStmt* assign = as<AssignStmt>(now);
    const Expr* extent = assign != nullptr ? extent_read(assign->value) : nullptr;
    if (extent == nullptr) return now;
    substitute(as<AssignStmt>(s)->var, extent);
    return nullptr;
  }

 private:
  const Expr* extent_read(const Expr* value) const {
    const Call* call = as<Call>(value);
    if (call == nullptr || call->op->id != OpId::TensorDim || call->args.size() != 2) return nullptr;
    std::optional<int64_t> axis = const_int(call->args[1]);
    const TensorType* tensor = as_tensor(call->args[0]->type);
    if (!axis || tensor == nullptr) return nullptr;
    int64_t rank = static_cast<int64_t>(tensor->shape.size());
    if (*axis < 0) axis = *axis + rank;
    if (*axis < 0 || *axis >= rank) return nullptr;
    const Expr* extent = tensor->shape[static_cast<size_t>(*axis)];
    return symbols_.contains(extent) ? extent : nullptr;
  }

  NodeSet symbols_;
  bool any_ = false;
};

}  // namespace

const Function* name_param_extents(const Function* f, Context& context) {
  ExtentNames names(f, context);
  if (!names.any()) return f;
  const Stmt* body = names.stmt(f->body);
  if (body == f->body) return f;
  Function draft = *f;
  draft.body = body;
  return context.make(draft);
}

}  // namespace pyptoc::passes
