// SPDX-License-Identifier: Apache-2.0
// The steps of AssignCores behind the typing of kernels.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ir/rewriter.h"
#include "passes/pass.h"

namespace pyptoc::passes {

// New variables for the parameters of `f`, which `cloner` puts in their place from now on.
std::vector<const ir::Var*> fresh_params(const ir::Function* f, ir::Rewriter& cloner, ir::Context& context);

// A copy under another name with variables of its own.
const ir::Function* clone_function(const ir::Function* f, std::string_view name, ir::Context& context);

// Groups of the user whose two kernels take different arguments: both get the Group's parameters. A kernel that is
// called elsewhere too stays, and the Group gets a copy `<group>_<kernel>`.
const ir::Program* unify_group_arguments(const ir::Program* program, PassContext& context);

// Adds the workspace of pipes through global memory, for the kernels named and all that open a pipe themselves.
const ir::Program* add_pipe_buffers(const ir::Program* program, const std::unordered_set<std::string>& meeting,
                                    PassContext& context);

}  // namespace pyptoc::passes
