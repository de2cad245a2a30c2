// SPDX-License-Identifier: Apache-2.0
#include "passes/contiguity.h"

#include <fmt/format.h>

#include "ir/op_table.h"
#include "ir/walker.h"
#include "passes/call_graph.h"
#include "passes/contiguous_types.h"

namespace pyptoc::passes {

using namespace ir;

// Values are vertices, "has the layout of" are edges, faults flow along them.
class ContiguityFlow : public Walker {
 public:
  ContiguityFlow(const Program* program, ReturnedParams& callees, Contiguity& out)
      : program_(program), callees_(callees), out_(out) {}

  void run(const Function* f) {
    for (const Var* param : f->params)
      if (as_tensor(param->type) != nullptr) check_type(var_value(param), param);
    walk(f->body);
    while (next_ < work_.size()) {
      const int value = work_[next_++];
      for (int to : edges_[index(value)]) take(to, out_.fault_of_value_[index(value)]);
    }
  }

 protected:
  void visit(const Node* node) override {
    switch (node->kind) {
      case NodeKind::AssignStmt:
        return bind(as<AssignStmt>(node)->var, as<AssignStmt>(node)->value);
      case NodeKind::ForStmt:
        return loop(as<ForStmt>(node)->iter_args, as<ForStmt>(node)->return_vars, as<ForStmt>(node)->body);
      case NodeKind::WhileStmt:
        return loop(as<WhileStmt>(node)->iter_args, as<WhileStmt>(node)->return_vars, as<WhileStmt>(node)->body);
      case NodeKind::IfStmt:
        return branch(as<IfStmt>(node));
      case NodeKind::YieldStmt:
        for (size_t i = 0; i < as<YieldStmt>(node)->value.size() && i < yields_.size(); ++i)
          bind(yields_[i], as<YieldStmt>(node)->value[i]);
        return;
      default:
        if (is_stmt(node->kind)) children(node);
    }
  }

 private:
  static size_t index(int value) { return static_cast<size_t>(value); }

  int new_value() {
    out_.fault_of_value_.push_back(-1);
    edges_.emplace_back();
    return static_cast<int>(edges_.size()) - 1;
  }
  int var_value(const Var* var) {
    int& slot = out_.values_[var];
    if (slot == 0) slot = new_value() + 1;
    return slot - 1;
  }
  void check_type(int value, const Var* var) {
    if (std::optional<std::string> fault = layout_fault(as_tensor(var->type)))
      add_fault(value, var, fmt::format("`{}` {}", var->name_hint, *fault));
  }
  int element_value(const Var* tuple, size_t k) {
    std::vector<int>& slots = out_.elements_[tuple];
    if (slots.size() <= k) slots.resize(k + 1, -1);
    if (slots[k] >= 0) return slots[k];
    const int made = new_value();
    out_.elements_[tuple][k] = made;
    return made;
  }
  void add_fault(int value, const Node* at, std::string text) {
    out_.faults_.push_back({at, std::move(text)});
    take(value, static_cast<int>(out_.faults_.size()) - 1);
  }
  void take(int value, int fault) {
    int& known = out_.fault_of_value_[index(value)];
    if (known >= 0) return;
    known = fault;
    work_.push_back(value);
  }
  void link(int from, int to) {
    if (from < 0 || to < 0 || from == to) return;
    edges_[index(from)].push_back(to);
    if (out_.fault_of_value_[index(from)] >= 0) take(to, out_.fault_of_value_[index(from)]);
  }

  // The value number of a variable or of an element of a tuple; -1 for everything else.
  int value_of(const Expr* e) {
    if (as_tensor(e->type) == nullptr) return -1;
    if (is_var(e->kind)) return var_value(static_cast<const Var*>(e));
    const TupleGetItemExpr* get = as<TupleGetItemExpr>(e);
    if (get == nullptr) return -1;
    const size_t k = static_cast<size_t>(get->index);
    if (const MakeTuple* made = as<MakeTuple>(get->tuple))
      return k < made->elements.size() ? value_of(made->elements[k]) : -1;
    const Var* tuple = as<Var>(get->tuple);
    return tuple != nullptr ? element_value(tuple, k) : -1;
  }

  // The step comes before what the type says of its result.
  void bind(const Var* var, const Expr* value) {
    if (as_tensor(var->type) != nullptr) {
      define(var_value(var), value);
      return check_type(var_value(var), var);
    }
    const TupleType* tuple = as_tuple(var->type);
    if (tuple == nullptr) return;
    for (size_t k = 0; k < tuple->types.size(); ++k) {
      if (as_tensor(tuple->types[k]) == nullptr) continue;
      const int element = element_value(var, k);
      if (const MakeTuple* made = as<MakeTuple>(value)) {
        if (k < made->elements.size()) define(element, made->elements[k]);
      } else if (const Var* other = as<Var>(value)) {
        link(element_value(other, k), element);
      } else {
        result_of_function(element, value, k);
      }
      if (std::optional<std::string> fault = layout_fault(as_tensor(tuple->types[k])))
        add_fault(element, var, fmt::format("`{}[{}]` {}", var->name_hint, k, *fault));
    }
  }

  void define(int value, const Expr* e) {
    const Call* call = as<Call>(e);
    if (is_var(e->kind) || is<TupleGetItemExpr>(e)) return link(value_of(e), value);
    if (call == nullptr || call->op->is_global_var) return result_of_function(value, e, 0);
    switch (call->op->id) {
      case OpId::TensorCreate:
      case OpId::PldTensorWindow:
        return;
      case OpId::TensorReshape:
      case OpId::TensorView:
      case OpId::TensorSetValidshape:
      case OpId::TensorAssemble:
        return follow(value, call, 0);
      case OpId::TensorSlice:
        if (std::optional<std::string> fault = slice_fault(call)) return add_fault(value, call, *fault);
        return follow(value, call, 0);
      default:
        if (is_collective(call->op->id)) return follow(value, call, op_info(call->op->id).result.operand);
        add_fault(value, call, fmt::format("it comes from `{}`", call->op->name));
    }
  }
  void follow(int value, const Call* call, size_t operand) {
    const int from = operand < call->args.size() ? value_of(call->args[operand]) : -1;
    if (from < 0) return add_fault(value, call, fmt::format("it comes from `{}`", call->op->name));
    link(from, value);
  }
  void result_of_function(int value, const Expr* call, size_t k) {
    const Op* op = called_function(call);
    if (op == nullptr) return add_fault(value, call, "it comes from an expression that is not followed");
    const Function* callee = program_->find(op);
    std::optional<int> param;
    if (callee != nullptr && k < callees_.of(callee).size()) param = callees_.of(callee)[k];
    if (!param) return add_fault(value, call, fmt::format("result {} of `{}` is none of its parameters", k, op->name));
    List<const Expr*> args = call_args(call);
    if (static_cast<size_t>(*param) >= args.size()) return;  // the runtime allocates it
    const int from = value_of(args[static_cast<size_t>(*param)]);
    if (from < 0) return add_fault(value, call, fmt::format("result {} of `{}` is no variable's tensor", k, op->name));
    link(from, value);
  }

  void loop(List<const Var*> iter_args, List<const Var*> return_vars, const Stmt* body) {
    std::vector<const Var*> targets(iter_args.begin(), iter_args.end());
    for (size_t i = 0; i < iter_args.size(); ++i) {
      if (const IterArg* arg = as<IterArg>(iter_args[i])) bind(arg, arg->init_value);
      // No iteration, or the last yield, which comes back through the carry.
      if (i < return_vars.size()) bind(return_vars[i], iter_args[i]);
    }
    targets.swap(yields_);
    walk(body);
    targets.swap(yields_);
  }
  void branch(const IfStmt* s) {
    std::vector<const Var*> targets(s->return_vars.begin(), s->return_vars.end());
    targets.swap(yields_);
    walk(s->then_body);
    walk(s->else_body);
    targets.swap(yields_);
  }

  const Program* program_;
  ReturnedParams& callees_;
  Contiguity& out_;
  std::vector<std::vector<int>> edges_;
  std::vector<int> work_;  // values that took a fault; from next_ on not yet handed on
  size_t next_ = 0;
  std::vector<const Var*> yields_;  // what each yielded value of the innermost loop or branch becomes
};

Contiguity::Contiguity(const Function* function, const Program* program, ReturnedParams& callees) {
  ContiguityFlow(program, callees, *this).run(function);
}

int Contiguity::find_value(const Expr* value) const {
  if (const TupleGetItemExpr* get = as<TupleGetItemExpr>(value)) {
    const size_t k = static_cast<size_t>(get->index);
    if (const MakeTuple* made = as<MakeTuple>(get->tuple))
      return k < made->elements.size() ? find_value(made->elements[k]) : -1;
    const std::vector<int>* slots = elements_.find(get->tuple);
    return slots != nullptr && k < slots->size() ? (*slots)[k] : -1;
  }
  const int* slot = values_.find(value);
  return slot != nullptr ? *slot - 1 : -1;
}

const ContiguityFault* Contiguity::fault_of(const Expr* value) const {
  const int number = find_value(value);
  PYPTOC_ASSERT(number >= 0, "a tensor operand that no statement defines");
  const int fault = fault_of_value_[static_cast<size_t>(number)];
  return fault >= 0 ? &faults_[static_cast<size_t>(fault)] : nullptr;
}

}  // namespace pyptoc::passes
