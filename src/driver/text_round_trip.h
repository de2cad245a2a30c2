// SPDX-License-Identifier: Apache-2.0
// Whether the program between two passes can be shown to people and read back without a loss.
#pragma once

#include <string_view>

#include "ir/program.h"

namespace pyptoc::driver {

// Prints the program as DSL text, reads that, and compares the two. A difference, or text that cannot be read, is a bug
// of pyptoc: InternalError with the pass and the first difference.
void require_text_round_trip(const ir::Program* program, std::string_view after_pass);

}  // namespace pyptoc::driver
