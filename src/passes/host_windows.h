// SPDX-License-Identifier: Apache-2.0
// The window allocations of a HOST function, which values are views of them, and on which devices they lie.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "diag/engine.h"
#include "ir/program.h"
#include "passes/buffer_roots.h"

namespace pyptoc::passes {

// Devices that some dispatches name: every device, or a set in ascending order.
class DeviceSet {
 public:
  static DeviceSet every() {
    DeviceSet out;
    out.every_ = true;
    return out;
  }
  static DeviceSet range(int64_t begin, int64_t end);

  bool is_every() const { return every_; }
  bool has(int64_t device) const { return every_ || std::binary_search(devices_.begin(), devices_.end(), device); }
  bool empty() const { return !every_ && devices_.empty(); }
  const std::vector<int64_t>& devices() const { return devices_; }  // empty for every device
  void merge(const DeviceSet& other);
  auto operator<=>(const DeviceSet&) const = default;
  std::string text() const;  // `every device`, `{0, 1}`

 private:
  bool every_ = false;
  std::vector<int64_t> devices_;
};

struct WindowAllocation {
  const ir::AssignStmt* at;  // buf = pld.alloc_window_buffer(...)
  std::string_view name;
  std::string_view inside;  // what it stands in when it may run another number of times than once: `loop`, `branch`
  const ir::AssignStmt* view = nullptr;  // the first one

  const ir::Call* call() const { return ir::as<ir::Call>(at->value); }
};

class HostWindows {
 public:
  HostWindows(const ir::Function* function, const FunctionRoots& roots);

  const std::vector<WindowAllocation>& all() const { return all_; }
  // The numbers of the allocations that a value may be a view of: none when its origin is not known, several when it
  // depends on the path.
  std::vector<size_t> behind(const ir::Expr* value) const;
  std::optional<size_t> single(const ir::Expr* value) const;

 private:
  friend class WindowWalk;
  const FunctionRoots& roots_;
  std::vector<WindowAllocation> all_;
  ir::NodeMap<size_t> by_call_;
};

inline bool is_window(const ir::Expr* e) {
  return ir::is_distributed(e->type);
}

// For each allocation the devices whose dispatches and collectives use its views. Reports dispatches whose devices are
// not known, windows without a known origin, and allocations that lie nowhere.
std::vector<DeviceSet> device_coverage(const ir::Function* function, const ir::Program* program,
                                       const HostWindows& windows, diag::Engine& diags);

}  // namespace pyptoc::passes
