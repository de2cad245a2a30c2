// SPDX-License-Identifier: Apache-2.0
// Pieces that one renderer borrows from another.
#pragma once

#include <string>

#include "diag/diagnostic.h"
#include "diag/render.h"
#include "diag/source.h"

namespace pyptoc::diag {

// One diagnostic as render_human shows it, without the empty line that follows.
void append_human(std::string& out, const Diagnostic& diagnostic, SourceProvider& sources,
                  const RenderOptions& options);

}  // namespace pyptoc::diag
