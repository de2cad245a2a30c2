// SPDX-License-Identifier: Apache-2.0
// Chooses the name under which each variable is printed, and finds out where it has to be declared.
#pragma once

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/node_map.h"
#include "ir/program.h"
#include "support/arena.h"

namespace pyptoc::text {

// What a walk through the program in the order of its text found out about one variable.
struct VarFacts {
  std::string_view name;        // empty until chosen
  uint32_t home = 0;            // number of the function that mentions it, from 1
  bool defined = false;         // by a parameter, an assignment, a loop, a scope
  bool parameter = false;       //
  bool used_too_early = false;  // before its definition
  bool in_header = false;       // mentioned in the type of a parameter
  bool declared_early = false;  // by an annotation at the top of its function
  bool global = false;          // mentioned in several functions, or defined nowhere: declared above all functions
  bool listed = false;          // among the globals
};

// One name stands for one variable in a whole function, and a name is given to no second variable, whatever the scopes;
// so the text says which variables are the same. Names of parameters and of globals win over those of locals.
class NameTable {
 public:
  // Names everything in the program.
  void plan(const ir::Program* program);

  // Chosen on first use for a variable that the plan did not meet (fragments). Valid as long as the table.
  std::string_view name(const ir::Var* var);
  const VarFacts* facts(const ir::Var* var) const { return facts_.find(var); }
  bool is_global(const ir::Var* var) const {
    const VarFacts* found = facts_.find(var);
    return found != nullptr && found->global;
  }
  // In an order in which each is declared after those that its declaration mentions.
  ir::List<const ir::Var*> globals() const { return globals_; }
  // Local variables of the function (counted from 0) that need a declaration at its top.
  ir::List<const ir::Var*> early(size_t function) const { return early_.empty() ? empty_ : early_[function]; }

 private:
  friend class NameScan;
  using Counters = std::unordered_map<std::string_view, uint32_t>;
  struct Scope {
    std::unordered_set<std::string_view> used;
    std::unordered_set<std::string_view> hints;
    Counters counters;
  };

  void close_globals();
  void use_parts_too_early(const ir::Var* var, int depth);
  void add_global(const ir::Var* var, int depth);
  void plan_early(size_t function, const std::vector<const ir::Var*>& locals);
  void add_early(size_t function, const ir::Var* var, int depth);
  void name_globals(const ir::Program* program);
  void name_locals(const std::vector<const ir::Var*>& locals);
  std::string_view choose(std::string_view hint, Scope& scope, bool global);

  support::Arena arena_;
  ir::NodeMap<VarFacts> facts_;
  std::vector<std::vector<const ir::Var*>> met_;  // by function, in order of first mention
  std::vector<const ir::Var*> globals_;
  std::vector<std::vector<const ir::Var*>> early_;
  std::vector<const ir::Var*> empty_;
  std::unordered_set<std::string_view> global_names_;
  std::unordered_set<std::string_view> parameter_hints_;
  Scope loose_;  // of variables named on first use
};

}  // namespace pyptoc::text
