// SPDX-License-Identifier: Apache-2.0
// Scalars that a HOST function passes to one device in one dispatch and to another device in the next. Internal to
// check_window_provenance.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "passes/dispatch_checks.h"
#include "passes/start_values.h"

namespace pyptoc::passes {

// Devices that are named one by one meet in their first dispatch of a chip function in a block, in their second one,
// and so on: what the collectives within depend on has to be the same in both.
class DeviceScalars {
 public:
  // `dispatches` in order of the function.
  DeviceScalars(const std::vector<Dispatch>& dispatches, const StartValues& values);
  // Why the argument of that dispatch differs from that of its counterpart on another device.
  std::optional<Variation> differs(size_t dispatch, size_t argument) const;

 private:
  void compare(const std::vector<Dispatch>& dispatches, size_t one, size_t other, const StartValues& values);

  std::map<std::pair<size_t, size_t>, Variation> differing_;  // by dispatch and argument
};

}  // namespace pyptoc::passes
