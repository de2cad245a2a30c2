// SPDX-License-Identifier: Apache-2.0
// Writing a program in the canonical form of ir-format.md.
#pragma once

#include <string>

#include "ir/program.h"

namespace pyptoc::serial {

// UTF-8 without spaces between tokens, each function and each statement of a list on a line of its own, one line end at
// the end.
std::string write_json(const ir::Program* program);

// Byte for byte what the front end writes for the same graph.
std::string write_msgpack(const ir::Program* program);

}  // namespace pyptoc::serial
