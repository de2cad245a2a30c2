// SPDX-License-Identifier: Apache-2.0
// Which Out parameters of an orchestration are written in every element, before anything reads them.
#pragma once

#include <vector>

#include "passes/task_program.h"

namespace pyptoc::passes {

// For each parameter whether its tasks certainly write all of it, and read nothing of it that they may not have written
// before; false for what is no Out tensor, or was none as the program declares it: a cache that the program calls In and
// writes some rows of.
//
// A task that always runs writes what it gets for an Out parameter of its kernel, all of it, unless the kernel's body
// shows that its stores cannot fill it. Parts count together where loops lay them side by side. Parts whose places only
// a run knows are taken at the program's word: it calls the parameter Out.
std::vector<bool> written_in_full(const ir::Function* orchestration, ir::List<ir::ParamDirection> declared,
                                  BufferRoots& roots, const BlockingKernels& blocking);

}  // namespace pyptoc::passes
