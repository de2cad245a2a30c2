// SPDX-License-Identifier: Apache-2.0
// From a call or submit to the launch of kernels: Spmd and Group wrappers are seen through.
#pragma once

#include <optional>
#include <vector>

#include "ir/program.h"

namespace pyptoc::codegen {

// One argument of the kernels, in the order of their parameters.
struct LaunchArg {
  const ir::Expr* value = nullptr;  // of the caller, or a constant of a wrapper; null: made by the runtime
  const ir::Var* param = nullptr;   // of the kernel
  ir::ArgDirection direction = ir::ArgDirection::Scalar;
  int outer = -1;  // index of the outermost callee's parameter; -1 for a constant
};

struct Launch {
  const ir::Function* callee = nullptr;  // what the caller names
  const ir::Function* aic = nullptr;
  const ir::Function* aiv = nullptr;
  bool both_lanes = false;  // the vector kernel runs on both vector cores of a cluster
  bool is_group = false;
  // A kernel of the group that cannot be launched with the others: they are given one list of arguments, and there is
  // one kernel for each kind of core.
  const ir::Function* unlike = nullptr;
  std::vector<LaunchArg> args;
  const ir::Expr* width = nullptr;  // blocks; null = 1
  bool sync_start = false;
};

// None when the callee is no kernel and no wrapper of kernels (the caller reports it).
std::optional<Launch> resolve_launch(const ir::Program* program, const ir::Expr* call);

// Parts that Call and Submit have in common.
struct CallView {
  const ir::Op* op;
  ir::List<const ir::Expr*> args;
  ir::List<ir::Attr> attrs;
};
std::optional<CallView> call_view(const ir::Expr* e);

}  // namespace pyptoc::codegen
