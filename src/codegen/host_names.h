// SPDX-License-Identifier: Apache-2.0
// The names of a host_orch.py: which are taken before the program's own get theirs.
#pragma once

#include "support/safe_name.h"

namespace pyptoc::codegen {

// Knows Python's keywords and built-in names, what the module imports, and the emitter's own names.
support::NameAllocator host_module_names();

}  // namespace pyptoc::codegen
