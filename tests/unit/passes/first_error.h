// SPDX-License-Identifier: Apache-2.0
// What tests over many programs say of one that failed.
#pragma once

#include <string>

#include "diag/engine.h"

namespace pyptoc::passes {

// Code and message; empty when there is no error.
inline std::string first_error(const diag::Engine& diags) {
  for (const diag::Diagnostic& d : diags.sorted())
    if (d.severity == diag::Severity::Error) return std::string(d.code->id) + " " + d.message;
  return "";
}

}  // namespace pyptoc::passes
