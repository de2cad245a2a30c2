// SPDX-License-Identifier: Apache-2.0
#include "passes/returned_params.h"

#include "ir/renamed_operand.h"
#include "ir/walker.h"

namespace pyptoc::passes {

using namespace ir;

// In order of evaluation, so that what a value is made of is known when the value is met.
class IdentityWalk : public Walker {
 public:
  explicit IdentityWalk(TensorIdentities& out) : out_(out) {}

 protected:
  void visit(const Node* node) override {
    if (const AssignStmt* assign = as<AssignStmt>(node)) {
      set(assign->var, assign->value);
    } else if (const ForStmt* loop = as<ForStmt>(node)) {
      carry(loop->iter_args, loop->return_vars, loop->body);
    } else if (const WhileStmt* repeat = as<WhileStmt>(node)) {
      carry(repeat->iter_args, repeat->return_vars, repeat->body);
    } else if (const IfStmt* s = as<IfStmt>(node)) {
      branch(s);
    } else if (const YieldStmt* yield = as<YieldStmt>(node)) {
      yields_.clear();
      for (const Expr* value : yield->value) yields_.push_back(out_.of(value));
    } else if (is_stmt(node->kind)) {
      children(node);
    }
  }

 private:
  void set(const Var* var, const Expr* value) {
    if (as_tuple(var->type) == nullptr) {
      const Call* call = as<Call>(value);
      out_.identity_[var] = call != nullptr && call->op->id == OpId::TensorCreate ? var : out_.of(value);
      return;
    }
    std::vector<const Var*> elements;
    if (const MakeTuple* made = as<MakeTuple>(value)) {
      for (const Expr* element : made->elements) elements.push_back(out_.of(element));
    } else if (is_var(value->kind)) {
      if (const std::vector<const Var*>* known = out_.elements_.find(value)) elements = *known;
    } else {
      elements = out_.results_of(value);
    }
    out_.elements_[var] = std::move(elements);
  }

  std::vector<const Var*> yields_of(const Stmt* body) {
    yields_.clear();
    walk(body);
    return yields_;
  }

  void carry(List<const Var*> iter_args, List<const Var*> return_vars, const Stmt* body) {
    std::vector<const Var*> starts;
    for (const Var* var : iter_args) {
      starts.push_back(out_.of(as<IterArg>(var)->init_value));
      out_.identity_[var] = starts.back();
    }
    std::vector<const Var*> yields = yields_of(body);
    for (size_t i = 0; i < return_vars.size() && i < starts.size(); ++i)
      if (i < yields.size() && yields[i] == starts[i]) out_.identity_[return_vars[i]] = starts[i];
  }

  void branch(const IfStmt* s) {
    std::vector<const Var*> first = yields_of(s->then_body);
    std::vector<const Var*> second;
    if (s->else_body != nullptr) second = yields_of(s->else_body);
    for (size_t i = 0; i < s->return_vars.size(); ++i)
      if (i < first.size() && i < second.size() && first[i] == second[i]) out_.identity_[s->return_vars[i]] = first[i];
  }

  TensorIdentities& out_;
  std::vector<const Var*> yields_;  // of the body walked last
};

TensorIdentities::TensorIdentities(const Function* function, const Program* program, ReturnedParams& callees)
    : program_(program), callees_(callees) {
  for (const Var* param : function->params) identity_[param] = param;
  IdentityWalk(*this).walk(function->body);
}

const Var* TensorIdentities::of(const Expr* value) const {
  if (is_var(value->kind)) {
    const Var* const* known = identity_.find(value);
    return known != nullptr ? *known : nullptr;
  }
  if (const TupleGetItemExpr* get = as<TupleGetItemExpr>(value)) {
    size_t index = static_cast<size_t>(get->index);
    if (const MakeTuple* made = as<MakeTuple>(get->tuple)) return of(made->elements[index]);
    const std::vector<const Var*>* elements = elements_.find(get->tuple);
    return elements != nullptr && index < elements->size() ? (*elements)[index] : nullptr;
  }
  const Call* call = as<Call>(value);
  if (call != nullptr && !call->op->is_global_var) {
    const Expr* renamed = renamed_operand(call);
    return renamed != nullptr ? of(renamed) : nullptr;
  }
  std::vector<const Var*> results = results_of(value);
  return results.size() == 1 ? results.front() : nullptr;
}

// Of a call or submit of a function.
std::vector<const Var*> TensorIdentities::results_of(const Expr* value) const {
  const Call* call = as<Call>(value);
  const Submit* submit = as<Submit>(value);
  if (call == nullptr && submit == nullptr) return {};
  const Op* op = call != nullptr ? call->op : submit->op;
  List<const Expr*> args = call != nullptr ? call->args : submit->args;
  const Function* callee = op->is_global_var ? program_->find(op) : nullptr;
  if (callee == nullptr) return {};
  std::vector<const Var*> out;
  for (std::optional<int> param : callees_.of(callee))
    out.push_back(param && static_cast<size_t>(*param) < args.size() ? of(args[static_cast<size_t>(*param)]) : nullptr);
  return out;
}

namespace {

class ReturnWalk : public Walker {
 public:
  ReturnWalk(const Function* f, const TensorIdentities& identities, const FunctionRoots& roots)
      : identities_(identities), roots_(roots), result_(f->return_types.size()) {
    for (size_t i = 0; i < f->params.size(); ++i) index_[f->params[i]] = static_cast<int>(i);
    walk(f->body);
  }
  std::vector<std::optional<int>> result() && { return std::move(result_); }

 protected:
  void visit(const Node* node) override {
    if (const ReturnStmt* s = as<ReturnStmt>(node))
      add(s);
    else if (is_stmt(node->kind))
      children(node);
  }

 private:
  std::optional<int> param_of(const Expr* value) const {
    const Var* var = identities_.of(value);
    const int* index = var != nullptr ? index_.find(var) : nullptr;
    if (index == nullptr) return std::nullopt;
    std::optional<int> root = roots_.single(value);
    bool agree = root && roots_.root(*root).kind == Root::Kind::Param && roots_.root(*root).param == *index;
    return agree ? std::optional<int>(*index) : std::nullopt;
  }

  void add(const ReturnStmt* s) {
    for (size_t i = 0; i < result_.size(); ++i) {
      std::optional<int> param = param_of_result(s, i);
      result_[i] = returns_ == 0 || result_[i] == param ? param : std::nullopt;
    }
    ++returns_;
  }

  std::optional<int> param_of_result(const ReturnStmt* s, size_t i) const {
    bool whole = s->value.size() == 1 && result_.size() > 1 && as_tuple(s->value.front()->type) != nullptr;
    if (!whole) return i < s->value.size() ? param_of(s->value[i]) : std::nullopt;
    if (const MakeTuple* made = as<MakeTuple>(s->value.front())) return param_of(made->elements[i]);
    TupleGetItemExpr element;
    element.kind = NodeKind::TupleGetItemExpr;
    element.type = as_tuple(s->value.front()->type)->types[i];
    element.tuple = s->value.front();
    element.index = static_cast<int64_t>(i);
    return param_of(&element);
  }

  const TensorIdentities& identities_;
  const FunctionRoots& roots_;
  NodeMap<int> index_;
  std::vector<std::optional<int>> result_;
  int returns_ = 0;
};

}  // namespace

const std::vector<std::optional<int>>& ReturnedParams::of(const Function* function) {
  if (auto* known = done_.find(function)) return **known;
  if (const std::vector<std::optional<int>>* plain = roots_.plainly_returned_params(function)) return *plain;
  if (!in_progress_.insert(function)) return unknown_;
  const FunctionRoots& roots = roots_.of(function);
  TensorIdentities identities(function, roots_.program(), *this);
  auto result = std::make_shared<std::vector<std::optional<int>>>(ReturnWalk(function, identities, roots).result());
  done_[function] = result;
  return *result;
}

std::vector<const Expr*> returned_values(const ReturnStmt* result, size_t results, Context& context) {
  if (result->value.size() != 1 || results <= 1) return {result->value.begin(), result->value.end()};
  const Expr* tuple = result->value.front();
  const TupleType* type = as_tuple(tuple->type);
  if (type == nullptr || type->types.size() != results) return {tuple};
  if (const MakeTuple* made = as<MakeTuple>(tuple)) return {made->elements.begin(), made->elements.end()};
  std::vector<const Expr*> out;
  for (size_t i = 0; i < results; ++i) out.push_back(context.element(tuple, i, result->span));
  return out;
}

}  // namespace pyptoc::passes
