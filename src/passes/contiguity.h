// SPDX-License-Identifier: Apache-2.0
// Which tensors of an orchestration are row-major without gaps whatever path their value came by. A managed collective
// addresses its operands as one run of elements, and a verdict at run time would stop one rank while its peers wait.
#pragma once

#include <string>
#include <vector>

#include "passes/returned_params.h"

namespace pyptoc::passes {

// What a value may be broken by: the first step that was found, in the order of the function.
struct ContiguityFault {
  const ir::Node* at;  // the variable or the call
  std::string text;    // `x` has layout `DN`
};

// An allow-list, since a missed acceptance is safe and a wrong one is not. Roots: parameters, windows, tensor.create,
// an Out that a Submit leaves to the runtime. Followed to their source: reshape, view, set_validshape, assemble and a
// collective (their target), a result of a function (the argument that it hands back), a slice that narrows the leading
// dimension only, results of branches and loops. Everything else is a fault, and so is a type on the way whose layout
// is not ND, whose valid shape is not its shape, or whose strides are not the packed ones.
//
// Linear in the size of the function: faults flow from where they arise to every value that they reach.
class Contiguity {
 public:
  Contiguity(const ir::Function* function, const ir::Program* program, ReturnedParams& callees);
  // Null when the value is contiguous for sure.
  const ContiguityFault* fault_of(const ir::Expr* value) const;

 private:
  friend class ContiguityFlow;
  int find_value(const ir::Expr* value) const;

  std::vector<ContiguityFault> faults_;
  std::vector<int> fault_of_value_;         // by value number; -1 none
  ir::NodeMap<int> values_;                 // variable -> value number + 1
  ir::NodeMap<std::vector<int>> elements_;  // tuple variable -> value numbers of its elements, -1 none
};

}  // namespace pyptoc::passes
