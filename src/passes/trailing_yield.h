// SPDX-License-Identifier: Apache-2.0
// The yield at the end of the body of a loop or of a branch, where scopes that are no functions are looked through.
#pragma once

#include "ir/context.h"

namespace pyptoc::passes {

// Runtime and split-AIV scopes: their bodies stay part of the function and of its control flow.
inline bool is_transparent_scope(const ir::Stmt* stmt) {
  return stmt->kind == ir::NodeKind::RuntimeScopeStmt || stmt->kind == ir::NodeKind::SplitAivScopeStmt;
}

// Null when the body does not end with one.
const ir::YieldStmt* trailing_yield(const ir::Stmt* body);
// The body with `values` yielded at its end, in place of the yield that it has; without values it has none afterwards.
// A body that is one transparent scope gets the yield inside of it. `before` stands directly before the yield.
const ir::Stmt* with_trailing_yield(ir::Context& context, const ir::Stmt* body,
                                    const std::vector<const ir::Expr*>& values,
                                    const std::vector<const ir::Stmt*>& before = {});

// What a yield at `at` does when `targets` are ordinary variables: assigns all `values` at once.
void assign_all(ir::Context& context, ir::List<const ir::Var*> targets, ir::List<const ir::Expr*> values,
                const ir::Stmt* at, std::vector<const ir::Stmt*>& out);

}  // namespace pyptoc::passes
