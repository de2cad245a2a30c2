// SPDX-License-Identifier: Apache-2.0
// Verification of what a pass left behind.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

// Checks the properties that `info` ensures, but those that are known to hold already. A violation is a bug of pyptoc:
// InternalError with the pass, the property and the first findings.
void require_valid(const ir::Program* program, const PassInfo& info, PropertySet known);

// One checker for each property: appends what contradicts it, with the function and the construct. Empty = it holds.
std::vector<std::string> violations(const ir::Program* program, Property property);

}  // namespace pyptoc::passes
