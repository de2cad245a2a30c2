// SPDX-License-Identifier: Apache-2.0
#include "passes/materialize_valid_shape_symbols.h"

#include <algorithm>

#include "diag/codes_orch.h"
#include "ir/function_map.h"
#include "ir/rewriter.h"
#include "ir/walker.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

List<const Expr*> valid_shape_of(const Type* type) {
  const TensorType* tensor = as_tensor(type);
  return tensor != nullptr && tensor->view != nullptr ? tensor->view->valid_shape : List<const Expr*>();
}

// Where a caller finds the value of one new parameter.
struct Symbol {
  const Var* var = nullptr;
  std::vector<std::pair<size_t, size_t>> places;  // (old parameter, axis) that are the symbol alone
};
using Symbols = FunctionMap<std::vector<Symbol>>;  // of functions that have some

// Calls f(var) for each variable in an expression.
template <class F>
void for_each_var(const Expr* e, F f) {
  class Vars : public Walker {
   public:
    explicit Vars(F& use) : use_(use) {}

   protected:
    void visit(const Node* node) override {
      if (const Var* var = as<Var>(node)) use_(var);
      children(node);
    }

   private:
    F& use_;
  };
  Vars(f).walk(e);
}

std::vector<Symbol> symbols_of(const Function* f, PassContext& context) {
  std::vector<Symbol> found;
  if (std::all_of(f->params.begin(), f->params.end(), [](const Var* v) { return valid_shape_of(v->type).empty(); }))
    return found;
  NodeSet bound;
  for (const Var* param : f->params) {
    bound.insert(param);
    if (const TensorType* tensor = as_tensor(param->type))
      for (const Expr* extent : tensor->shape) for_each_var(extent, [&](const Var* var) { bound.insert(var); });
  }
  NodeMap<size_t> index;
  for (size_t p = 0; p < f->params.size(); ++p) {
    List<const Expr*> valid = valid_shape_of(f->params[p]->type);
    for (size_t axis = 0; axis < valid.size(); ++axis) {
      for_each_var(valid[axis], [&](const Var* var) {
        if (bound.contains(var)) return;
        if (index.insert(var, found.size())) found.push_back({var, {}});
        if (valid[axis] == var) found[index[var]].places.push_back({p, axis});
      });
    }
  }
  for (const Symbol& symbol : found)
    if (symbol.places.empty())
      context.diags.report(diag::codes::valid_shape_not_bindable, place_of(f), symbol.var->name_hint, "?", f->name);
  return found;
}

class Materializer : public Rewriter {
 public:
  Materializer(PassContext& pass, const Symbols& symbols) : Rewriter(pass.ir), pass_(pass), symbols_(symbols) {}

  const Function* function(const Function* f) override {
    const Function* inner = Rewriter::function(f);
    const std::vector<Symbol>* found = symbols_.find(f->op);
    if (found == nullptr) return inner;
    Function draft = *inner;
    std::vector<const Var*> params;
    std::vector<ParamDirection> directions;
    for (const Symbol& symbol : *found) {
      params.push_back(symbol.var);
      directions.push_back(ParamDirection::In);
    }
    params.insert(params.end(), inner->params.begin(), inner->params.end());
    directions.insert(directions.end(), inner->param_directions.begin(), inner->param_directions.end());
    draft.params = context().list(params);
    draft.param_directions = context().list(directions);
    return context().make(draft);
  }

 protected:
  using Rewriter::rewrite;

  const Expr* rewrite(const Expr* e) override {
    const Expr* rebuilt = rebuild(e);
    if (const Call* call = as<Call>(rebuilt)) return extended(call);
    if (const Submit* submit = as<Submit>(rebuilt)) return extended(submit);
    return rebuilt;
  }

 private:
  template <class C>
  const Expr* extended(const C* call) {
    const std::vector<Symbol>* found = symbols_.find(call->op);
    if (found == nullptr) return call;
    C draft = *call;
    std::vector<const Expr*> args;
    for (const Symbol& symbol : *found) args.push_back(actual(call, symbol));
    size_t added = args.size();
    args.insert(args.end(), call->args.begin(), call->args.end());
    draft.args = context().list(args);
    std::vector<Attr> attrs(call->attrs.begin(), call->attrs.end());
    for (Attr& attr : attrs) {
      if (attr.key != "arg_directions" || attr.value.kind() != AttrKind::ArgDirectionVector) continue;
      std::vector<int32_t> directions(added, static_cast<int32_t>(ArgDirection::Scalar));
      directions.insert(directions.end(), attr.value.as_ints().begin(), attr.value.as_ints().end());
      attr.value = AttrValue::of_ints(AttrKind::ArgDirectionVector, context().list(directions));
    }
    draft.attrs = context().list(attrs);
    return context().make(draft);
  }

  // The extent of the argument at the symbol's places, which must agree.
  template <class C>
  const Expr* actual(const C* call, const Symbol& symbol) {
    const Expr* value = nullptr;
    for (auto [param, axis] : symbol.places) {
      if (param >= call->args.size()) continue;
      const TensorType* type = as_tensor(call->args[param]->type);
      if (type == nullptr) continue;
      List<const Expr*> extents =
          type->view != nullptr && !type->view->valid_shape.empty() ? type->view->valid_shape : type->shape;
      if (axis >= extents.size()) continue;
      const Expr* here = extents[axis];
      bool same = value == nullptr || value == here || (const_int(value) && const_int(value) == const_int(here));
      if (!same)
        pass_.diags.report(diag::codes::valid_shape_disagrees, place_of(call), call->op->name, symbol.var->name_hint);
      if (value == nullptr) value = here;
    }
    return value != nullptr ? value : context().const_int(0);
  }

  PassContext& pass_;
  const Symbols& symbols_;
};

}  // namespace

const Program* materialize_valid_shape_symbols(const Program* program, PassContext& context) {
  Symbols symbols;
  for (const Function* f : program->functions) {
    if (!is_kernel(f) && !is_wrapper(f)) continue;
    std::vector<Symbol> found = symbols_of(f, context);
    if (!found.empty()) symbols[f->op] = std::move(found);
  }
  return !symbols.empty() ? Materializer(context, symbols).program(program) : program;
}

}  // namespace pyptoc::passes
