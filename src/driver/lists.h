// SPDX-License-Identifier: Apache-2.0
// The tables of the compiler as text and as JSON: pyptoc list.
#pragma once

#include <string>

#include "diag/code.h"
#include "support/json_writer.h"

namespace pyptoc::driver {

std::string passes_as_text();
std::string passes_as_json();
std::string ops_as_text();
std::string ops_as_json();
std::string targets_as_text();
std::string targets_as_json();
std::string templates_as_text();
std::string templates_as_json();
std::string diagnostics_as_text();
std::string diagnostics_as_json();

// One object; with its explanation where asked for.
void append_diagnostic(support::JsonWriter& json, const diag::CodeInfo& code, bool with_explanation);

}  // namespace pyptoc::driver
