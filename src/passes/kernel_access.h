// SPDX-License-Identifier: Apache-2.0
// What a function does to the tensors that it is given.
#pragma once

#include <string_view>
#include <vector>

#include "ir/context.h"
#include "ir/function_map.h"
#include "passes/buffer_roots.h"
#include "passes/pass.h"

namespace pyptoc::passes {

struct ParamAccess {
  bool read = false;
  bool written = false;

  // Read only In, written only Out, both InOut; a parameter that is only looked at is In.
  ir::ParamDirection direction() const {
    if (!written) return ir::ParamDirection::In;
    return read ? ir::ParamDirection::InOut : ir::ParamDirection::Out;
  }
};

// Directions that are known better than a function's own.
using KnownDirections = ir::FunctionMap<ir::List<ir::ParamDirection>>;

// One for each parameter, scalars included. Accesses through views, carries, branches and results of calls count for
// each parameter that may be behind them. A called function accesses as its directions say. A branch that hands on a
// parameter reads it: it may have written none of it.
std::vector<ParamAccess> param_accesses(const ir::Function* function, BufferRoots& roots, const KnownDirections& known);

// The function with directions inferred from its body. `functions` is in the order callees first.
const ir::Program* infer_directions(const ir::Program* program, const std::vector<std::string_view>& functions,
                                    PassContext& context);

}  // namespace pyptoc::passes
