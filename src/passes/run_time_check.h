// SPDX-License-Identifier: Apache-2.0
// A check that the emitted code makes, as a statement of the IR. Source: collectives.md, "Run-time checks are IR".
#pragma once

#include <string_view>
#include <vector>

#include "ir/context.h"
#include "ir/op_id.h"

namespace pyptoc::passes {

// `op` is system.require or system.require_contiguous, `args` its operands, `text` what the user reads when it fails.
const ir::Stmt* run_time_check(ir::Context& context, ir::OpId op, const std::vector<const ir::Expr*>& args,
                               std::string_view text, const ir::Span* span);

}  // namespace pyptoc::passes
