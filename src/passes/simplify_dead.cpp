// SPDX-License-Identifier: Apache-2.0
// Counts uses, removes what has none, and what that leaves without.
#include "passes/simplify_dead.h"

#include "ir/epoch_map.h"
#include "ir/rewriter.h"
#include "passes/simplify_fold.h"
#include "passes/trailing_yield.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// Calls f(var) for each variable that an expression uses, once for each, those in types included.
class Uses {
 public:
  template <class F>
  void of(const Expr* e, F&& f) {
    if (const Var* var = as<Var>(e)) return f(var);
    seen_.forget();
    visit(e, f);
  }
  template <class F>
  void of_type(const Type* type, F&& f) {
    seen_.forget();
    if (type->kind != TypeKind::ScalarType) for_each_node_in_type(type, [&](const Node* node) { visit(node, f); });
  }

 private:
  template <class F>
  void visit(const Node* node, F& f) {
    if (is_const(node->kind)) return;
    if (!seen_.insert(node, true)) return;
    if (const Var* var = as<Var>(node)) {
      f(var);
      return;
    }
    DepthGuard guard(depth_);
    for_each_child(node, [&](const Node* child) { visit(child, f); });
    const Type* type = static_cast<const Expr*>(node)->type;
    if (type->kind != TypeKind::ScalarType) for_each_node_in_type(type, [&](const Node* child) { visit(child, f); });
  }

  EpochMap<bool> seen_;
  int depth_ = 0;
};

// What defines a variable and could go with it.
struct Definition {
  const AssignStmt* assign = nullptr;
  const IfStmt* branch = nullptr;
  size_t result = 0;
};

class DeadScalars {
 public:
  explicit DeadScalars(const Function* f) {
    for (const Var* param : f->params) count_type(param->type);
    for (const Type* type : f->return_types) count_type(type);
    for_each_node_in(f->attrs, [&](const Node* node) { count(static_cast<const Expr*>(node)); });
    visit(f->body);
    for (const Var* var : candidates_)
      if (count_of(var) == 0) dead_.push_back(var);
    while (!dead_.empty()) {
      const Var* var = dead_.back();
      dead_.pop_back();
      remove(var);
    }
  }
  bool any() const { return any_; }
  bool is_dead(const Var* var) const { return removed_.contains(var); }

 private:
  int count_of(const Var* var) const {
    const int* count = counts_.find(var);
    return count != nullptr ? *count : 0;
  }
  void count(const Expr* e) {
    uses_.of(e, [&](const Var* var) { ++counts_[var]; });
  }
  void count_type(const Type* type) {
    uses_.of_type(type, [&](const Var* var) { ++counts_[var]; });
  }

  void visit(const Stmt* s) {
    if (s == nullptr) return;
    DepthGuard guard(depth_);
    dispatch(s, [&](const auto& n) {
      using S = std::remove_cvref_t<decltype(n)>;
      for_each_field<S>([&](const auto& described) {
        for_each_node_in(n.*(described.member), [&](const Node* node) { visit_child(node, described.defines); });
      });
    });
    if (const AssignStmt* assign = as<AssignStmt>(s)) note_assign(assign);
    if (const IfStmt* branch = as<IfStmt>(s)) note_results(branch);
  }
  void visit_child(const Node* node, bool defines) {
    if (is_stmt(node->kind)) return visit(static_cast<const Stmt*>(node));
    if (!defines) return count(static_cast<const Expr*>(node));
    const Var* var = as<Var>(node);
    count_type(var->type);
    if (const IterArg* arg = as<IterArg>(var)) count(arg->init_value);
    if (const WindowBuffer* slot = as<WindowBuffer>(var)) count(slot->size);
  }

  void note_assign(const AssignStmt* s) {
    const ScalarType* type = as_scalar(s->var->type);
    bool scalar = type != nullptr && type->dtype != DType::TaskId;
    if ((!scalar && !is<MakeTuple>(s->value)) || !is_pure(s->value)) return;
    candidates_.push_back(s->var);
    definitions_[s->var] = {s, nullptr, 0};
  }
  void note_results(const IfStmt* s) {
    const YieldStmt* then_yield = trailing_yield(s->then_body);
    const YieldStmt* else_yield = s->else_body != nullptr ? trailing_yield(s->else_body) : nullptr;
    if (then_yield == nullptr || else_yield == nullptr) return;
    size_t count = s->return_vars.size();
    if (then_yield->value.size() != count || else_yield->value.size() != count) return;
    for (size_t i = 0; i < count; ++i) {
      if (is_scalar_of(s->return_vars[i]->type, DType::TaskId)) continue;
      if (!is_pure(then_yield->value[i]) || !is_pure(else_yield->value[i])) continue;
      candidates_.push_back(s->return_vars[i]);
      definitions_[s->return_vars[i]] = {nullptr, s, i};
    }
  }

  void remove(const Var* var) {
    if (!removed_.insert(var)) return;
    any_ = true;
    const Definition& definition = *definitions_.find(var);
    release_type(var->type);
    if (definition.assign != nullptr) return release(definition.assign->value);
    release(trailing_yield(definition.branch->then_body)->value[definition.result]);
    release(trailing_yield(definition.branch->else_body)->value[definition.result]);
  }
  void release(const Expr* e) {
    uses_.of(e, [&](const Var* var) { drop(var); });
  }
  void release_type(const Type* type) {
    uses_.of_type(type, [&](const Var* var) { drop(var); });
  }
  void drop(const Var* var) {
    if (--counts_[var] == 0 && definitions_.contains(var)) dead_.push_back(var);
  }

  Uses uses_;
  NodeMap<int> counts_;
  NodeMap<Definition> definitions_;
  std::vector<const Var*> candidates_;
  std::vector<const Var*> dead_;
  NodeSet removed_;
  bool any_ = false;
  int depth_ = 0;
};

class Remover : public Rewriter {
 public:
  Remover(Context& context, const DeadScalars& dead) : Rewriter(context), dead_(dead) {}

 protected:
  using Rewriter::rewrite;
  const Expr* rewrite(const Expr* e) override { return e; }
  const Stmt* rewrite(const Stmt* s) override {
    if (const AssignStmt* assign = as<AssignStmt>(s)) return dead_.is_dead(assign->var) ? nullptr : s;
    const IfStmt* branch = as<IfStmt>(s);
    if (branch == nullptr) return rebuild(s);
    const IfStmt* now = as<IfStmt>(rebuild(s));
    std::vector<const Var*> results;
    for (const Var* var : branch->return_vars)
      if (!dead_.is_dead(var)) results.push_back(var);
    if (results.size() == branch->return_vars.size()) return now;
    IfStmt draft = *now;
    draft.return_vars = context().list(results);
    draft.then_body = without_dead(now->then_body, branch->return_vars);
    draft.else_body = without_dead(now->else_body, branch->return_vars);
    const SeqStmts* nothing = as<SeqStmts>(draft.else_body);
    if (nothing != nullptr && nothing->stmts.empty()) draft.else_body = nullptr;
    return context().make(draft);
  }

 private:
  const Stmt* without_dead(const Stmt* body, List<const Var*> results) {
    const YieldStmt* yield = trailing_yield(body);
    std::vector<const Expr*> values;
    for (size_t i = 0; i < results.size(); ++i)
      if (!dead_.is_dead(results[i])) values.push_back(yield->value[i]);
    return with_trailing_yield(context(), body, values);
  }

  const DeadScalars& dead_;
};

}  // namespace

const Function* drop_dead_scalars(const Function* function, Context& context) {
  DeadScalars dead(function);
  return dead.any() ? Remover(context, dead).function(function) : function;
}

}  // namespace pyptoc::passes
