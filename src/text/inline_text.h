// SPDX-License-Identifier: Apache-2.0
// Python text of inline statements inside DSL text.
#pragma once

#include <string>
#include <string_view>

namespace pyptoc::text {

// Whether the text can stand as an indented block and be got back exactly: it starts at the left margin, does not begin
// or end with an empty line, its brackets and strings are closed, and it has no line ends but `\n`.
bool is_indentable(std::string_view text);

// The block whose first line begins at `begin` and is indented by `margin` bytes: its lines without that indentation,
// up to the first line that is indented less and not blank. Blank lines at its end are not part of it.
std::string unindented(std::string_view source, size_t begin, size_t margin);

}  // namespace pyptoc::text
