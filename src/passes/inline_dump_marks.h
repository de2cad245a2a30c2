// SPDX-License-Identifier: Apache-2.0
// Hands the dump marks of an inlined call down to what really runs.
#pragma once

#include "ir/context.h"

namespace pyptoc::passes {

inline constexpr std::string_view kDumpVars = "dump_vars";

// `stmt` with `marked` added to the attribute dump_vars of each call of a function, submit, and scope that becomes a
// task, as far as that uses them.
const ir::Stmt* with_dump_marks(ir::Context& context, const ir::Stmt* stmt, ir::List<const ir::Var*> marked);

}  // namespace pyptoc::passes
