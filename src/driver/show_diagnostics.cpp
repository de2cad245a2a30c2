// SPDX-License-Identifier: Apache-2.0
// Rendering of what a command reported.
#include "driver/show_diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <sstream>

#include "diag/codes_io.h"
#include "diag/codes_usage.h"
#include "diag/render.h"
#include "driver/driver.h"
#include "driver/version.h"
#include "publish/replace_file.h"

namespace pyptoc::driver {
namespace {

void render(std::ostream& out, DiagnosticsFormat format, const std::vector<diag::Diagnostic>& list,
            const diag::Summary& summary, diag::SourceProvider& sources, const diag::RenderOptions& options,
            int exit_status) {
  switch (format) {
    case DiagnosticsFormat::kHuman:
      return diag::render_human(out, list, summary, sources, options);
    case DiagnosticsFormat::kShort:
      return diag::render_short(out, list, summary, sources, options);
    case DiagnosticsFormat::kJson:
      return diag::render_json(out, list, summary, sources, options);
    case DiagnosticsFormat::kSarif:
      return diag::render_sarif(out, list, summary, sources, {version(), exit_status});
  }
}

// The file is written also when there is nothing to tell, so that an old one never stays.
bool write_diagnostics(System& system, const Options& options, const std::string& text) {
  diag::Engine failure;
  if (publish::replace_file(system.files, options.diagnostics_output, text, publish::WhenSame::kReplace,
                            system.interruption, failure)) {
    return true;
  }
  diag::SourceProvider nothing;
  diag::render_human(system.err, failure.sorted(), failure.summary(), nothing);
  return false;
}

}  // namespace

bool show_diagnostics(System& system, const Options& options, bool color, const diag::Engine& diags,
                      diag::SourceProvider& sources) {
  std::vector<diag::Diagnostic> list = diags.sorted();
  diag::Summary summary = diags.summary();
  if (options.quiet) {
    std::erase_if(list, [](const diag::Diagnostic& d) { return d.severity == diag::Severity::Warning; });
    summary.warnings = 0;
  }
  const bool to_file = !options.diagnostics_output.empty();
  const auto format = to_file ? DiagnosticsFormat::kHuman : options.diagnostics_format;
  const bool machine = format == DiagnosticsFormat::kJson || format == DiagnosticsFormat::kSarif;
  const int exit_status = exit_status_of(diags);
  render(system.err, format, list, summary, sources, {color && !machine, system.width}, exit_status);
  system.err << std::flush;
  if (!to_file) return true;
  std::ostringstream text;
  render(text, options.diagnostics_format, list, summary, sources, {}, exit_status);
  return write_diagnostics(system, options, text.str());
}

int exit_status_of(const diag::Engine& diags) {
  bool any = false;
  bool program = false;
  // Errors about no place come first, so the limit hides none of those that decide.
  for (const diag::Diagnostic& diagnostic : diags.sorted()) {
    if (diagnostic.severity != diag::Severity::Error) continue;
    any = true;
    const std::string_view id = diagnostic.code->id;
    if (diagnostic.code == &diag::codes::internal_error) return kExitBug;
    if (diagnostic.code == &diag::codes::out_of_memory) return kExitFiles;
    if (id.starts_with("E09")) return kExitUsage;
    // A path that the output cannot have comes from a name in the program.
    program = program || !id.substr(1).starts_with("08") || diagnostic.code == &diag::codes::bad_output_path;
  }
  if (!any) return kExitDone;
  return program ? kExitProgramErrors : kExitFiles;
}

}  // namespace pyptoc::driver
