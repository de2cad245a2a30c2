// SPDX-License-Identifier: Apache-2.0
// Diagnostics as text for people, as one line each, as JSON lines, and as a SARIF log.
//
// All are pure: the same diagnostics and the same answers of the provider give the same bytes. Text that comes
// from the program or from files is escaped, so that it cannot reach the terminal as control codes or fake lines.
#pragma once

#include <iosfwd>
#include <span>
#include <string_view>

#include "diag/diagnostic.h"
#include "diag/source.h"

namespace pyptoc::diag {

struct RenderOptions {
  bool color = false;
  int width = 80;  // columns that an excerpt may take; messages are never broken
};

// `diagnostics` is what Engine::sorted() gave, `summary` what Engine::summary() gave. Writes nothing at all when there
// is nothing to tell.
void render_human(std::ostream& out, std::span<const Diagnostic> diagnostics, const Summary& summary,
                  SourceProvider& sources, const RenderOptions& options = {});

// `file:line:col: error[E0312]: message`, one line each, for editors and grep; notes and help follow in the same form.
void render_short(std::ostream& out, std::span<const Diagnostic> diagnostics, const Summary& summary,
                  SourceProvider& sources, const RenderOptions& options = {});

// One object per line: `$message_type` is "diagnostic" for each and "summary" for the last. Fields may be added later.
void render_json(std::ostream& out, std::span<const Diagnostic> diagnostics, const Summary& summary,
                 SourceProvider& sources, const RenderOptions& options = {});

struct SarifRun {
  std::string_view version;  // of pyptoc
  int exit_status = 0;
};

// One log of SARIF 2.1.0, also when there is nothing to tell. A place is the Python source where it is known, with the
// path in the input file as its logical location.
void render_sarif(std::ostream& out, std::span<const Diagnostic> diagnostics, const Summary& summary,
                  SourceProvider& sources, const SarifRun& run);

}  // namespace pyptoc::diag
