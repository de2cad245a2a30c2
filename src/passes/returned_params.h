// SPDX-License-Identifier: Apache-2.0
// Which of its parameters a function hands back.
#pragma once

#include <optional>
#include <vector>

#include "ir/context.h"
#include "passes/buffer_roots.h"

namespace pyptoc::passes {

class ReturnedParams;

// For each tensor variable of a function the parameter, or the variable of a tensor.create, that it is: the same tensor
// under another name, before or after writes. Null for everything else: a view shares the storage of its source, but is
// not the source.
class TensorIdentities {
 public:
  TensorIdentities(const ir::Function* function, const ir::Program* program, ReturnedParams& callees);
  // Loops are looked at once: a carry counts as what it starts with, unless the loop shows otherwise in the end. Where
  // that matters the storage roots (buffer_roots.h) of the value have to be looked at as well.
  const ir::Var* of(const ir::Expr* value) const;

 private:
  friend class IdentityWalk;
  std::vector<const ir::Var*> results_of(const ir::Expr* call) const;

  const ir::Program* program_;
  ReturnedParams& callees_;
  ir::NodeMap<const ir::Var*> identity_;
  ir::NodeMap<std::vector<const ir::Var*>> elements_;  // of tuple variables
};

// For each result of a function, as its return_types count them, the parameter that it is by identity on
// every path. Callees are followed through their own answers.
class ReturnedParams {
 public:
  explicit ReturnedParams(BufferRoots& roots) : roots_(roots) {}
  const std::vector<std::optional<int>>& of(const ir::Function* function);

 private:
  BufferRoots& roots_;
  ir::NodeMap<std::shared_ptr<std::vector<std::optional<int>>>> done_;
  ir::NodeSet in_progress_;
  std::vector<std::optional<int>> unknown_;
};

// The values that a return statement hands back, one for each result: a single tuple counts as its elements.
std::vector<const ir::Expr*> returned_values(const ir::ReturnStmt* result, size_t results, ir::Context& context);

}  // namespace pyptoc::passes
