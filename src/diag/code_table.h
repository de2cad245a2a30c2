// SPDX-License-Identifier: Apache-2.0
// All codes as data, for `pyptoc explain`, `pyptoc list diagnostics` and the names of -W.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "diag/code.h"

namespace pyptoc::diag {

// Sorted by area and number: E0104 before W0105 before E0201.
std::span<const CodeInfo* const> all_codes();

// By code (`E0104`, also in lower case) or by name (`unknown-field`, also with `_`); null when there is none.
const CodeInfo* find_code(std::string_view id_or_name);

// The names that -W takes, sorted as in the table.
std::vector<std::string_view> warning_names();
// All codes and names, to find the closest one to a misspelt argument of `explain`.
std::vector<std::string_view> code_ids_and_names();

}  // namespace pyptoc::diag
