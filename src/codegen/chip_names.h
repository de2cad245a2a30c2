// SPDX-License-Identifier: Apache-2.0
// The names of a chip orchestration unit: which are taken before the program's own get theirs.
#pragma once

#include "support/safe_name.h"

namespace pyptoc::codegen {

// Knows the C++ keywords, the runtime API's names and the emitter's own (prologue helpers, entry points).
support::NameAllocator chip_unit_names();

}  // namespace pyptoc::codegen
