// SPDX-License-Identifier: Apache-2.0
// Keeps the comments of a statement that a pass replaces.
#pragma once

#include "ir/context.h"

namespace pyptoc::passes {

// `stmt` with `comments` before its own. Comments for an empty SeqStmts, which says nothing, are dropped.
const ir::Stmt* with_comments(ir::Context& context, const ir::Stmt* stmt, ir::List<std::string_view> comments);

const ir::Stmt* without_comments(ir::Context& context, const ir::Stmt* stmt);

// `stmts` in one, with `comments` on the first.
const ir::Stmt* seq_with_comments(ir::Context& context, std::vector<const ir::Stmt*> stmts,
                                  ir::List<std::string_view> comments, const ir::Span* span);

}  // namespace pyptoc::passes
