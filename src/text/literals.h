// SPDX-License-Identifier: Apache-2.0
// Values of Python literals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pyptoc::text {

// Of an integer token; nothing when it does not fit 64 bits, signed (or, without sign, unsigned).
std::optional<int64_t> parse_int(std::string_view token, bool negative);
std::optional<double> parse_float(std::string_view token);
// Appends the text of a string token. False for byte strings, formatted strings, broken escapes. Lone surrogates stand
// for the bytes that support::python_string_literal wrote as them.
bool append_string(std::string_view token, std::string& out);

}  // namespace pyptoc::text
