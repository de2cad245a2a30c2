// SPDX-License-Identifier: Apache-2.0
// What element types are called outside of the IR.
#pragma once

#include <optional>
#include <string_view>

#include "ir/enums.h"

namespace pyptoc::ir {

// In compiled_meta.json and distributed_meta.json, and in the names of collective variants: `fp32`, `bfloat16`.
// Source: runtime-contract.md, "Host orchestration".
std::string_view lower_name_of(DType dtype);

// The type of C++ itself that holds such values: BOOL, the integers, FP32, FP64. Nothing for the others.
std::optional<std::string_view> cpp_type(DType dtype);

}  // namespace pyptoc::ir
