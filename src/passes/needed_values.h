// SPDX-License-Identifier: Apache-2.0
// Which values of an orchestration have to be computed.
#pragma once

#include <vector>

#include "ir/node_map.h"
#include "ir/stmt.h"
#include "ir/walker.h"

namespace pyptoc::passes {

// The variables that something needs which is certainly emitted: tasks, conditions, bounds of loops, elements that are
// written. A value that nobody needs is left out of the emitted code, and with it what the orchestration waits for.
class NeededValues : private ir::Walker {
 public:
  explicit NeededValues(const ir::Stmt* body);
  bool contains(const ir::Var* var) const { return var != nullptr && needed_.contains(var); }

 private:
  void visit(const ir::Node* node) override;
  void statement(const ir::Node* node);
  void root(const ir::Expr* e);
  void need(const ir::Var* var);

  ir::NodeMap<const ir::Expr*> values_;
  ir::NodeSet needed_;
  std::vector<const ir::Expr*> work_;
};

}  // namespace pyptoc::passes
