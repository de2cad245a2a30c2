// SPDX-License-Identifier: Apache-2.0
// What the caller of a chip function has to guarantee where no HOST function shows it. Internal to
// check_window_provenance.
#pragma once

#include "passes/pass.h"
#include "passes/window_flow.h"

namespace pyptoc::passes {

// `chip` with its attribute `obligations`. What is wrong whatever the caller passes is reported.
const ir::Function* with_obligations(const ir::Program* program, const ir::Function* chip, const CollectiveReach& reach,
                                     ReturnedParams& returned, PassContext& context);

// `lines` behind those that the function has already, without repetitions.
const ir::Function* add_obligations(const ir::Function* function, const std::vector<std::string>& lines,
                                    ir::Context& context);

}  // namespace pyptoc::passes
