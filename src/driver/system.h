// SPDX-License-Identifier: Apache-2.0
// What a process gets from its surroundings, as a parameter, so that every command runs inside a test.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>

#include "publish/interruption.h"
#include "support/file_system.h"

namespace pyptoc::driver {

struct System {
  support::FileSystem& files;
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  publish::Interruption& interruption;
  std::function<uint64_t()> now_ns;  // of a clock that never goes back
  std::map<std::string, std::string, std::less<>> environment;
  bool in_is_terminal = false;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  std::string executable = {};                   // the path of this program; empty when it is not known
  int width = 80;                                // columns for text that people read
  std::function<void(size_t)> expect_heap = {};  // told how many bytes a program will need; may be empty

  // Empty when the variable is not set.
  std::string_view variable(std::string_view name) const {
    auto it = environment.find(name);
    return it == environment.end() ? std::string_view() : std::string_view(it->second);
  }
};

}  // namespace pyptoc::driver
