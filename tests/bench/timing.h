// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>

#include <ctime>
#include <functional>

namespace pyptoc::bench {

// Seconds of processor time that `work` takes in this process: other work on the machine does not count.
inline double cpu_seconds(const std::function<void()>& work) {
  auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
  };
  const double start = now();
  work();
  return now() - start;
}

// Seconds of processor time of a child that was waited for.
inline double cpu_seconds(const rusage& usage) {
  auto of = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

}  // namespace pyptoc::bench
