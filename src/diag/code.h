// SPDX-License-Identifier: Apache-2.0
// What one kind of diagnostic is: its code, name, severity, message and the types of the message's arguments.
#pragma once

#include <fmt/core.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pyptoc::diag {

enum class Severity : std::uint8_t { Warning, Error };

std::string_view severity_name(Severity severity);  // `warning`, `error`

// `unknown_field` of a .def row as people write it: `unknown-field`.
class KebabName {
 public:
  template <std::size_t N>
  explicit constexpr KebabName(const char (&snake)[N]) : size_(N - 1) {
    static_assert(N <= kCapacity, "the name of a diagnostic is too long");
    for (std::size_t i = 0; i + 1 < N; ++i) {
      text_[i] = snake[i] == '_' ? '-' : snake[i];
    }
  }
  constexpr std::string_view view() const { return {text_.data(), size_}; }

 private:
  static constexpr std::size_t kCapacity = 56;
  std::array<char, kCapacity> text_{};
  std::size_t size_;
};

struct CodeInfo {
  std::string_view id;  // `E0104`; stable for ever
  KebabName kebab;
  Severity severity;
  std::string_view format;       // the message with its `{}`
  std::string_view explanation;  // what `pyptoc explain` prints

  constexpr std::string_view name() const { return kebab.view(); }
};

namespace detail {
// A literal that fits the argument types; fmt 9 can check one at compile time but not hand it out again.
template <class... Args>
struct CheckedMessage {
  std::string_view text;
  template <std::size_t N>
  consteval CheckedMessage(const char (&literal)[N]) : text(literal, N - 1) {
    static_cast<void>(fmt::format_string<Args...>(literal));
  }
};
}  // namespace detail

// Knows the argument types, so that a report with other arguments does not compile; so does not a row whose message
// does not fit its types.
template <class... Args>
struct Code : CodeInfo {
  consteval Code(std::string_view id_text, KebabName name_text, Severity level, detail::CheckedMessage<Args...> message,
                 std::string_view text)
      : CodeInfo{id_text, name_text, level, message.text, text} {}
};

namespace detail {
template <class Signature>
struct CodeOf;
template <class... Args>
struct CodeOf<void(Args...)> {
  using type = Code<Args...>;
};
}  // namespace detail

// PYPTOC_DIAG(E0104, unknown_field, Error, "message with {}", (argument, types), "explanation") declares
// `diag::codes::unknown_field`. Rows live in the codes_*.def files only.
#define PYPTOC_DIAG(id, name, severity, message, arguments, explanation)      \
  inline constexpr ::pyptoc::diag::detail::CodeOf<void arguments>::type name{ \
      #id, ::pyptoc::diag::KebabName(#name), ::pyptoc::diag::Severity::severity, message, explanation};

}  // namespace pyptoc::diag
