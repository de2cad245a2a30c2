// SPDX-License-Identifier: Apache-2.0
// The closest known name, for the `help:` of a diagnostic about a misspelt one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace pyptoc::support {

// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (each place changed once), counted
// in bytes; `bound + 1` as soon as the answer is known to exceed `bound`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t bound);

// The candidate nearest to `name`, the first one of equals, or nothing when none is near: a third of the longer
// name's length may differ. Difference in case, and `-` for `_`, count as nearly nothing. A name that is itself a
// candidate is its own answer.
std::optional<std::string_view> closest(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace pyptoc::support
