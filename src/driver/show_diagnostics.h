// SPDX-License-Identifier: Apache-2.0
// Diagnostics on their way to people and to files, and what they mean for the exit status.
#pragma once

#include "diag/engine.h"
#include "diag/source.h"
#include "driver/options.h"
#include "driver/system.h"

namespace pyptoc::driver {

// Renders everything reported to `diags` as the options say. False when --diagnostics-output cannot be written (which
// is said on standard error).
bool show_diagnostics(System& system, const Options& options, bool color, const diag::Engine& diags,
                      diag::SourceProvider& sources);

// By what was reported: 0, 1, 2, 3 or 70.
int exit_status_of(const diag::Engine& diags);

}  // namespace pyptoc::driver
