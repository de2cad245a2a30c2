// SPDX-License-Identifier: Apache-2.0
// Extents that name one symbol: the first parameter that has one with a symbol says what the symbol is.
#pragma once

#include <optional>

#include "ir/program.h"

namespace pyptoc::passes {

// `factor * symbol + offset`, exact; the symbol is null for a constant.
struct LinearExtent {
  const ir::Var* symbol = nullptr;
  int64_t factor = 0;
  int64_t offset = 0;
};
// Nothing for other forms, and where numbers are larger than 2^31.
std::optional<LinearExtent> linear_extent(const ir::Expr* e);

// The extent of a tensor parameter that decides a symbol.
struct BindingExtent {
  const ir::Var* param = nullptr;
  size_t axis = 0;
  LinearExtent form;
};
// In order of parameters and axes, the first that determines it.
std::optional<BindingExtent> binding_extent(const ir::Function* function, const ir::Var* symbol);

}  // namespace pyptoc::passes
