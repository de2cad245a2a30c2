// SPDX-License-Identifier: Apache-2.0
// What the verifier knows of a program before it looks at single functions.
#pragma once

#include <string_view>
#include <vector>

#include "ir/node_map.h"
#include "ir/program.h"

namespace pyptoc::ir {

struct Definition {
  const Function* function = nullptr;
  const Node* node = nullptr;  // the statement or function that defines the variable
};

class VerifierFacts {
 public:
  explicit VerifierFacts(const Program* program) : program_(program) {}
  // First claim() each function, then collect_symbols() of each.

  const Function* find(std::string_view name) const { return program_->find(name); }
  std::vector<std::string_view> function_names() const;

  // Null when nothing defines it. Of a variable that several functions define, the function last claimed counts.
  const Definition* definition(const Var* var) const { return definitions_.find(var); }
  // Makes `function` the one whose definitions count.
  void claim(const Function* function);
  // The integers of its signature that nothing defines.
  void collect_symbols(const Function* function);
  // An integer that nothing defines and that stands in the type of some function's parameter or result.
  bool is_symbol(const Var* var) const { return symbols_.contains(var); }

 private:
  void define(const Var* var, const Function* function, const Node* node) {
    if (var != nullptr) definitions_[var] = {function, node};
  }
  void scan(const Stmt* stmt, const Function* function, int& depth);
  void collect_symbols(const Type* type);
  void collect_symbols(const Node* node, int& depth);

  const Program* program_;
  NodeMap<Definition> definitions_;
  NodeSet symbols_;
  NodeSet seen_;
};

// The variable that a scope defines for the id of its task, or null.
const Var* task_id_var(const ScopeStmt& scope);

}  // namespace pyptoc::ir
