// SPDX-License-Identifier: Apache-2.0
// Which functions run a task that can wait for another rank.
#pragma once

#include <string_view>
#include <vector>

#include "ir/program.h"

namespace pyptoc::passes {

// Blocking tasks come from kernels that contain a wait operator, or are templates of a collective.
class BlockingKernels {
 public:
  explicit BlockingKernels(const ir::Program* program);
  bool can_block(std::string_view function) const;
  // A barrier is ordered against every task that touches a window.
  bool is_barrier(std::string_view function) const;

 private:
  std::vector<std::string_view> blocking_;  // sorted
  std::vector<std::string_view> barriers_;
};

}  // namespace pyptoc::passes
