// SPDX-License-Identifier: Apache-2.0
// Names and places of declaration of variables.
#include "text/name_table.h"

#include "ir/depth_guard.h"
#include "text/name_scan.h"
#include "text/spelling.h"

namespace pyptoc::text {

void NameTable::plan(const ir::Program* program) {
  NameScan scan(*this);
  uint32_t number = 0;
  for (const ir::Function* function : program->functions) {
    met_.emplace_back();
    scan.function(function, ++number);
  }
  close_globals();
  early_.resize(met_.size());
  for (size_t i = 0; i < met_.size(); ++i) plan_early(i, met_[i]);
  name_globals(program);
  for (const std::vector<const ir::Var*>& locals : met_) name_locals(locals);
}

// A variable is global when several functions mention it, when nothing defines it, when a parameter's type mentions it
// that the body defines, when it is a special one without a definition in front of its uses (it cannot be declared by
// an annotation), or when a global one mentions it.
void NameTable::close_globals() {
  for (const std::vector<const ir::Var*>& met : met_)
    for (const ir::Var* var : met)
      if (facts_.find(var)->used_too_early) use_parts_too_early(var, 0);
  for (const std::vector<const ir::Var*>& met : met_) {
    for (const ir::Var* var : met) {
      const VarFacts& facts = *facts_.find(var);
      bool special = var->kind != ir::NodeKind::Var;
      if (facts.global || !facts.defined || facts.in_header || (special && facts.used_too_early)) add_global(var, 0);
    }
  }
}

// The declaration of a variable at the top of its function mentions what is in its type.
void NameTable::use_parts_too_early(const ir::Var* var, int depth) {
  if (depth > ir::kMaxNesting) return;
  for_each_var_of(var, [&](const ir::Var* part) {
    VarFacts& facts = facts_[part];
    if (facts.used_too_early || facts.parameter) return;
    facts.used_too_early = true;
    use_parts_too_early(part, depth + 1);
  });
}

void NameTable::add_global(const ir::Var* var, int depth) {
  VarFacts& facts = facts_[var];
  if (facts.listed || depth > ir::kMaxNesting) return;
  facts.listed = facts.global = true;
  for_each_var_of(var, [&](const ir::Var* part) { add_global(part, depth + 1); });
  globals_.push_back(var);
}

void NameTable::plan_early(size_t function, const std::vector<const ir::Var*>& locals) {
  for (const ir::Var* var : locals) {
    const VarFacts& facts = *facts_.find(var);
    if (facts.used_too_early && !facts.global && !facts.parameter) add_early(function, var, 0);
  }
}

void NameTable::add_early(size_t function, const ir::Var* var, int depth) {
  VarFacts& facts = facts_[var];
  if (facts.global || facts.parameter || facts.declared_early || depth > ir::kMaxNesting) return;
  facts.declared_early = true;
  for_each_var_of(var, [&](const ir::Var* part) { add_early(function, part, depth + 1); });
  early_[function].push_back(var);
}

std::string_view NameTable::choose(std::string_view hint, Scope& scope, bool global) {
  auto is_free = [&](std::string_view name) {
    return !scope.used.contains(name) && !global_names_.contains(name) && (!global || !parameter_hints_.contains(name));
  };
  bool printable = is_identifier(hint) && !is_taken_name(hint);
  std::string_view base = printable ? hint : arena_.copy_string(identifier_from(hint));
  if (is_free(base) && (printable || !scope.hints.contains(base))) {
    scope.used.insert(base);
    return base;
  }
  uint32_t& counter = scope.counters[base];
  while (true) {
    std::string name = std::string(base) + "_" + std::to_string(++counter);
    if (!is_free(name) || scope.hints.contains(name)) continue;
    std::string_view kept = arena_.copy_string(name);
    scope.used.insert(kept);
    return kept;
  }
}

void NameTable::name_globals(const ir::Program* program) {
  for (const ir::Function* function : program->functions)
    for (const ir::Var* param : function->params) parameter_hints_.insert(param->name_hint);
  Scope scope;
  for (const ir::Var* var : globals_) scope.hints.insert(var->name_hint);
  for (const ir::Var* var : globals_) facts_[var].name = choose(var->name_hint, scope, true);
  global_names_ = std::move(scope.used);
}

void NameTable::name_locals(const std::vector<const ir::Var*>& locals) {
  Scope scope;
  for (const ir::Var* var : locals) scope.hints.insert(var->name_hint);
  for (const ir::Var* var : locals) {
    VarFacts& facts = *facts_.find(var);
    if (!facts.global) facts.name = choose(var->name_hint, scope, false);
  }
}

std::string_view NameTable::name(const ir::Var* var) {
  VarFacts& facts = facts_[var];
  if (facts.name.empty()) facts.name = choose(var->name_hint, loose_, false);
  return facts.name;
}

}  // namespace pyptoc::text
