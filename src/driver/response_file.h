// SPDX-License-Identifier: Apache-2.0
// `@FILE` arguments.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/engine.h"
#include "support/file_system.h"

namespace pyptoc::driver {

// The words of a response file: separated by white space, quoted by '...' and "..." as in a shell, `\` before any
// character, comments from a `#` at the beginning of a word to the end of the line. Nothing when a quote has no end.
std::optional<std::vector<std::string>> split_words(std::string_view text);

// Replaces each argument `@FILE` by the words of FILE, relative to the current folder, files in files included.
// Arguments after `--` stay. Faults are reported (E0800, E0917).
std::vector<std::string> expand_response_files(const std::vector<std::string>& arguments, support::FileSystem& files,
                                               diag::Engine& diags);

}  // namespace pyptoc::driver
