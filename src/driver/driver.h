// SPDX-License-Identifier: Apache-2.0
// A whole run of pyptoc: arguments in, exit status out.
#pragma once

#include <string>
#include <vector>

#include "driver/options.h"
#include "driver/session.h"
#include "driver/system.h"

namespace pyptoc::driver {

inline constexpr int kExitDone = 0;
inline constexpr int kExitProgramErrors = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitFiles = 3;
inline constexpr int kExitBug = 70;

class Driver {
 public:
  explicit Driver(System& system) : system_(system) {}

  // `arguments` without the program's name. Never throws.
  int run(const std::vector<std::string>& arguments);

 private:
  int run_command(const Options& options, const std::vector<std::string>& arguments);
  int print_about(const Options& options, diag::Engine& diags);
  int report_usage(diag::Engine& diags, const Options& options);
  bool wants_color(const Options& options) const;

  System& system_;
};

}  // namespace pyptoc::driver
