// SPDX-License-Identifier: Apache-2.0
// Removes scalars that nobody reads.
#pragma once

#include "ir/context.h"

namespace pyptoc::passes {

// Drops assignments of pure scalar values and of tuples of names, and results of ifs, that are not used, until no more
// become unused. TaskIds stay. Requires SSA form. Linear.
const ir::Function* drop_dead_scalars(const ir::Function* function, ir::Context& context);

}  // namespace pyptoc::passes
