// SPDX-License-Identifier: Apache-2.0
// Which Out parameters of kernels can be the carry that their callers hand in.
#pragma once

#include <string_view>
#include <unordered_map>

#include "passes/returned_params.h"

namespace pyptoc::passes {

struct ParamMerge {
  size_t out = 0;  // goes
  size_t in = 0;   // becomes InOut

  bool operator==(const ParamMerge&) const = default;
};

struct ParamMerges {
  std::unordered_map<std::string_view, ParamMerge> by_kernel;
  ir::NodeSet creates;  // variables of the tensors that go
};

// See optimize_orch_tensors.h for the conditions.
ParamMerges find_param_merges(const ir::Program* program, RootsMemo* memo);

}  // namespace pyptoc::passes
