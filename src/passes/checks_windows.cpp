// SPDX-License-Identifier: Apache-2.0
// Checker of the property that CheckWindowProvenance ensures.
#include "passes/check_window_provenance.h"
#include "passes/property_checks.h"

namespace pyptoc::passes {

// What the pass would report of the program as it is now.
void check_WindowsDistinct(const ir::Program* program, Findings& findings) {
  ir::Context scratch;
  diag::Engine engine;
  Options options;
  PassContext context{scratch, engine, options};
  check_window_provenance(program, context);
  for (const diag::Diagnostic& d : engine.sorted())
    if (findings.size() < kMaxFindings) findings.push_back(std::string(d.code->id) + ": " + d.message);
}

}  // namespace pyptoc::passes
