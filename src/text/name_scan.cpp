// SPDX-License-Identifier: Apache-2.0
// The walk that NameTable's plan is made from.
#include "text/name_scan.h"

#include "ir/depth_guard.h"
#include "ir/reflect.h"

namespace pyptoc::text {

using ir::NodeKind;

namespace {
struct Deeper {
  explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
  int& depth_;
};
}  // namespace

bool NameScan::first_visit(const ir::Node* node) {
  size_t word = node->serial / 64;
  uint64_t bit = uint64_t{1} << (node->serial % 64);
  if (word >= seen_.size()) seen_.resize(word + word / 2 + 64);
  bool first = (seen_[word] & bit) == 0;
  seen_[word] |= bit;
  return first;
}

VarFacts& NameScan::meet(const ir::Var* var) {
  VarFacts& facts = table_.facts_[var];
  if (facts.home == 0) {
    facts.home = number_;
    table_.met_.back().push_back(var);
    if (var->kind != NodeKind::Var) parts_of(var);
    return table_.facts_[var];
  }
  if (facts.home != number_) facts.global = true;
  return facts;
}

// The fields of the special variables, which their declaration prints.
void NameScan::parts_of(const ir::Var* var) {
  if (const auto* memref = ir::as<ir::MemRef>(var)) {
    expr(memref->base);
    expr(memref->byte_offset);
    expr(memref->slot_index);
  } else if (const auto* buffer = ir::as<ir::WindowBuffer>(var)) {
    // The domain's header may name the allocation that its body makes: a name there can only be a Ptr.
    if (buffer->base->type->kind == ir::TypeKind::Ptr)
      meet(buffer->base);
    else
      expr(buffer->base);
    expr(buffer->size);
  } else if (const auto* arg = ir::as<ir::IterArg>(var)) {
    expr(arg->init_value);
  }
}

void NameScan::use(const ir::Var* var) {
  VarFacts& facts = meet(var);
  if (!facts.defined) facts.used_too_early = true;
  if (in_header_ && !facts.parameter) facts.in_header = true;
}
void NameScan::define(const ir::Var* var) {
  type(var->type);
  VarFacts& facts = meet(var);
  facts.defined = true;
}

void NameScan::expr(const ir::Expr* expr_node) {
  if (expr_node == nullptr) return;
  if (const ir::Var* var = ir::as<ir::Var>(expr_node)) return use(var);
  if (ir::is_const(expr_node->kind) || depth_ > ir::kMaxNesting || !first_visit(expr_node)) return;
  Deeper deeper(depth_);
  if (const auto* call = ir::as<ir::Call>(expr_node)) {
    for (const ir::Expr* arg : call->args) expr(arg);
    attrs(call->kwargs);
    attrs(call->attrs);
  } else {
    ir::for_each_child(expr_node, [&](const ir::Node* child) { expr(static_cast<const ir::Expr*>(child)); });
  }
  type(expr_node->type);
}

void NameScan::type(const ir::Type* type_node) {
  if (type_node->kind == ir::TypeKind::ScalarType || depth_ > ir::kMaxNesting) return;
  Deeper deeper(depth_);
  ir::for_each_node_in_type(type_node, [&](const ir::Node* node) { expr(static_cast<const ir::Expr*>(node)); });
}

void NameScan::attrs(ir::List<ir::Attr> list) {
  ir::for_each_node_in(list, [&](const ir::Node* node) { expr(static_cast<const ir::Expr*>(node)); });
}

void NameScan::stmt(const ir::Stmt* node) {
  if (node == nullptr || depth_ > ir::kMaxNesting) return;
  Deeper deeper(depth_);
  if (const auto* assign = ir::as<ir::AssignStmt>(node)) {
    type(assign->var->type);
    expr(assign->value);
    define(assign->var);
  } else if (const auto* seq = ir::as<ir::SeqStmts>(node)) {
    for (const ir::Stmt* one : seq->stmts) stmt(one);
  } else if (const auto* loop_node = ir::as<ir::ForStmt>(node)) {
    loop(*loop_node);
  } else if (const auto* while_node = ir::as<ir::WhileStmt>(node)) {
    while_loop(*while_node);
  } else if (const auto* branch = ir::as<ir::IfStmt>(node)) {
    expr(branch->condition);
    stmt(branch->then_body);
    stmt(branch->else_body);
    for (const ir::Var* var : branch->return_vars) define(var);
  } else if (const auto* scope_node = ir::as<ir::ScopeStmt>(node)) {
    scope(*scope_node);
  } else {  // statements without variables of their own
    ir::for_each_child(node, [&](const ir::Node* child) { expr(static_cast<const ir::Expr*>(child)); });
  }
}

void NameScan::loop(const ir::ForStmt& node) {
  expr(node.start);
  expr(node.stop);
  expr(node.step);
  for (const ir::Var* arg : node.iter_args)
    if (const auto* iter_arg = ir::as<ir::IterArg>(arg)) expr(iter_arg->init_value);
  attrs(node.attrs);
  define(node.loop_var);
  for (const ir::Var* arg : node.iter_args) define(arg);
  stmt(node.body);
  for (const ir::Var* var : node.return_vars) define(var);
}

void NameScan::while_loop(const ir::WhileStmt& node) {
  for (const ir::Var* arg : node.iter_args)
    if (const auto* iter_arg = ir::as<ir::IterArg>(arg)) expr(iter_arg->init_value);
  for (const ir::Var* arg : node.iter_args) define(arg);
  expr(node.condition);
  stmt(node.body);
  for (const ir::Var* var : node.return_vars) define(var);
}

void NameScan::scope(const ir::ScopeStmt& node) {
  if (const auto* spmd = ir::as<ir::SpmdScopeStmt>(&node)) expr(spmd->core_num);
  for (const ir::Attr& attr : node.attrs) {
    bool defines =
        attr.key == "task_id_var" && attr.value.kind() == ir::AttrKind::Var && attr.value.as_var() != nullptr;
    if (defines)
      define(attr.value.as_var());
    else
      attrs(ir::List<ir::Attr>(&attr, 1));
  }
  if (const auto* domain = ir::as<ir::CommDomainScopeStmt>(&node))
    for (const ir::Var* slot : domain->slots) {
      if (slot->kind == NodeKind::WindowBuffer)
        define(slot);
      else
        use(slot);
    }
  stmt(node.body);
}

void NameScan::function(const ir::Function* node, uint32_t number) {
  number_ = number;
  // Parameters may mention each other in any order, so all of them come before their types.
  for (const ir::Var* param : node->params) {
    VarFacts& facts = meet(param);
    facts.defined = true;
    facts.parameter = true;
  }
  in_header_ = true;
  for (const ir::Var* param : node->params) type(param->type);
  in_header_ = false;
  attrs(node->attrs);
  stmt(node->body);
  for (const ir::Type* one : node->return_types) type(one);
}

namespace {
class VarsOf {
 public:
  explicit VarsOf(const std::function<void(const ir::Var*)>& f) : f_(f) {}
  void in(const ir::Expr* expr, int depth) {
    if (expr == nullptr || depth > ir::kMaxNesting || !seen_.insert(expr)) return;
    if (const ir::Var* var = ir::as<ir::Var>(expr)) return f_(var);
    ir::for_each_child(expr, [&](const ir::Node* child) { in(static_cast<const ir::Expr*>(child), depth + 1); });
  }

 private:
  const std::function<void(const ir::Var*)>& f_;
  ir::NodeSet seen_;
};
}  // namespace

void for_each_var_of(const ir::Var* var, const std::function<void(const ir::Var*)>& f) {
  VarsOf vars(f);
  ir::for_each_node_in_type(var->type, [&](const ir::Node* node) { vars.in(static_cast<const ir::Expr*>(node), 0); });
  if (var->kind == NodeKind::Var) return;
  ir::for_each_child(var, [&](const ir::Node* child) { vars.in(static_cast<const ir::Expr*>(child), 0); });
}

}  // namespace pyptoc::text
