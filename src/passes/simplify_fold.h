// SPDX-License-Identifier: Apache-2.0
// Folding of one scalar operator whose operands are folded already.
#pragma once

#include "passes/pass.h"
#include "passes/simplify_bounds.h"

namespace pyptoc::passes {

class Folder {
 public:
  Folder(PassContext& context, Bounds& bounds) : context_(context), bounds_(bounds) {}

  // The expression that stands for `e`, or `e`. Reports what cannot be computed.
  const ir::Expr* fold(const ir::BinaryExpr* e);
  const ir::Expr* fold(const ir::UnaryExpr* e);

 private:
  const ir::Expr* fold_any(const ir::BinaryExpr* e);
  const ir::Expr* fold_constants(const ir::BinaryExpr* e, int64_t left, int64_t right);
  const ir::Expr* fold_comparison(const ir::BinaryExpr* e);
  const ir::Expr* fold_logic(const ir::BinaryExpr* e);
  const ir::Expr* fold_arithmetic(const ir::BinaryExpr* e);
  const ir::Expr* fold_sum(const ir::BinaryExpr* e);
  const ir::Expr* fold_known(const ir::BinaryExpr* e);
  const ir::Expr* constant(int64_t value, const ir::Expr* like);
  const ir::Expr* checked(const ir::Expr* e, std::optional<int64_t> value, bool overflow);

  PassContext& context_;
  Bounds& bounds_;
};

// Whether nothing is lost when the expression is not evaluated, or evaluated twice.
bool is_pure(const ir::Expr* e);

}  // namespace pyptoc::passes
