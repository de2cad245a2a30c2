// SPDX-License-Identifier: Apache-2.0
// The forms of a program and of a picture: by a file's ending for output, by content for input.
#pragma once

#include <optional>
#include <string_view>

#include "driver/options.h"

namespace pyptoc::driver {

// By the ending `.json`, `.msgpack` or `.py`.
std::optional<ProgramFormat> format_of_path(std::string_view path);

// By the ending `.dot`, `.svg` or `.html`.
std::optional<GraphFormat> picture_of_path(std::string_view path);

// Whether `bytes` are DSL text. A `.py` file always is; of other names the first character decides, since JSON begins
// with a brace and MessagePack with a byte beyond ASCII.
bool is_program_text(std::string_view path, std::string_view bytes);

}  // namespace pyptoc::driver
