// SPDX-License-Identifier: Apache-2.0
// The JSON Schema of diagnostics, for `pyptoc schema diagnostics`.
#pragma once

#include <string_view>

namespace pyptoc::diag {

// JSON Schema (2020-12) of one line of what render_json() writes.
std::string_view diagnostics_json_schema();

}  // namespace pyptoc::diag
