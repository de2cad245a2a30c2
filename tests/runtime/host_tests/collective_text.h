// SPDX-License-Identifier: Apache-2.0
// A HOST program that runs collectives one after the other, several times, with arguments and expected results from
// tests/collectives.
#pragma once

#include <string>
#include <vector>

#include "host_text.h"
#include "ranks/host.h"
#include "scenario.h"

namespace host_tests {

class CollectiveProgram {
 public:
  // Steps as in a Scenario; kernels are not needed. Every call of every step gets other data.
  CollectiveProgram(int ranks, int calls, std::vector<collectives::Step> steps);

  HostText text() const;
  std::vector<standin::ranks::HostArgument> arguments() const;
  // The first difference between the results and what is due, or nothing.
  std::string check(const standin::ranks::HostResult& result) const;
  // All of it: builds, executes host_orch.py, runs `seeds` schedules from `first` on.
  std::string run(int seeds, uint64_t first = 0) const;

 private:
  collectives::Scenario scenario_;
};

}  // namespace host_tests
