// SPDX-License-Identifier: Apache-2.0
// Least values of integer scalars in an orchestration.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/node_map.h"
#include "ir/program.h"

namespace pyptoc::passes {

// Knows the scalars that statements define; tell it about them in order, definitions before uses.
class LeastValues {
 public:
  void assign(const ir::Var* var, const ir::Expr* value);
  void loop(const ir::ForStmt* loop);
  // Nothing when there is no bound. Extents of tensors are at least 0; other parameters can be anything.
  std::optional<int64_t> of(const ir::Expr* e) const { return of(e, 0); }
  void extents(const ir::Function* function);

 private:
  std::optional<int64_t> of(const ir::Expr* e, int depth) const;
  std::optional<int64_t> of_binary(const ir::BinaryExpr* e, int depth) const;

  ir::NodeMap<std::optional<int64_t>> known_;
};

}  // namespace pyptoc::passes
