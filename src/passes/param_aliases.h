// SPDX-License-Identifier: Apache-2.0
// Which parameters of a chip function are one window for some caller.
#pragma once

#include <map>
#include <vector>

#include "passes/buffer_roots.h"

namespace pyptoc::passes {

// A dispatch may pass one window twice, or two views of one allocation, as long as no collective takes both. The chip
// function's own text shows nothing of it, and its tasks have to be ordered all the same.
//
// Windows only: a host tensor that is passed twice arrives as two copies.
class ParamAliases {
 public:
  ParamAliases(const ir::Program* program, BufferRoots& roots);
  // Indices of the other parameters that may be the same storage as this one, sorted; mostly none.
  const std::vector<int>& of(const ir::Function* function, int param) const;

 private:
  void note(const ir::Expr* call, const ir::Function* callee, const FunctionRoots& roots);

  ir::NodeMap<std::map<int, std::vector<int>>> by_function_;
  std::vector<int> none_;
};

}  // namespace pyptoc::passes
