// SPDX-License-Identifier: Apache-2.0
// The call or submit that stands where a scope was.
#pragma once

#include <string_view>
#include <vector>

#include "passes/outline_captures.h"
#include "passes/pass.h"

namespace pyptoc::passes {

// How a launch is widened; no width is a launch of one block.
struct LaunchWidth {
  const ir::Expr* core_num = nullptr;
  bool sync_start = false;
};

struct DispatchRequest {
  const ir::ScopeStmt* scope = nullptr;
  const Captures* captures = nullptr;
  std::string_view callee;
  std::vector<const ir::Type*> result_types;  // one for each output
  LaunchWidth width;
};

// Calls the callee with the inputs and binds the outputs and the task id. The attributes of the scope become those of
// the call or fields of the submit. Errors: E0444 a no_dep_args entry that the scope does not use.
std::vector<const ir::Stmt*> make_dispatch(const DispatchRequest& request, PassContext& context);

}  // namespace pyptoc::passes
