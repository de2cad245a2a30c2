// SPDX-License-Identifier: Apache-2.0
// The rounds of collectives in a chip function, in which its rank meets the others. Internal to
// check_window_provenance.
#pragma once

#include <set>
#include <vector>

#include "ir/collectives.h"
#include "passes/buffer_roots.h"

namespace pyptoc::passes {

// In a round a rank tells all others that it is there, in cells of a signal, and waits until they are.
struct ChipRound {
  size_t param = 0;  // whose cells are those of the round
  const ir::Expr* call = nullptr;
  const ir::CollectiveInfo* info = nullptr;
};

struct ChipRounds {
  std::vector<ChipRound> rounds;  // as one rank after the other runs them
  // Windows whose rounds are not told, since a branch or a run-time number of iterations decides them, or since
  // another kernel may reach the cells as well.
  std::set<size_t> open;
  bool all_open = false;
};

ChipRounds chip_rounds(const ir::Program* program, const ir::Function* chip, BufferRoots& roots);

// How many rounds a collective takes.
int rounds_of(const ir::CollectiveInfo& info);

}  // namespace pyptoc::passes
