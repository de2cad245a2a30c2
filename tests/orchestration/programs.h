// SPDX-License-Identifier: Apache-2.0
// The programs that are run in many orders.
#pragma once

#include "orchestration/compiled.h"

namespace pyptoc::orchestration {

// Buffers that are overwritten while earlier tasks may still read them.
std::vector<Case> hazards();
// Dependencies on ids of which it depends which task they name.
std::vector<Case> uncertain_ids();
// Buffers that outlive the scope that makes them.
std::vector<Case> scope_escapes();
// Everything else that orchestrations are made of.
std::vector<Case> constructs();
// Those of them that are about tasks themselves.
std::vector<Case> task_constructs();

}  // namespace pyptoc::orchestration
