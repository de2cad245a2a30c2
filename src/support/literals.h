// SPDX-License-Identifier: Apache-2.0
// Text from a program as literals and comments of generated code; the only way for such text to get there.
#pragma once

#include <string>
#include <string_view>

namespace pyptoc::support {

// A C++ string literal, quotes included, of exactly these bytes (NUL included). Only printable ASCII occurs in it;
// every other byte is a three-digit octal escape, which no following digit can prolong, and no trigraph can arise.
std::string cpp_string_literal(std::string_view bytes);

// A Python `str` literal, quotes included, in printable ASCII. Bytes that are not UTF-8 become lone surrogates U+DC80
// to U+DCFF, the form that Python's own `surrogateescape` gives them.
std::string python_string_literal(std::string_view text);

// Text that is safe after `// ` and after `# `: one line of printable ASCII, other bytes as \xNN, and not ending in
// what a C++ preprocessor takes for a line splice.
std::string comment_text(std::string_view text);

}  // namespace pyptoc::support
