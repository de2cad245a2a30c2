// SPDX-License-Identifier: Apache-2.0
// The walk that NameTable's plan is made from.
#pragma once

#include <functional>

#include "text/name_table.h"

namespace pyptoc::text {

// Meets variables in the order of the printed text. Expressions that are shared are walked once.
class NameScan {
 public:
  explicit NameScan(NameTable& table) : table_(table) {}
  void function(const ir::Function* function, uint32_t number);

 private:
  VarFacts& meet(const ir::Var* var);
  void use(const ir::Var* var);
  void define(const ir::Var* var);
  void parts_of(const ir::Var* var);
  void expr(const ir::Expr* expr);
  void type(const ir::Type* type);
  void attrs(ir::List<ir::Attr> attrs);
  void stmt(const ir::Stmt* stmt);
  void loop(const ir::ForStmt& loop);
  void while_loop(const ir::WhileStmt& loop);
  void scope(const ir::ScopeStmt& scope);
  bool first_visit(const ir::Node* node);

  NameTable& table_;
  uint32_t number_ = 0;
  bool in_header_ = false;
  int depth_ = 0;
  std::vector<uint64_t> seen_;  // bits, by creation number
};

// Calls f(const Var*) for each variable in a type or in an expression that a type or declaration may hold; stops at
// expressions nested deeper than ir::kMaxNesting.
void for_each_var_of(const ir::Var* var, const std::function<void(const ir::Var*)>& f);

}  // namespace pyptoc::text
