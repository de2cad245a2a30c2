// SPDX-License-Identifier: Apache-2.0
// Parsing: names and what they stand for.
//
// In a function a name stands for one variable, whatever the blocks: that is how the printer writes and how the front
// end reads assignments. Loops, yields and scopes bind their names anew, so the same name may then stand for the next
// variable, unless an annotation in front (`x: T` alone) announced that they bind that one.
#include <fmt/format.h>

#include <algorithm>

#include "ir/describe.h"
#include "text/parse_support.h"
#include "text/type_match.h"

namespace pyptoc::text {

namespace {
// Stands in for what could not be understood; nothing is reported about it again.
bool is_plain_var(const ir::Var* var) {
  return var->kind == ir::NodeKind::Var;
}
}  // namespace

void Parser::bind(NameId name, const ir::Var* var) {
  if (name >= bindings_.size()) bindings_.resize(names_.size());
  Binding& binding = bindings_[name];
  if (binding.function != function_) bound_names_.push_back(name);
  binding = {function_, var, false};
}

const ir::Var* Parser::poison(NameId name, uint32_t at) {
  ir::Var var = draft<ir::Var>(ir::NodeKind::Var, at, poison_type_);
  var.name_hint = context_.intern(names_.text(name));
  const ir::Var* made = context_.make(var);
  bind(name, made);
  return made;
}

void Parser::undefined_name(NameId name, uint32_t at) {
  std::string_view text = names_.text(name);
  std::vector<std::string_view> known;
  if (helps_ < kMostHelps) {
    known = global_names_;
    for (NameId bound : bound_names_) known.push_back(names_.text(bound));
  }
  auto builder = report(diag::codes::undefined_name, at, at, text);
  if (function_numbers_.contains(text)) {
    builder.help(fmt::format("functions of the program are called as `self.{}(...)`", text));
  } else if (std::string help = closest_help(text, known); !help.empty()) {
    builder.help(std::move(help));
  } else if (function_ == 0 || in_header_) {
    builder.help(fmt::format("declare a dynamic extent above the functions: `{0} = pl.dynamic(\"{0}\")`", text));
  }
}

// The variable of a name in this function or in the module; null when there is none.
const ir::Var* Parser::lookup_var(NameId name) {
  if (name < bindings_.size() && bindings_[name].function == function_ && function_ > 0) return bindings_[name].var;
  if (in_header_) {
    for (Param& param : functions_[function_ - 1].params)
      if (param.name == name && param.var == nullptr && !param.in_progress) return param_var(param);
  }
  auto global = globals_.find(name);
  return global != globals_.end() ? ir::as<ir::Var>(global->second.value) : nullptr;
}

const ir::Expr* Parser::name_expr() {
  NameId name = tok().id;
  uint32_t at = pos_;
  next();
  if (const ir::Var* var = lookup_var(name)) {
    rebindings_.use(var, at);
    return var;
  }
  if (auto global = globals_.find(name); global != globals_.end()) return global->second.value;
  undefined_name(name, at);
  return poison(name, at);
}

const ir::Type* Parser::announced_type(NameId name) const {
  if (name >= bindings_.size()) return nullptr;
  const Binding& binding = bindings_[name];
  return binding.function == function_ && binding.declared ? binding.var->type : nullptr;
}

// `x: T` alone: says what variable the next binding of `x` binds.
void Parser::declare(NameId name, const ir::Type* type, uint32_t at) {
  const ir::Var* there = lookup_var(name);
  if (there == nullptr || !is_plain_var(there) || !same_type(there->type, type)) {
    ir::Var var = draft<ir::Var>(ir::NodeKind::Var, at, type);
    var.name_hint = context_.intern(names_.text(name));
    there = context_.make(var);
  }
  bind(name, there);
  bindings_[name].declared = true;
}

const ir::Var* Parser::bind_new(NameId name, const ir::Type* type, uint32_t at) {
  auto global = globals_.find(name);
  bool reuse_global = global != globals_.end() && global->second.variable;
  if (announced_type(name) != nullptr || reuse_global) {
    const ir::Var* there = lookup_var(name);
    if (is_plain_var(there) && same_type(there->type, type)) {
      bind(name, there);
      return there;
    }
  }
  ir::Var var;
  var.kind = ir::NodeKind::Var;
  var.span = span(at, at);
  var.type = type;
  var.name_hint = context_.intern(names_.text(name));
  const ir::Var* made = context_.make(var);
  bind(name, made);
  return made;
}

const ir::Var* Parser::bind_assigned(NameId name, const ir::Type* type, uint32_t at) {
  bool bound = name < bindings_.size() && bindings_[name].function == function_;
  const ir::Var* there = bound ? bindings_[name].var : nullptr;
  const ir::Var* now = there;
  if (there != nullptr && is_plain_var(there) && same_type(there->type, type))
    bindings_[name].declared = false;
  else
    now = there != nullptr && is_plain_var(there) ? rebind(name, there, type, at) : bind_new(name, type, at);
  rebindings_.assign(now);
  return now;
}

// The name stands for a variable of another type from here on: for the one that it stood for before, if there is one.
const ir::Var* Parser::rebind(NameId name, const ir::Var* before, const ir::Type* type, uint32_t at) {
  const ir::Var* former = rebindings_.former(name, type);
  if (former != nullptr)
    bind(name, former);
  else
    former = bind_new(name, type, at);
  if (before->type != poison_type_ && type != poison_type_) rebindings_.change({name, before, former, at});
  return former;
}

void Parser::take_back(const std::vector<Rebindings::Change>& changes) {
  for (const Rebindings::Change& change : changes) bind(change.name, change.before);
}

// Behind an if a name means what the `then` made of it, unless the `else` made something else of it.
void Parser::keep(const std::vector<Rebindings::Change>& in_then, const std::vector<Rebindings::Change>& in_else) {
  for (const Rebindings::Change& change : in_then) {
    bool again =
        std::any_of(in_else.begin(), in_else.end(), [&](const auto& other) { return other.name == change.name; });
    if (!again) bind(change.name, change.after);
  }
}

// At the end of a loop, what a name means must be what the next iteration takes it for.
void Parser::check_rebindings() {
  for (const Rebindings::Conflict& conflict : rebindings_.conflicts()) {
    const Rebindings::Change& change = conflict.change;
    report(diag::codes::type_changes_in_loop, change.at, change.at, names_.text(change.name),
           ir::describe(change.before->type), ir::describe(change.after->type))
        .note("the next iteration uses it here", place_at(conflict.used_at))
        .help("use another name for the new value");
  }
}

}  // namespace pyptoc::text
