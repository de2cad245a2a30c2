// SPDX-License-Identifier: Apache-2.0
// Exact equality of types and of the expressions inside them.
#pragma once

#include "ir/expr.h"

namespace pyptoc::text {

// Equal in every part; variables are the same node. Beyond ir::kMaxNesting nothing is equal but the same object.
bool same_type(const ir::Type* a, const ir::Type* b);
bool same_expr(const ir::Expr* a, const ir::Expr* b);

// As same_type(a, b without memref and window_buffer).
bool same_but_for_storage(const ir::Type* a, const ir::Type* b);

}  // namespace pyptoc::text
