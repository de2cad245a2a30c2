// SPDX-License-Identifier: Apache-2.0
// What types and slices say about contiguity.
#pragma once

#include <optional>
#include <string>

#include "ir/expr.h"

namespace pyptoc::passes {

// Why a tensor of this type may not be row-major without gaps, as it goes on behind a name: `has layout `DN``.
std::optional<std::string> layout_fault(const ir::TensorType* type);
// Why a tensor.slice of a contiguous tensor may not be contiguous.
std::optional<std::string> slice_fault(const ir::Call* slice);

}  // namespace pyptoc::passes
