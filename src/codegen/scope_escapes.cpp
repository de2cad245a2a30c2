// SPDX-License-Identifier: Apache-2.0
#include "codegen/scope_escapes.h"

#include <algorithm>

#include "ir/op_id.h"
#include "ir/walker.h"
#include "passes/trailing_yield.h"

namespace pyptoc::codegen {

using namespace ir;

class EscapeFinder : public Walker {
 public:
  explicit EscapeFinder(ScopeEscapes& out) : out_(out) {}

  void run(const Stmt* body) {
    walk(body);
    for (const Var* var : order_) out_.by_scope_[(*defined_in_.find(var))[*outermost_.find(var)]].push_back(var);
  }

 protected:
  void visit(const Node* node) override {
    if (node->kind == NodeKind::RuntimeScopeStmt) {
      open_.push_back(node);
      is_open_[node] = true;
      children(node);
      is_open_[node] = false;
      open_.pop_back();
      return;
    }
    if (node->kind == NodeKind::ReturnStmt) return;  // emits nothing
    if (is_var(node->kind)) {
      use(static_cast<const Var*>(node));
      return;
    }
    if (node->kind == NodeKind::AssignStmt) {
      const AssignStmt* s = as<AssignStmt>(node);
      statement_ = node;
      walk(s->value);
      same_array(s->var, s->value);
      std::vector<const Node*>& scopes = defined_in_[s->var];
      if (scopes.empty()) scopes = open_;
      return;
    }
    if (const ForStmt* loop = as<ForStmt>(node)) carries(loop->iter_args, loop->return_vars);
    if (const WhileStmt* loop = as<WhileStmt>(node)) carries(loop->iter_args, loop->return_vars);
    if (is_stmt(node->kind)) statement_ = node;
    if (const Submit* submit = as<Submit>(node)) {
      for (const Expr* dep : submit->deps) user_use(dep);
      edges(submit->attrs);
    }
    if (const Call* call = as<Call>(node)) edges(call->attrs);
    children(node);
    if (const IfStmt* branch = as<IfStmt>(node)) results(branch);
    if (const ForStmt* loop = as<ForStmt>(node)) results(loop->return_vars);
    if (const WhileStmt* loop = as<WhileStmt>(node)) results(loop->return_vars);
  }

 private:
  // Arrays of ids may be filled in a scope and read behind it when they were made before it.
  const Var* made_as(const Expr* array) const {
    const Var* const* first = arrays_.find(array);
    return first != nullptr ? *first : as<Var>(array);
  }
  void same_array(const Var* var, const Expr* value) {
    if (as_array(var->type) == nullptr) return;
    const Call* call = as<Call>(value);
    const bool updates = call != nullptr && call->op->id == OpId::ArrayUpdateElement;
    if (updates || is_var(value->kind)) arrays_[var] = made_as(updates ? call->args[0] : value);
  }
  void carries(List<const Var*> carries, List<const Var*> results) {
    for (size_t i = 0; i < carries.size(); ++i) {
      const Expr* init = as<IterArg>(carries[i])->init_value;
      same_array(carries[i], init);
      if (i < results.size()) same_array(results[i], init);
    }
  }
  void results(const IfStmt* branch) {
    results(branch->return_vars);
    const YieldStmt* yield = passes::trailing_yield(branch->then_body);
    for (size_t i = 0; yield != nullptr && i < branch->return_vars.size() && i < yield->value.size(); ++i)
      same_array(branch->return_vars[i], yield->value[i]);
  }

  void results(List<const Var*> vars) {
    for (const Var* var : vars) {
      std::vector<const Node*>& scopes = defined_in_[var];
      if (scopes.empty()) scopes = open_;
    }
  }

  void edges(List<Attr> attrs) {
    const AttrValue* own = find_attr(attrs, "manual_dep_edges");
    if (own == nullptr || own->kind() != AttrKind::VarList) return;
    for (const Var* var : own->as_vars())
      if (var != nullptr) user_use(var);
  }

  // A dependency that the user wrote, unlike one that the compiler added.
  void user_use(const Expr* e) {
    const TupleGetItemExpr* element = as<TupleGetItemExpr>(e);
    const Var* var = as<Var>(element != nullptr ? element->tuple : e);
    const Var* first = var != nullptr ? made_as(var) : nullptr;
    const std::vector<const Node*>* scopes = first != nullptr ? defined_in_.find(first) : nullptr;
    if (scopes == nullptr) return;
    for (const Node* scope : *scopes)
      if (!*is_open_.find(scope)) {
        out_.uses_.insert(var, statement_);
        return;
      }
  }

  // A variable is declared before the outermost scope that holds its definition and not all its uses.
  void use(const Var* var) {
    const std::vector<const Node*>* scopes = defined_in_.find(var);
    if (scopes == nullptr) return;
    for (size_t level = 0; level < scopes->size(); ++level) {
      if (*is_open_.find((*scopes)[level])) continue;
      if (out_.escaping_.insert(var)) {
        order_.push_back(var);
        outermost_[var] = level;
      } else {
        outermost_[var] = std::min(outermost_[var], level);
      }
      return;
    }
  }

  ScopeEscapes& out_;
  std::vector<const Node*> open_;
  NodeMap<bool> is_open_;
  NodeMap<std::vector<const Node*>> defined_in_;
  std::vector<const Var*> order_;
  NodeMap<size_t> outermost_;   // index into the scopes around the definition
  NodeMap<const Var*> arrays_;  // the variable that an array had first
  const Node* statement_ = nullptr;
};

ScopeEscapes::ScopeEscapes(const Function* function) {
  EscapeFinder(*this).run(function->body);
}

const std::vector<const Var*>& ScopeEscapes::of(const Stmt* scope) const {
  static const std::vector<const Var*> kNone;
  const std::vector<const Var*>* found = by_scope_.find(scope);
  return found != nullptr ? *found : kNone;
}

const Node* ScopeEscapes::use_behind_scope(const Var* var) const {
  const Node* const* found = uses_.find(var);
  return found != nullptr ? *found : nullptr;
}

}  // namespace pyptoc::codegen
