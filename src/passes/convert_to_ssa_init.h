// SPDX-License-Identifier: Apache-2.0
// Initial values of variables that get their first value inside of a loop and are used behind it.
#pragma once

#include <functional>

#include "ir/node_map.h"
#include "passes/pass.h"

namespace pyptoc::passes {

// Finds which variable from before a loop holds the tensor that the loop leaves in `var`, by the assignments in `body`:
// in-place operators (`out = tile.store(t, offsets, c)` leaves c) and calls that write an Out argument. Null when there
// is none. `before` says whether a variable has a value before the loop.
class LoopInits {
 public:
  LoopInits(const ir::Program* program, const ir::Stmt* body);
  const ir::Var* tensor_left_in(const ir::Var* var, const std::function<bool(const ir::Var*)>& before) const;

 private:
  const ir::Var* source_of(const ir::Expr* value) const;
  const ir::Var* output_of(const ir::Expr* call, std::optional<size_t> result) const;

  const ir::Program* program_;
  ir::NodeMap<const ir::Expr*> last_values_;
};

// A value of the type that is never read: zero, false, an invalid task id, or a fresh tensor or tile, made by a
// statement in `out`. Null for a type that has none.
const ir::Expr* placeholder(ir::Context& context, std::string_view name, const ir::Type* type, const ir::Span* span,
                            std::vector<const ir::Stmt*>& out);

}  // namespace pyptoc::passes
