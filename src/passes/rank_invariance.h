// SPDX-License-Identifier: Apache-2.0
// Which scalars of a HOST function are the same for all ranks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/node_map.h"
#include "ir/program.h"

namespace pyptoc::passes {

// Constants, pld.world_size(), extents, scalar parameters and what is computed from them are; the variable of a loop
// that selects a device is not, what a tensor holds or a function returns is not known to be, and neither is what
// depends on one of these, by its value or by the branch that computes it.
class RankInvariance {
 public:
  struct Reason {
    const ir::Var* var = nullptr;  // the device variable, or the variable that gets the unknown value
    bool selects_device = false;
    std::string text() const;  // `` `r`, which selects a device ``
  };

  explicit RankInvariance(const ir::Function* function);
  // Why `e` may differ from rank to rank; nothing when it cannot.
  std::optional<Reason> differs(const ir::Expr* e) const;

 private:
  friend class VariationWalk;
  ir::NodeMap<Reason> differing_;
};

}  // namespace pyptoc::passes
