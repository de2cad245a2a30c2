// SPDX-License-Identifier: Apache-2.0
#include "passes/normalize_return_order.h"

#include <algorithm>
#include <numeric>

#include "ir/function_map.h"
#include "ir/map_functions.h"
#include "ir/rewriter.h"
#include "passes/call_graph.h"
#include "passes/output_tensors.h"
#include "passes/returned_params.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// New place of each old result; empty when all stay.
using Order = std::vector<size_t>;
using Orders = FunctionMap<Order>;

bool returns_params(const Function* f) {
  return is_kernel(f) || is_wrapper(f);
}

Order order_of(const std::vector<std::optional<int>>& returned) {
  std::vector<size_t> places;  // of results that are parameters
  for (size_t i = 0; i < returned.size(); ++i)
    if (returned[i]) places.push_back(i);
  std::vector<size_t> sorted = places;
  std::stable_sort(sorted.begin(), sorted.end(), [&](size_t a, size_t b) { return *returned[a] < *returned[b]; });
  if (sorted == places) return {};
  Order out(returned.size());
  std::iota(out.begin(), out.end(), size_t{0});
  for (size_t k = 0; k < places.size(); ++k) out[sorted[k]] = places[k];
  return out;
}

template <class T>
std::vector<T> reordered(const std::vector<T>& values, const Order& order) {
  if (order.empty() || values.size() != order.size()) return values;
  std::vector<T> out = values;
  for (size_t i = 0; i < order.size(); ++i) out[order[i]] = values[i];
  return out;
}

class Returns : public Rewriter {
 public:
  Returns(Context& context, const Function* f, const std::vector<std::optional<int>>& returned, const Order& order)
      : Rewriter(context), function_(f), returned_(returned), order_(order) {}

 protected:
  const Expr* rewrite(const Expr* e) override { return e; }
  const Stmt* rewrite(const Stmt* s) override {
    const ReturnStmt* result = as<ReturnStmt>(s);
    if (result == nullptr) return may_return(s) ? rebuild(s) : s;
    std::vector<const Expr*> values = returned_values(result, returned_.size(), context());
    for (size_t i = 0; i < values.size() && i < returned_.size(); ++i)
      if (returned_[i]) values[i] = function_->params[static_cast<size_t>(*returned_[i])];
    values = reordered(values, order_);
    if (std::equal(values.begin(), values.end(), result->value.begin(), result->value.end())) return s;
    ReturnStmt draft = *result;
    draft.value = context().list(values);
    return context().make(draft);
  }

 private:
  // Only these statements have a return in them.
  static bool may_return(const Stmt* s) {
    return s->kind == NodeKind::SeqStmts || is<ScopeStmt>(s) || (s->kind == NodeKind::IfStmt && has_return(s));
  }
  static bool has_return(const Node* node) {
    if (node->kind == NodeKind::ReturnStmt) return true;
    bool found = false;
    for_each_child(node, [&](const Node* child) { found = found || (is_stmt(child->kind) && has_return(child)); });
    return found;
  }

  const Function* function_;
  const std::vector<std::optional<int>>& returned_;
  const Order& order_;
};

struct Changed {
  const Var* var = nullptr;
  const Order* order = nullptr;
};

// Variables of tuples whose order changed, and what their indices become.
class Callers : public Rewriter {
 public:
  Callers(Context& context, const Orders& orders) : Rewriter(context), orders_(orders) {}

 protected:
  const Stmt* rewrite(const Stmt* s) override {
    const AssignStmt* assign = as<AssignStmt>(s);
    const Order* order = assign != nullptr ? order_of_call(assign->value) : nullptr;
    if (order == nullptr) return rebuild(s);
    AssignStmt draft = *assign;
    draft.value = retyped(expr(assign->value), *order);
    draft.var = context().var(assign->var->name_hint, draft.value->type, assign->var->span);
    changed_[assign->var] = {draft.var, order};
    return context().make(draft);
  }

  const Expr* rewrite(const Expr* e) override {
    if (const TupleGetItemExpr* get = as<TupleGetItemExpr>(e)) {
      if (const Changed* changed = changed_.find(get->tuple))
        return element(*changed, static_cast<size_t>(get->index), get->span);
    } else if (const Changed* changed_whole = changed_.find(e)) {
      std::vector<const Expr*> elements;
      for (size_t i = 0; i < as_tuple(e->type)->types.size(); ++i)
        elements.push_back(element(*changed_whole, i, e->span));
      return tuple_expr(elements, context());
    }
    return rebuild(e);
  }

 private:
  // Of a call whose result is a tuple in another order now.
  const Order* order_of_call(const Expr* value) const {
    const Op* op = called_function(value);
    return op != nullptr && as_tuple(value->type) != nullptr ? orders_.find(op) : nullptr;
  }

  // A submit has the task id behind the results.
  const Expr* retyped(const Expr* call, const Order& order) {
    List<const Type*> old = as_tuple(call->type)->types;
    std::vector<const Type*> types(old.begin(), old.end());
    for (size_t i = 0; i < order.size() && order[i] < types.size(); ++i) types[order[i]] = old[i];
    if (const Submit* submit = as<Submit>(call)) {
      Submit draft = *submit;
      draft.type = context().tuple_type(types);
      return context().make(draft);
    }
    Call draft = *as<Call>(call);
    draft.type = context().tuple_type(types);
    return context().make(draft);
  }

  // What was element `index`; the task id of a submit, behind the results, stays.
  const Expr* element(const Changed& changed, size_t index, const Span* span) {
    size_t place = index < changed.order->size() ? (*changed.order)[index] : index;
    return context().element(changed.var, place, span);
  }

  const Orders& orders_;
  NodeMap<Changed> changed_;
};

}  // namespace

const Program* normalize_return_order(const Program* program, PassContext& context) {
  BufferRoots roots(program, context.roots);
  ReturnedParams returned(roots);
  Orders orders;
  return map_functions(program, callees_first(program), context.ir, [&](const Function* f) {
    const Function* now = f;
    if (returns_params(f) && !f->return_types.empty()) {
      const std::vector<std::optional<int>>& params = returned.of(f);
      Order order = order_of(params);
      const Stmt* body = Returns(context.ir, f, params, order).stmt(f->body);
      if (body != f->body) {
        Function draft = *f;
        draft.body = body;
        std::vector<const Type*> types(f->return_types.begin(), f->return_types.end());
        draft.return_types = context.ir.list(reordered(types, order));
        now = context.ir.make(draft);
      }
      if (!order.empty()) orders[f->op] = std::move(order);
    }
    if (!orders.empty() && !is_kernel(f)) now = Callers(context.ir, orders).function(now);
    return now;
  });
}

}  // namespace pyptoc::passes
