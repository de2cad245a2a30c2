// SPDX-License-Identifier: Apache-2.0
// Scalars of a chip function under one dispatch: whether ranks agree on them, and what they are on the host. Internal
// to window_flow.
#pragma once

#include "passes/window_flow.h"

namespace pyptoc::passes {

class ChipScalars {
 public:
  // `tuples`: what tuple variables were assigned.
  ChipScalars(ir::Context& context, const ir::NodeMap<const ir::Expr*>& tuples) : context_(context), tuples_(tuples) {}

  void define(const ir::Var* var, ScalarFact fact) { facts_[var] = std::move(fact); }
  void define_once(const ir::Var* var, const ScalarFact& fact) {
    if (!facts_.contains(var)) facts_[var] = fact;
  }
  ScalarFact fact(const ir::Expr* e);
  // `not e`
  const ir::Expr* negated(const ir::Expr* e);

 private:
  ScalarFact of_call(const ir::Call* call);
  ScalarFact of_dim(const ir::Call* call);
  ScalarFact of_binary(const ir::BinaryExpr* e);
  ScalarFact of_unary(const ir::UnaryExpr* e);

  ir::Context& context_;
  const ir::NodeMap<const ir::Expr*>& tuples_;
  ir::NodeMap<ScalarFact> facts_;
  int depth_ = 0;
};

}  // namespace pyptoc::passes
