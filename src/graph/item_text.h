// SPDX-License-Identifier: Apache-2.0
// What a picture says of a task, a call or a collective beside its name.
#pragma once

#include <string>
#include <string_view>

#include "graph/model.h"
#include "ir/program.h"

namespace pyptoc::graph {

// The device that a call is dispatched to; null for a call of another kind.
const ir::Expr* device_of(ir::List<ir::Attr> attrs);
// `AIV, 4 blocks, early`; for a dispatch its device first. `submit` may be null.
std::string call_detail(const ir::Function* callee, ir::List<ir::Attr> attrs, const ir::Submit* submit);
// `ring, 8 blocks`.
std::string collective_detail(const ir::Call* call);
// Adds what a scope that becomes a kernel, or a scope in it, says of the task.
void describe_task(const ir::ScopeStmt* node, Item& item);

// `moe.py:41:16`; empty when it is not known.
std::string place_text(const ir::Node* node);

}  // namespace pyptoc::graph
