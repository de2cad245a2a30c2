// SPDX-License-Identifier: Apache-2.0
// sub_workers/NAME.py: a HOST SubWorker as the Python function that the runtime calls. Source: runtime-contract.md.
#pragma once

#include <string>

#include "diag/engine.h"
#include "ir/program.h"
#include "support/safe_name.h"

namespace pyptoc::codegen {

// The stems of the files, which are the names of the functions in them.
support::NameAllocator sub_worker_names();

// The module; `name` comes from the allocator above. Reports what has no form: a body in the DSL, a parameter that is
// a window or no Python name.
std::string render_sub_worker(const ir::Function* function, const std::string& name, diag::Engine& diags);

}  // namespace pyptoc::codegen
