// SPDX-License-Identifier: Apache-2.0
// The steps of an update in place, as they are saved for the case that they have to be finished by a later build.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace pyptoc::publish {

// First all removals, then all installs in their order.
struct Journal {
  struct Install {
    std::string staged;  // the name of a file in `.pyptoc-stage`
    std::string path;    // where it goes, relative to the output folder
  };
  std::vector<std::string> removals;
  std::vector<Install> installs;
};

std::string render_journal(const Journal& journal);

// Checks that no step leads out of the output folder.
support::Result<Journal> parse_journal(std::string_view text);

}  // namespace pyptoc::publish
