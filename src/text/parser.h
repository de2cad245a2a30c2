// SPDX-License-Identifier: Apache-2.0
// Reading a program from DSL text.
#pragma once

#include <string_view>

#include "diag/engine.h"
#include "ir/context.h"

namespace pyptoc::text {

// The program in `source`, in the form that print_program writes and in those that people write besides;
// docs/language.md describes both. Spans of nodes are places in `filename`. Everything kept is copied into the context,
// so `source` and `filename` may go afterwards.
//
// Null when any error was reported. All faults that do not follow from each other are reported: after one in a
// statement reading goes on at the next. Functions without faults are then verified too (ir/verifier.h), so that their
// own faults show in the same run; a program that is returned has not been verified.
const ir::Program* parse_program(ir::Context& context, std::string_view source, std::string_view filename,
                                 diag::Engine& engine);

}  // namespace pyptoc::text
