// SPDX-License-Identifier: Apache-2.0
// Values that outlive the C++ block of the scope that defines them.
#pragma once

#include <vector>

#include "ir/node_map.h"
#include "ir/program.h"

namespace pyptoc::codegen {

// A scope statement of the IR does not limit names, its C++ block does. For each scope statement: the variables defined
// in it and used behind it, in order of definition. Linear in the size of the function.
class ScopeEscapes {
 public:
  explicit ScopeEscapes(const ir::Function* function);

  const std::vector<const ir::Var*>& of(const ir::Stmt* scope) const;
  bool escapes(const ir::Var* var) const { return escaping_.contains(var); }
  // Where a TaskId is used behind its scope by the user's own dependency, the first such use; null otherwise.
  const ir::Node* use_behind_scope(const ir::Var* var) const;

 private:
  friend class EscapeFinder;
  ir::NodeMap<std::vector<const ir::Var*>> by_scope_;
  ir::NodeMap<const ir::Node*> uses_;
  ir::NodeSet escaping_;
};

}  // namespace pyptoc::codegen
