// SPDX-License-Identifier: Apache-2.0
// How wide a collective of the CHIP rail is launched, and whether its signal and the device allow that.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/collectives.h"
#include "passes/pass.h"

namespace pyptoc::passes {

struct CollectiveLaunch {
  bool good = false;                    // false: an error was reported
  const ir::Expr* blocks = nullptr;     // null: one block
  std::vector<const ir::Stmt*> before;  // statements that compute and check a width known at run time only
};

// all_to_all_v launches B blocks of the L that `core_num` asks for: L below the number of ranks P, else the largest
// multiple of P in L; mesh allreduce and indexed_all_to_all_v launch L; the others one. `args` are the call's arguments
// as they are after lowering. What is constant is checked here: the range of core_num, a cell of the signal for each
// block, the AIV cores of the device (all blocks wait for each other). What is not becomes `system.require` statements.
// Errors: E0651 to E0654.
CollectiveLaunch collective_launch(const ir::CollectiveInfo& info, const ir::Call* call,
                                   const std::vector<const ir::Expr*>& args, PassContext& context);

// `name` as a message shows an operand: signal (`sig`); the name of the table where the value has none.
std::string operand_text(const ir::CollectiveInfo& info, size_t operand, const ir::Expr* value);

// A name of the program in the text of a check, where braces stand for values.
std::string check_name(std::string_view name);

}  // namespace pyptoc::passes
