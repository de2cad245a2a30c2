// SPDX-License-Identifier: Apache-2.0
// The process: gives the driver the real machine.
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include "driver/driver.h"
#include "support/heap.h"
#include "support/real_file_system.h"

// By the name that it was called by where /proc is not there; empty when that says nothing.
static std::string own_path(pyptoc::support::RealFileSystem& files, const char* called) {
  if (auto path = files.real_path("/proc/self/exe"); path.ok()) return *path;
  const std::string name = called == nullptr ? "" : called;
  const auto path = files.real_path(name);
  return path.ok() && name.find('/') != std::string::npos ? *path : std::string();
}

int main(int argc, char** argv) {
  static pyptoc::publish::Interruption interruption;
  pyptoc::publish::install_signal_handlers(interruption);
  std::ios::sync_with_stdio(false);
  pyptoc::support::RealFileSystem files;
  const auto now_ns = [] { return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()); };
  pyptoc::driver::System system{files, std::cin, std::cout, std::cerr, interruption, now_ns, {}};
  for (const char* name : {"NO_COLOR", "CLICOLOR_FORCE", "TERM", "COLUMNS"})
    if (const char* value = std::getenv(name)) system.environment.emplace(name, value);
  system.in_is_terminal = isatty(STDIN_FILENO) == 1;
  system.out_is_terminal = isatty(STDOUT_FILENO) == 1;
  system.err_is_terminal = isatty(STDERR_FILENO) == 1;
  if (winsize size{}; ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) system.width = size.ws_col;
  system.executable = own_path(files, argv[0]);
  system.expect_heap = pyptoc::support::expect_heap;
  return pyptoc::driver::Driver(system).run(std::vector<std::string>(argv + 1, argv + argc));
}
