// SPDX-License-Identifier: Apache-2.0
// Domains that a program brings along, in place of those that MaterializeCommDomainScopes would make.
#pragma once

#include "passes/host_windows.h"

namespace pyptoc::passes {

// Reports what does not hold: each slot stands for one allocation of the function and each allocation has one; views
// name the slot of theirs and are used inside of its domain; the devices of a domain are distinct, from 0 on and not
// too many, and those of the dispatches that get its windows are among them.
void check_comm_domains(const ir::Function* function, const ir::Program* program, const HostWindows& windows,
                        diag::Engine& diags);

}  // namespace pyptoc::passes
