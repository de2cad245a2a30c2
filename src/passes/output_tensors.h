// SPDX-License-Identifier: Apache-2.0
// Tensors that a caller makes for what a callee writes.
#pragma once

#include "ir/rewriter.h"

namespace pyptoc::passes {

// Puts types of a callee into terms of a call: its scalars are the arguments, its symbols the arguments' extents.
class InCallersTerms : public ir::Rewriter {
 public:
  InCallersTerms(ir::Context& context, const ir::Function* callee, ir::List<const ir::Expr*> args);
};

// `var = tensor.create(shape of var)`
const ir::Stmt* create_tensor(const ir::Var* var, bool manual_dep, ir::Context& context);

const ir::Expr* tuple_expr(const std::vector<const ir::Expr*>& elements, ir::Context& context);

// The call or submit with other arguments.
const ir::Expr* with_args(const ir::Expr* call, const std::vector<const ir::Expr*>& args, ir::Context& context);

// More last parameters, all Out.
void append_out_params(ir::Function& draft, const std::vector<const ir::Var*>& params, ir::Context& context);

}  // namespace pyptoc::passes
