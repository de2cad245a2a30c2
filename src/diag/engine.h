// SPDX-License-Identifier: Apache-2.0
// Collects diagnostics while the compiler works and hands them out in source order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diag/code.h"
#include "diag/diagnostic.h"
#include "diag/place.h"

namespace pyptoc::diag {

// What -W, -Wno-, -Werror and -Werror= said, in the order of the command line: the last rule about a warning wins.
// Names are kebab names or codes; whether they exist is for the command line to check (find_code).
struct WarningPolicy {
  enum class Action : std::uint8_t { Enable, Disable, Error };
  struct Rule {
    std::string name;
    Action action = Action::Enable;
  };
  std::vector<Rule> rules;
  bool all_as_errors = false;  // plain -Werror: every warning that is enabled
};

// Each thread that reports has an engine of its own; absorb() brings them together in an order the caller fixes.
class Engine {
 public:
  class Builder;

  Engine() = default;
  explicit Engine(WarningPolicy policy) : policy_(std::move(policy)) {}
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Stores one diagnostic, unless the policy silences it or the same code, place and message were reported before.
  // Texts of more than 2000 bytes are cut.
  // `report(codes::unknown_field, place, name, type).help("...")` adds to the stored diagnostic.
  template <class... Args>
  Builder report(const Code<Args...>& code, const Place& place, std::type_identity_t<Args>... arguments);

  bool has_errors() const { return errors_ > 0; }
  std::size_t error_count() const { return errors_; }
  std::size_t warning_count() const { return diagnostics_.size() - errors_; }
  bool empty() const { return diagnostics_.empty(); }

  // The pass named in every later diagnostic.
  void set_pass(std::string_view pass) { pass_ = pass; }
  // How many errors sorted() gives; all are counted. 0 is no limit.
  void set_error_limit(std::size_t limit) { error_limit_ = limit; }

  // Takes over the diagnostics of `other` after its own, in the order of their reports, without duplicates. Both are
  // expected to have the same policy.
  void absorb(Engine&& other);

  // In source order: those about no place; then faults of the input's syntax by offset; then by Python file, line and
  // column; then those with an offset only. Equals keep the order of their reports. Errors beyond the limit are left
  // out, warnings are not.
  std::vector<Diagnostic> sorted() const;
  Summary summary() const;

 private:
  Builder add(const CodeInfo& code, const Place& place, fmt::format_args arguments);
  std::size_t store(Diagnostic&& diagnostic);

  WarningPolicy policy_;
  std::vector<Diagnostic> diagnostics_;                           // in the order of the reports
  std::unordered_multimap<std::size_t, std::size_t> by_content_;  // hash of code, place, message -> index above
  std::size_t errors_ = 0;
  std::size_t error_limit_ = 20;
  std::string pass_;
};

// Adds to one reported diagnostic; does nothing when that one was dropped. Valid while the engine is neither moved from
// nor absorbed.
class Engine::Builder {
 public:
  Builder& note(std::string text);
  Builder& note(std::string text, const Place& place);
  Builder& help(std::string text);

 private:
  friend class Engine;
  static constexpr std::size_t kDropped = static_cast<std::size_t>(-1);
  Builder(Engine& engine, std::size_t index) : engine_(engine), index_(index) {}
  Diagnostic* target();

  Engine& engine_;
  std::size_t index_;
};

template <class... Args>
Engine::Builder Engine::report(const Code<Args...>& code, const Place& place, std::type_identity_t<Args>... arguments) {
  return add(code, place, fmt::make_format_args(arguments...));
}

}  // namespace pyptoc::diag
