// SPDX-License-Identifier: Apache-2.0
// Dependency files that make and Ninja both read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pyptoc::publish {

// `text` as one word of a rule: spaces, `#`, `$` and `:` are escaped.
std::string make_word(std::string_view text);

// One rule, `target: dependencies`, and an empty rule for each dependency, so that make goes on when one is removed.
// Dependencies come in the order given, each once. A name with a line end is left out: nothing in make can express it.
std::string render_depfile(std::string_view target, const std::vector<std::string>& dependencies);

}  // namespace pyptoc::publish
