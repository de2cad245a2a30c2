// SPDX-License-Identifier: Apache-2.0
// What each scope that becomes a function takes from around it and hands back, found in one walk of the body.
#pragma once

#include <functional>
#include <vector>

#include "ir/node_map.h"
#include "ir/program.h"

namespace pyptoc::passes {

// Of one scope. Each list has no repetitions.
struct Captures {
  std::vector<const ir::Var*> inputs;       // defined outside, used inside, in order of first use
  std::vector<const ir::Var*> outputs;      // defined inside, used outside, in order of definition
  std::vector<const ir::Var*> type_inputs;  // defined outside, used inside in types only
  const ir::Node* early_return = nullptr;   // a return in the middle of the body
  const ir::Node* nested = nullptr;         // the first scope of the same kind inside
};

// A variable that a scope uses before the function defines it.
struct UseBeforeDefinition {
  const ir::Var* var = nullptr;
  const ir::ScopeStmt* scope = nullptr;
};

class CaptureAnalysis {
 public:
  using IsTarget = std::function<bool(const ir::ScopeStmt*)>;

  // `launch_width_outside`: the width of an spmd scope inside a target belongs to the launch, not to the body.
  CaptureAnalysis(const ir::Function* function, const IsTarget& is_target, bool launch_width_outside);

  // Null for a scope that is no target.
  const Captures* of(const ir::ScopeStmt* scope) const;
  bool has_targets() const { return !all_.empty(); }
  // The variables that targets bind to their task: their placeholder definitions go.
  bool is_task_of_target(const ir::Var* var) const { return tasks_.contains(var); }
  const std::vector<UseBeforeDefinition>& used_before_definition() const { return too_early_; }

 private:
  friend class CaptureWalk;
  ir::NodeMap<size_t> index_;  // scope -> place in all_
  std::vector<Captures> all_;
  ir::NodeSet tasks_;
  std::vector<UseBeforeDefinition> too_early_;
};

}  // namespace pyptoc::passes
