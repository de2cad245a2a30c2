// SPDX-License-Identifier: Apache-2.0
// Identities of the known operators; the rows are in ops.def.
#pragma once

#include <cstdint>
#include <string_view>

namespace pyptoc::ir {

enum class OpId : uint16_t {
  Unknown,
#define PYPTOC_OP(ID, NAME, ...) ID,
#include "ir/ops.def"
#undef PYPTOC_OP
};

// Unknown when the table has no operator of that name.
OpId op_id_of(std::string_view name);

}  // namespace pyptoc::ir
