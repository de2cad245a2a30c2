// SPDX-License-Identifier: Apache-2.0
// A bug of the compiler, kept apart from mistakes of the user, which are diagnostics and never exceptions.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace pyptoc::support {

// Thrown by the macros below; only the driver catches it (exit status 70).
class InternalError : public std::logic_error {
 public:
  InternalError(std::string text, std::string_view file, int line);

  const std::string& text() const { return text_; }
  // From the source root on (`src/ir/arena.cpp`), so that a report never shows where pyptoc was built.
  const std::string& file() const { return file_; }
  int line() const { return line_; }

 private:
  std::string text_;
  std::string file_;
  int line_;
};

[[noreturn]] void internal_error(std::string text, std::string_view file, int line);

}  // namespace pyptoc::support

// Checks an invariant in every build type; `text` (a literal or a std::string) is only evaluated when it is broken.
#define PYPTOC_ASSERT(condition, text)                               \
  do {                                                               \
    if (!(condition)) [[unlikely]] {                                 \
      ::pyptoc::support::internal_error((text), __FILE__, __LINE__); \
    }                                                                \
  } while (false)

#define PYPTOC_UNREACHABLE(text) ::pyptoc::support::internal_error((text), __FILE__, __LINE__)
