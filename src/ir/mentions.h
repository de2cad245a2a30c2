// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/program.h"

namespace pyptoc::ir {

// Whether one of the variables occurs in the node or below it, definitions included.
bool mentions(const Node* node, List<const Var*> vars);
bool mentions(const Node* node, const Var* var);

}  // namespace pyptoc::ir
