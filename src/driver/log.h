// SPDX-License-Identifier: Apache-2.0
// What -v says: lines for those who want to know what the compiler does, apart from diagnostics.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>

namespace spdlog {
class logger;
}

namespace pyptoc::driver {

class Log {
 public:
  // 0: silent; 1: steps of the command; 2: each pass as well. The logger is made when the first line is written.
  Log(std::ostream& err, int verbosity, bool color);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  bool wants_steps() const { return verbosity_ >= 1; }
  bool wants_details() const { return verbosity_ >= 2; }
  void step(const std::string& text);
  void detail(const std::string& text);

 private:
  spdlog::logger& logger();

  std::ostream& err_;
  int verbosity_;
  bool color_;
  std::unique_ptr<spdlog::logger> logger_;
};

}  // namespace pyptoc::driver
