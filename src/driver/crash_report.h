// SPDX-License-Identifier: Apache-2.0
// What remains of a bug of pyptoc: a folder from which somebody else can repeat it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/session.h"
#include "ir/program.h"

namespace pyptoc::driver {

struct Crash {
  std::string where;  // `in pass `Simplify``, or `while it writes the output`
  std::string what;
  std::string pass;                     // empty outside of passes
  const ir::Program* before = nullptr;  // the program before that pass
};

// Reports the bug (E0999) and writes `pyptoc-crash-HASH/` into the current folder: the program before the pass, or the
// input as it was read; the command that repeats it; the facts. Where it cannot be written the report says so.
// `arguments`: the command line.
void report_crash(Session& session, const Crash& crash, const std::vector<std::string>& arguments);

// One word for a POSIX shell.
std::string shell_word(std::string_view text);

}  // namespace pyptoc::driver
