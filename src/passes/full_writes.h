// SPDX-License-Identifier: Apache-2.0
// Which Out parameters of an orchestration are written in every element, whatever the arguments are.
#pragma once

#include <vector>

#include "passes/task_program.h"

namespace pyptoc::passes {

// For each parameter whether its tasks certainly write all of it; false for what is no Out tensor.
//
// A task that always runs writes what it gets for an Out parameter of its kernel, all of it, unless the kernel's body
// shows that its stores cannot fill it. Parts count together where loops over constant bounds, or bounds that are the
// extent divided by the part, lay them side by side.
std::vector<bool> written_in_full(const ir::Function* orchestration, BufferRoots& roots,
                                  const BlockingKernels& blocking);

}  // namespace pyptoc::passes
