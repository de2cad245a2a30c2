// SPDX-License-Identifier: Apache-2.0
// Host tensors that one dispatch of a HOST orchestrator gets for two parameters.
#pragma once

#include "passes/buffer_roots.h"
#include "passes/pass.h"

namespace pyptoc::passes {

// Each argument of a chip program is a copy of its own in device memory. One that is only read holds what was there
// before the dispatch, whatever another parameter is for; two that are written come back over each other. Reports
// (E0628) pairs that are written and share an element for certain.
void check_host_copies(const ir::Program* program, const ir::Function* host, BufferRoots& roots, diag::Engine& diags);

}  // namespace pyptoc::passes
