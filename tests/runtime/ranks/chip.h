// SPDX-License-Identifier: Apache-2.0
// Chip programs on ranks: the orchestration of a sub-build runs on its own stack and what it submits runs among the
// tasks of all ranks.
//
// Dependencies are those of standin/run.h. Not modelled here: the life of allocations beyond their scope.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ranks/world.h"
#include "standin/run.h"

namespace standin::ranks {

struct ChipProgram {
  Program program;  // kernels without bodies
  std::vector<Body> bodies;
  std::vector<Direction> signature;  // of the program's tensors
  std::string error;                 // empty when all of it compiled and loaded
};

// What kernel_config.py in the folder names. Kernels whose name is in `mixed` are not compiled but get a body made from
// their signature: it reads and writes all of its arguments, so that orders can be compared without kernels.
ChipProgram load_chip(const std::filesystem::path& folder, const std::vector<std::string>& mixed = {});

// Runs the program from within the body of a task that is not on a core, and returns when all that it submitted is
// done. What the orchestration latches is a problem of the world.
void run_chip(BlockCall& call, const ChipProgram& chip, const std::string& name, const std::vector<ChipTensor>& tensors,
              const std::vector<uint64_t>& scalars);

}  // namespace standin::ranks
