// SPDX-License-Identifier: Apache-2.0
// The checker of each property. Every property of property.h has exactly one, declared here by its name.
#pragma once

#include <string>
#include <vector>

#include "ir/program.h"
#include "passes/property.h"

namespace pyptoc::passes {

// Appends one text for each construct that contradicts the property, with the function that holds it; at most
// kMaxFindings of them.
using Findings = std::vector<std::string>;
inline constexpr size_t kMaxFindings = 8;

#define PYPTOC_PROPERTY(P) void check_##P(const ir::Program* program, Findings& findings);
PYPTOC_PROPERTIES(PYPTOC_PROPERTY)
#undef PYPTOC_PROPERTY

}  // namespace pyptoc::passes
