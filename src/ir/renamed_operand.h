// SPDX-License-Identifier: Apache-2.0
// Results that are an operand under another name.
#pragma once

#include "ir/op_table.h"

namespace pyptoc::ir {

// The operand that an operator hands back as it is, written or not; null for views of one, for results of their own and
// for calls of functions.
inline const Expr* renamed_operand(const Call* call) {
  if (call->op->is_global_var) return nullptr;
  const ResultStorage storage = op_info(call->op->id).result;
  const bool renames = storage.kind == ResultStorage::Kind::Alias && storage.operand < call->args.size();
  return renames ? call->args[storage.operand] : nullptr;
}

}  // namespace pyptoc::ir
