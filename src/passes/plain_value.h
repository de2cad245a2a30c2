// SPDX-License-Identifier: Apache-2.0
// Calls that are as good as a constant.
#pragma once

#include "ir/expr.h"

namespace pyptoc::passes {

// pld.system.world_size() has one value for the whole run and stands in types, sizes and bounds, where a variable would
// only hide it.
inline bool is_plain_value(const ir::Node* node) {
  const ir::Call* call = ir::as<ir::Call>(node);
  return call != nullptr && call->op->id == ir::OpId::PldSystemWorldSize;
}

}  // namespace pyptoc::passes
