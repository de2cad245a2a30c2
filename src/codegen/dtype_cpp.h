// SPDX-License-Identifier: Apache-2.0
// Element types in generated C++ and Python. Source: emission.md "Types", runtime-contract.md "Kernel .cpp".
#pragma once

#include <optional>
#include <string_view>

#include "ir/enums.h"

namespace pyptoc::codegen {

// The C++ type of a scalar in an orchestration unit; none for types that such a unit cannot compute with.
std::optional<std::string_view> orchestration_type(ir::DType dtype);
// The enumerator of the runtime's DataType (`FLOAT32`); none where the runtime has no such element type.
std::optional<std::string_view> runtime_dtype(ir::DType dtype);
// The torch type of a host tensor (`float32`); none where torch or the runtime has no such element type.
std::optional<std::string_view> torch_dtype(ir::DType dtype);

}  // namespace pyptoc::codegen
