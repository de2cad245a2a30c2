// SPDX-License-Identifier: Apache-2.0
#include "passes/output_tensors.h"

namespace pyptoc::passes {

using namespace ir;

InCallersTerms::InCallersTerms(Context& context, const Function* callee, List<const Expr*> args)
    : Rewriter(context, true) {
  for (size_t i = 0; i < callee->params.size() && i < args.size(); ++i) {
    const Var* param = callee->params[i];
    if (as_scalar(param->type) != nullptr) substitute(param, args[i]);
    const ShapedType* formal = as_shaped(param->type);
    const ShapedType* actual = as_shaped(args[i]->type);
    if (formal == nullptr || actual == nullptr) continue;
    for (size_t d = 0; d < formal->shape.size() && d < actual->shape.size(); ++d)
      if (const Var* symbol = as<Var>(formal->shape[d]); symbol != nullptr && substitution(symbol) == nullptr)
        substitute(symbol, actual->shape[d]);
  }
}

const Expr* tuple_expr(const std::vector<const Expr*>& elements, Context& context) {
  MakeTuple draft;
  draft.kind = NodeKind::MakeTuple;
  std::vector<const Type*> types;
  for (const Expr* e : elements) types.push_back(e->type);
  draft.type = context.tuple_type(types);
  draft.elements = context.list(elements);
  return context.make(draft);
}

const Stmt* create_tensor(const Var* var, bool manual_dep, Context& context) {
  const TensorType* type = as_tensor(var->type);
  Call draft;
  draft.kind = NodeKind::Call;
  draft.span = var->span;
  draft.type = type;
  draft.op = context.op("tensor.create", false);
  std::vector<const Expr*> shape(type->shape.begin(), type->shape.end());
  draft.args = context.list<const Expr*>({tuple_expr(shape, context)});
  std::vector<Attr> kwargs = {
      {"dtype", AttrValue::of_dtype(type->dtype)},
      {"layout", AttrValue::of_enum(AttrKind::TensorLayout, static_cast<int64_t>(TensorLayout::Nd))}};
  if (manual_dep) kwargs.push_back({"manual_dep", AttrValue::of_bool(true)});
  draft.kwargs = context.list(kwargs);
  return context.assign(var, context.make(draft), var->span);
}

const Expr* with_args(const Expr* e, const std::vector<const Expr*>& args, Context& context) {
  if (const Call* call = as<Call>(e)) {
    Call draft = *call;
    draft.args = context.list(args);
    return context.make(draft);
  }
  Submit draft = *as<Submit>(e);
  draft.args = context.list(args);
  return context.make(draft);
}

void append_out_params(Function& draft, const std::vector<const Var*>& params, Context& context) {
  std::vector<const Var*> all(draft.params.begin(), draft.params.end());
  std::vector<ParamDirection> directions(draft.param_directions.begin(), draft.param_directions.end());
  all.insert(all.end(), params.begin(), params.end());
  directions.insert(directions.end(), params.size(), ParamDirection::Out);
  draft.params = context.list(all);
  draft.param_directions = context.list(directions);
}

}  // namespace pyptoc::passes
