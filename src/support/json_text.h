// SPDX-License-Identifier: Apache-2.0
// JSON strings written without a JSON library.
#pragma once

#include <string>
#include <string_view>

namespace pyptoc::support {

// Appends `text` as a quoted JSON string, all on one line. Bytes that are not UTF-8 become U+FFFD, one for each
// maximal broken part, so the result is always readable JSON; DEL, the C1 controls and U+2028/U+2029 are escaped
// too, so that a line of output can be shown on a terminal and split at line ends by any tool.
void append_json_string(std::string& out, std::string_view text);

}  // namespace pyptoc::support
