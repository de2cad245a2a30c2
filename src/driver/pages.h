// SPDX-License-Identifier: Apache-2.0
// Texts for the installation and the documentation, made from the tables of commands and options.
#pragma once

#include <string>

#include "diag/engine.h"
#include "driver/options.h"
#include "driver/system.h"

namespace pyptoc::driver {

// Empty after an error, which is reported.
std::string page_text(Page page, System& system, diag::Engine& diags);

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();
std::string man_page();            // roff with the macros of man(7)
std::string markdown_reference();  // docs/cli.md

}  // namespace pyptoc::driver
