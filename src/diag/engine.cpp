// SPDX-License-Identifier: Apache-2.0
// Storing, silencing, sorting and limiting of diagnostics.
#include "diag/engine.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

namespace pyptoc::diag {
namespace {

// The severity that the policy leaves to a code, or nothing when it silences it.
std::optional<Severity> effective_severity(const CodeInfo& code, const WarningPolicy& policy) {
  if (code.severity == Severity::Error) {
    return Severity::Error;
  }
  bool enabled = true;
  bool as_error = policy.all_as_errors;
  for (const WarningPolicy::Rule& rule : policy.rules) {
    if (rule.name != code.name() && rule.name != code.id) {
      continue;
    }
    enabled = rule.action != WarningPolicy::Action::Disable;
    as_error = as_error || rule.action == WarningPolicy::Action::Error;
  }
  if (!enabled) {
    return std::nullopt;
  }
  return as_error ? Severity::Error : Severity::Warning;
}

std::size_t content_hash(const Diagnostic& diagnostic) {
  constexpr std::size_t kFactor = 1099511628211U;  // the FNV prime; only the spread matters, the order never shows
  std::size_t hash = std::hash<std::string_view>{}(diagnostic.message);
  hash = hash * kFactor ^ std::hash<std::string_view>{}(diagnostic.code->id);
  hash = hash * kFactor ^ std::hash<std::string_view>{}(diagnostic.place.filename);
  hash = hash * kFactor ^ static_cast<std::size_t>(diagnostic.place.begin_line);
  hash = hash * kFactor ^ diagnostic.place.offset;
  return hash;
}

bool same_content(const Diagnostic& a, const Diagnostic& b) {
  return a.code == b.code && a.place == b.place && a.message == b.message;
}

// Names in a hostile program can be as long as the program, and a report repeats them.
std::string shortened(std::string text) {
  constexpr std::size_t kLongest = 2000;
  if (text.size() > kLongest) {
    std::size_t end = kLongest;
    while (end > kLongest - 4 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
      --end;
    }
    text.replace(end, std::string::npos, "...");
  }
  return text;
}

int group_of(const OwnedPlace& place) {
  if (place.nowhere()) {
    return 0;
  }
  if (place.syntax) {
    return 1;
  }
  return place.has_origin() ? 2 : 3;
}

bool comes_before(const Diagnostic& a, const Diagnostic& b) {
  const int group_a = group_of(a.place);
  const int group_b = group_of(b.place);
  if (group_a != group_b) {
    return group_a < group_b;
  }
  if (group_a != 2) {
    return a.place.offset < b.place.offset;
  }
  const auto key = [](const OwnedPlace& p) { return std::tie(p.filename, p.begin_line, p.begin_column, p.offset); };
  return key(a.place) < key(b.place);
}

}  // namespace

Engine::Builder Engine::add(const CodeInfo& code, const Place& place, fmt::format_args arguments) {
  const std::optional<Severity> severity = effective_severity(code, policy_);
  if (!severity) {
    return {*this, Builder::kDropped};
  }
  Diagnostic diagnostic;
  diagnostic.code = &code;
  diagnostic.severity = *severity;
  diagnostic.message = shortened(fmt::vformat({code.format.data(), code.format.size()}, arguments));
  diagnostic.place = OwnedPlace(place);
  diagnostic.pass = pass_;
  return {*this, store(std::move(diagnostic))};
}

std::size_t Engine::store(Diagnostic&& diagnostic) {
  const std::size_t hash = content_hash(diagnostic);
  const auto [first, last] = by_content_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (same_content(diagnostics_[it->second], diagnostic)) {
      return Builder::kDropped;
    }
  }
  const std::size_t index = diagnostics_.size();
  by_content_.emplace(hash, index);
  errors_ += diagnostic.severity == Severity::Error ? 1 : 0;
  diagnostics_.push_back(std::move(diagnostic));
  return index;
}

void Engine::absorb(Engine&& other) {
  for (Diagnostic& diagnostic : other.diagnostics_) {
    store(std::move(diagnostic));
  }
  other.diagnostics_.clear();
  other.by_content_.clear();
  other.errors_ = 0;
}

std::vector<Diagnostic> Engine::sorted() const {
  std::vector<const Diagnostic*> order;
  order.reserve(diagnostics_.size());
  for (const Diagnostic& diagnostic : diagnostics_) {
    order.push_back(&diagnostic);
  }
  std::ranges::stable_sort(order, [](const Diagnostic* a, const Diagnostic* b) { return comes_before(*a, *b); });

  std::vector<Diagnostic> shown;
  std::size_t errors = 0;
  for (const Diagnostic* diagnostic : order) {
    const bool error = diagnostic->severity == Severity::Error;
    if (error && error_limit_ != 0 && errors == error_limit_) {
      continue;
    }
    errors += error ? 1 : 0;
    shown.push_back(*diagnostic);
    if (error && diagnostic->code->severity == Severity::Warning) {
      shown.back().notes.push_back(
          {fmt::format("`-Werror` makes an error of the warning `{}`", diagnostic->code->name()), {}});
    }
  }
  return shown;
}

Summary Engine::summary() const {
  const bool limited = error_limit_ != 0 && errors_ > error_limit_;
  return {errors_, warning_count(), limited ? errors_ - error_limit_ : 0};
}

Diagnostic* Engine::Builder::target() {
  return index_ == kDropped ? nullptr : &engine_.diagnostics_[index_];
}

Engine::Builder& Engine::Builder::note(std::string text) {
  if (Diagnostic* diagnostic = target()) {
    diagnostic->notes.push_back({shortened(std::move(text)), std::nullopt});
  }
  return *this;
}

Engine::Builder& Engine::Builder::note(std::string text, const Place& place) {
  if (Diagnostic* diagnostic = target()) {
    diagnostic->notes.push_back({shortened(std::move(text)), OwnedPlace(place)});
  }
  return *this;
}

Engine::Builder& Engine::Builder::help(std::string text) {
  if (Diagnostic* diagnostic = target()) {
    diagnostic->helps.push_back(shortened(std::move(text)));
  }
  return *this;
}

}  // namespace pyptoc::diag
