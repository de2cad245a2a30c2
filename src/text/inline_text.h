// SPDX-License-Identifier: Apache-2.0
// Python text of inline statements inside DSL text.
#pragma once

#include <string_view>

namespace pyptoc::text {

// Whether the text can stand as an indented block and be got back exactly: it starts at the left margin, does not begin
// or end with an empty line, its brackets and strings are closed, and it has no line ends but `\n`.
bool is_indentable(std::string_view text);

}  // namespace pyptoc::text
