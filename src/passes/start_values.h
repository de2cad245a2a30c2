// SPDX-License-Identifier: Apache-2.0
// Which scalars of a HOST function are known when it starts, before anything is allocated or dispatched.
#pragma once

#include <vector>

#include "ir/context.h"
#include "ir/node_map.h"

namespace pyptoc::passes {

// Known are constants, pld.world_size(), scalar parameters, extents of parameters, and what statements that always run
// compute from these. Such statements can stand at the beginning of the function.
class StartValues {
 public:
  explicit StartValues(const ir::Function* function);

  // The first variable in `e` that is not known; null when all are.
  const ir::Var* unknown_in(const ir::Expr* e) const;
  // What `var` is, looking through assignments and casts between integers; `e` itself for everything else.
  const ir::Expr* resolve(const ir::Expr* e) const;
  // What a scalar is assigned; null for other variables.
  const ir::Expr* value_of(const ir::Var* var) const;
  // The definitions of the known variables in `e` will be moved to the beginning.
  void need(const ir::Expr* e);

  // `function`, which is the constructor's or has the same definitions of scalars, with the needed ones at its
  // beginning, then `stmts`, then its body.
  const ir::Function* with_beginning(const ir::Function* function, ir::Context& context,
                                     const std::vector<const ir::Stmt*>& stmts) const;

 private:
  struct Definition {
    const ir::AssignStmt* at = nullptr;
    size_t order = 0;
    bool known = false;
    bool needed = false;
  };
  void collect(const ir::Stmt* s);
  bool is_known(const ir::Var* var) const;

  ir::NodeMap<Definition> always_;       // scalars that a statement defines which always runs
  ir::NodeMap<const ir::Expr*> values_;  // of every assigned scalar
  ir::NodeSet defined_;                  // by any statement
  ir::NodeSet params_;
  std::vector<const ir::Var*> needed_;
  size_t next_ = 0;
  int depth_ = 0;
};

}  // namespace pyptoc::passes
