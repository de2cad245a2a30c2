// SPDX-License-Identifier: Apache-2.0
// Which temporaries of an orchestration can be parts of the tensors that they are copied into.
#pragma once

#include "passes/returned_params.h"

namespace pyptoc::passes {

class FuseCandidates {
 public:
  FuseCandidates(const ir::Function* f, const ir::Program* program, BufferRoots& roots, ReturnedParams& callees);

  // The assemble that the tensor of this create ends in, or null.
  const ir::Call* assemble_of(const ir::Var* created) const;
  // What stands for a variable that goes: an assembled tensor, a carry or a result that became what it starts as. The
  // variable itself when it stays.
  const ir::Expr* replacement(const ir::Var* var) const;
  bool empty() const { return count_ == 0; }

 private:
  friend class FuseAnalysis;
  ir::NodeMap<const ir::Call*> assembles_;  // created variable -> assemble
  ir::NodeMap<const ir::Expr*> replacements_;
  int count_ = 0;
};

}  // namespace pyptoc::passes
