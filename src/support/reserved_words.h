// SPDX-License-Identifier: Apache-2.0
// Words that generated code cannot use as names of its own.
#pragma once

#include <string_view>

namespace pyptoc::support {

// Keywords up to C++20 with the alternative tokens; macros, types and functions that the standard headers of emitted
// code bring into the global namespace.
bool is_cpp_reserved(std::string_view word);

// Keywords, soft ones included, and the built-in names of Python 3.11; `self` and `cls`.
bool is_python_reserved(std::string_view word);

}  // namespace pyptoc::support
