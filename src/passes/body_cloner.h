// SPDX-License-Identifier: Apache-2.0
// Copies statements so that the copy defines variables of its own.
#pragma once

#include "ir/rewriter.h"

namespace pyptoc::passes {

// A new variable like `var`, with its parts and its type rewritten.
const ir::Var* fresh_copy(ir::Rewriter& rewriter, ir::Context& context, const ir::Var* var);

// Every variable that the copied statements define is replaced by a new one of the same name hint, in types too;
// several definitions of one variable stay definitions of one. Before copying, substitute() says what other variables
// become; one that becomes a variable is defined as that.
class BodyCloner : public ir::Rewriter {
 public:
  explicit BodyCloner(ir::Context& context) : Rewriter(context, true) {}

 protected:
  const ir::Var* define(const ir::Var* var) override;
};

}  // namespace pyptoc::passes
