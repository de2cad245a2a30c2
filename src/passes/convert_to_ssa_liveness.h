// SPDX-License-Identifier: Apache-2.0
// Which variables a loop has to carry and a branch has to merge, for the conversion to SSA form.
#pragma once

#include <vector>

#include "ir/node_map.h"
#include "ir/program.h"

namespace pyptoc::passes {

// A variable that an if or a loop assigns, and that matters behind the assignment.
struct MergedVar {
  const ir::Var* var;
  bool live_after;   // its value behind the statement is used
  bool live_around;  // loops: its value at the end of one iteration is used in the next
};

struct SsaFacts {
  ir::NodeMap<uint32_t> definitions;  // how often a variable is defined, parameters included
  // For each if, for and while statement in the order in which they begin: sorted by name, then age.
  std::vector<std::vector<MergedVar>> merges;

  // Local variables whose value from before the function some path would use: it assigns them too late or not at all.
  std::vector<const ir::Var*> live_at_entry;
  ir::NodeMap<const ir::Expr*> constants;  // of variables that are defined once, as a constant

  bool is_defined_here(const ir::Var* var) const { return definitions.contains(var); }
  // Whether a for loop is known to run at least once.
  bool always_runs(const ir::ForStmt* loop) const;
};

// A loop whose bounds are constants and that runs at least once counts as one that assigns what its body assigns.
// Uses in types and attributes are uses. Paths that break, continue and return leave are followed. Time: nodes times
// the nesting depth of ifs and loops.
SsaFacts find_ssa_facts(const ir::Function* function);

}  // namespace pyptoc::passes
