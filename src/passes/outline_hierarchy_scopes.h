// SPDX-License-Identifier: Apache-2.0
// OutlineHierarchyScopes: `with pl.at(level=..., role=...)` becomes a function of that level and role.
//
//   with pl.at(level=HOST, role=Orchestrator):      def main_host_orch_0(x): y = add(x, x); return y
//     y = add(x, x)                                 y = main_host_orch_0(x)
//
// In Opaque functions only; those stay Opaque. Scopes inside each other become functions inside each other's functions.
// InCore, cluster and spmd scopes stay for the next passes. Parameters that are read only are In, written only Out,
// both InOut.
//
// Requires: SSAForm, NoNestedCalls. Ensures: SSAForm. Errors: E0440, E0441, E0444 (outline_scopes.h).
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* outline_hierarchy_scopes(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
