// SPDX-License-Identifier: Apache-2.0
// What the inliner knows of an Inline function, and copies of its body for one call.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

// An Inline function whose own calls are expanded already.
struct InlineCallee {
  enum class Assigned : uint8_t { Never, InPlace, Anew };

  const ir::Function* function = nullptr;
  std::vector<Assigned> params;      // how the body assigns each parameter
  const ir::Stmt* body = nullptr;    // without the return at its end
  ir::List<const ir::Expr*> values;  // what that returns
  size_t statements = 0;
  bool is_called_once = false;  // then its body is moved: its variables stay
};

InlineCallee make_inline_callee(const ir::Program* program, const ir::Function* function, PassContext& context);

struct InlineCopy {
  std::vector<const ir::Stmt*> stmts;
  std::vector<const ir::Expr*> values;
};

// `call` has as many arguments as the function has parameters. Its attribute dump_vars applies to the calls and scopes
// of the copy that use the variables.
InlineCopy copy_inline_body(const InlineCallee& callee, const ir::Call* call, PassContext& context);

}  // namespace pyptoc::passes
