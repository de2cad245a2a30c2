// SPDX-License-Identifier: Apache-2.0
// The one way in which names from a program become identifiers and file names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "support/result.h"

namespace pyptoc::support {

// Where the names are used; several may hold at once (an entry function is a C++ identifier and names its file).
// With neither language, `.`, `-` and `+` may occur inside a name.
struct NameRules {
  bool cpp = false;     // a C++ identifier that no standard header claims
  bool python = false;  // a Python identifier that hides no built-in name
  bool file = false;    // the stem of a file: short, and told apart from others without regard to case
};

// Gives out names that differ from all it gave before and from all reserved ones, whatever it is asked for: a request
// that looks like a name made earlier gets another one. The names depend only on the sequence of calls.
// Each name is the requested one where that is free and safe.
class NameAllocator {
 public:
  explicit NameAllocator(NameRules rules) : rules_(rules) {}

  // Names, or all names with this beginning, that are not to be given out. Call these before the first request.
  NameAllocator& reserve(std::string_view name);
  NameAllocator& reserve_prefix(std::string_view prefix);

  // A name for one more thing called `wanted`; two calls never give the same.
  std::string fresh(std::string_view wanted);
  // The name of the thing called `wanted`: the same at each call, different for different `wanted`. Mixes with fresh().
  // The reference stays valid.
  const std::string& name_for(std::string_view wanted);

 private:
  bool take(std::string_view name);
  std::string base_of(std::string_view wanted) const;
  std::string encoded(std::string_view wanted) const;
  bool may_follow(std::string_view before, char c) const;
  bool starts_reserved(std::string_view name) const;
  bool is_identifier() const { return rules_.cpp || rules_.python; }
  size_t longest() const;
  std::string key_of(std::string_view name) const;

  NameRules rules_;
  std::vector<std::string> prefixes_;
  std::unordered_set<std::string> taken_;                  // by key_of
  std::unordered_map<std::string, std::string> names_;     // of name_for
  std::unordered_map<std::string, uint64_t> next_suffix_;  // by key_of what comes before the number
};

// The name itself when it may be one component of a path that pyptoc writes: not empty, at most 200 bytes of UTF-8, no
// `/`, `\` or control character, no `.` or `-` at its beginning, no space or `.` at its end.
Result<std::string> safe_file_name(std::string_view name);

// The same for each component of a path with `/`, relative, at most 1000 bytes in all.
Result<std::string> safe_relative_path(std::string_view path);

}  // namespace pyptoc::support
