// SPDX-License-Identifier: Apache-2.0
// What must hold of a collective of a HOST function, checked now or, as system.require, when the program starts.
#pragma once

#include <string>
#include <vector>

#include "ir/collectives.h"
#include "passes/host_checks.h"
#include "passes/host_windows.h"
#include "passes/pass.h"

namespace pyptoc::passes {

// The domains of a HOST function, by their slots.
class HostDomains {
 public:
  explicit HostDomains(const ir::Function* function);
  // The devices of the domain of a window value; null when its type names no slot of this function.
  const DeviceSet* devices_of(const ir::Expr* window) const;
  const DeviceSet* devices_at(const ir::Var* slot) const;
  // Domains with the same devices are one.
  bool same(const ir::Expr* a, const ir::Expr* b) const { return devices_of(a) == devices_of(b); }

 private:
  friend class DomainWalk;
  std::vector<DeviceSet> domains_;
  ir::NodeMap<size_t> by_slot_;
};

inline const ir::Var* slot_of(const ir::Expr* window) {
  const ir::TensorType* type = ir::as_tensor(window->type);
  return type != nullptr ? type->window_buffer : nullptr;
}

class HostCollectiveChecks {
 public:
  HostCollectiveChecks(const ir::Function* function, const HostDomains& domains, PassContext& context)
      : domains_(domains), context_(context), checks_(function, context.ir) {}

  // The devices that take part; null after an error. `around` is what `at` stands in, outermost first.
  const DeviceSet* check(const ir::Call* call, const ir::CollectiveInfo& info, const ir::Node* at,
                         const std::vector<Around>& around);
  // Of all collectives together.
  void finish();
  const ir::Function* with_checks(const ir::Function* function) const { return checks_.insert_into(function); }

 private:
  struct SignalUse {
    const ir::Call* ring = nullptr;
    const ir::Call* other = nullptr;
  };
  bool operands();
  void rows_for_ranks(size_t operand, const ir::Expr* needed);
  void equal_extents(size_t a, size_t b, size_t axis, std::string_view what);
  void shapes();
  void all_to_all_v();
  void ring();
  void root();
  void blocks(int64_t count);
  void blocks_of_all_to_all_v(int64_t ranks);
  // Each `{}` of the text stands for the next of `values`.
  void require(const ir::Expr* condition, std::string_view about, const std::string& text,
               const std::vector<const ir::Expr*>& values);

  std::string_view name(size_t operand) const;
  const ir::TensorType* type(size_t operand) const { return ir::as_tensor(call_->args[operand]->type); }
  const ir::Expr* ranks();

  const HostDomains& domains_;
  PassContext& context_;
  HostChecks checks_;
  ir::NodeMap<SignalUse> signals_;
  std::vector<const ir::Var*> signal_order_;
  // Of the call that is being checked.
  const ir::Call* call_ = nullptr;
  const ir::CollectiveInfo* info_ = nullptr;
  const ir::Node* at_ = nullptr;
  const std::vector<Around>* around_ = nullptr;
  const DeviceSet* devices_ = nullptr;
};

}  // namespace pyptoc::passes
