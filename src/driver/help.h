// SPDX-License-Identifier: Apache-2.0
// --help, made from the tables of commands and options.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "driver/options.h"

namespace pyptoc::driver {

inline constexpr size_t kHelpWidth = 80;

// Of one command, or of pyptoc as a whole for kNone. No line is longer than kHelpWidth.
std::string help_text(Command command);

// `text` broken into lines of at most `width` columns, each indented and ended.
std::string wrapped(std::string_view text, size_t indent, size_t width);

// `a, b or c`.
std::string listed(const std::vector<std::string_view>& words);

}  // namespace pyptoc::driver
