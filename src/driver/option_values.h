// SPDX-License-Identifier: Apache-2.0
// The words of the command line turned into values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/engine.h"
#include "driver/option_table.h"

namespace pyptoc::driver {

// Decimal digits only, with an optional minus; nothing when it is anything else or does not fit.
std::optional<int64_t> parse_integer(std::string_view text);

// `a`, `b` or `c`, each in backticks.
std::string alternatives(const std::vector<std::string_view>& values);

// Puts what was given for one option, in the order of the command line, into `options`, and reports what does not fit.
void store_values(const OptionRow& row, const std::vector<std::string>& values, Options& options, diag::Engine& diags);

// The positional arguments of the command.
void store_arguments(const CommandRow& row, const std::vector<std::string>& arguments, Options& options,
                     diag::Engine& diags);

// What only holds between several options, and names that must exist: passes, warnings. Fills in what follows from
// them.
void check_options(Options& options, diag::Engine& diags);

}  // namespace pyptoc::driver
