// SPDX-License-Identifier: Apache-2.0
// Types of the variables that the conversion to SSA form makes.
#pragma once

#include "ir/rewriter.h"

namespace pyptoc::passes {

// The type of a version that an assignment of `value` defines. `declared` is the type of the variable. The value's type
// says more where it has a shape: one variable may hold values of several shapes. It never has a place in memory, which
// therefore stays that of the variable. With a single definition the declaration is meant for this value, and wins
// where only it knows an extent as a constant.
const ir::Type* type_of_version(ir::Context& context, const ir::Type* declared, const ir::Expr* value,
                                bool single_definition);

// Whether something in the type is not a constant.
bool has_dynamic_extent(const ir::Type* type);

// Types of merged variables: scalars of a branch in them become the scalars that the branches merge into.
class ScopedTypes : private ir::Rewriter {
 public:
  explicit ScopedTypes(ir::Context& context) : Rewriter(context, true) {}
  using Rewriter::type;
  void rename(const ir::Var* in_branch, const ir::Var* merged) { substitute(in_branch, merged); }
};

}  // namespace pyptoc::passes
