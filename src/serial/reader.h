// SPDX-License-Identifier: Apache-2.0
// Reading a program from JSON or MessagePack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "diag/engine.h"
#include "ir/context.h"

namespace pyptoc::serial {

struct ReadOptions {
  // Lists and maps inside each other in the input, and nodes inside each other in the graph, refs followed. The second
  // is a promise to everything that walks the IR: no path from the program downwards is longer.
  std::uint32_t max_nesting = 512;
  // Reading gives up after this many errors, because a file of that kind is not the one that was meant.
  std::size_t max_errors = 1000;
};

// The program in `bytes`, which the first bytes tell to be JSON or MessagePack; the formats and the superset that
// people may write by hand are those of ir-format.md. Everything kept is copied into the context, so `bytes` may go
// afterwards. The Span of each node is an object of its own and has the byte offset of the node's map in `bytes`.
//
// Null when any error was reported. Faults of syntax end the reading; all others are collected, those of one node too.
const ir::Program* read_program(ir::Context& context, std::string_view bytes, diag::Engine& diagnostics,
                                const ReadOptions& options = {});

}  // namespace pyptoc::serial
