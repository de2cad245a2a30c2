// SPDX-License-Identifier: Apache-2.0
// Attributes that the compiler knows, and the kinds of their values (ir-format.md, "Attributes that occur").
#include <algorithm>

#include "diag/codes_verify.h"
#include "ir/describe.h"
#include "ir/verifier_body.h"

namespace pyptoc::ir {

namespace {

enum class Carrier : uint8_t { Function, Call, For, Scope };

struct KnownAttr {
  Carrier carrier;
  std::string_view key;
  AttrKind kind;
  AttrKind or_kind;       // the same kind where there is one only
  bool numbered = false;  // the key goes on with a number
};

constexpr KnownAttr one(Carrier carrier, std::string_view key, AttrKind kind, bool numbered = false) {
  return {carrier, key, kind, kind, numbered};
}

constexpr KnownAttr kKnown[] = {
    one(Carrier::Function, "external_source", AttrKind::String),
    one(Carrier::Function, "external_include_dirs", AttrKind::String),
    one(Carrier::Function, "auto_scope", AttrKind::Bool),
    one(Carrier::Function, "split_aiv", AttrKind::Bool),
    one(Carrier::Function, "dual_aiv_dispatch", AttrKind::Bool),
    one(Carrier::Function, "windowize", AttrKind::Bool),
    one(Carrier::Function, "deferred_completion_waiter", AttrKind::Bool),
    one(Carrier::Function, "spmd_unwrapped", AttrKind::Bool),
    one(Carrier::Function, "split_aiv_region_validated", AttrKind::Bool),
    one(Carrier::Function, "split", AttrKind::Int),
    one(Carrier::Function, "slot_num", AttrKind::Int),
    one(Carrier::Function, "core_num", AttrKind::Int),
    one(Carrier::Function, "builtin_template_dir", AttrKind::String),
    one(Carrier::Function, "builtin_template_vars", AttrKind::String),
    one(Carrier::Function, "partial_outputs", AttrKind::Int32Vector),
    one(Carrier::Function, "require_contiguous_operands", AttrKind::Bool),
    one(Carrier::Function, "obligations", AttrKind::String),
    one(Carrier::Call, "device", AttrKind::Expr),
    one(Carrier::Call, "arg_directions", AttrKind::ArgDirectionVector),
    one(Carrier::Call, "arg_direction_overrides", AttrKind::Int32Vector),
    {Carrier::Call, "core_num", AttrKind::Int, AttrKind::Expr},
    one(Carrier::Call, "sync_start", AttrKind::Bool),
    one(Carrier::Call, "dummy_task", AttrKind::Bool),
    one(Carrier::Call, "allow_early_resolve", AttrKind::Bool),
    one(Carrier::Call, "dtype", AttrKind::DataType),
    one(Carrier::Call, "op", AttrKind::Int),
    one(Carrier::Call, "root", AttrKind::Int),
    one(Carrier::Call, "manual_dep_edges", AttrKind::VarList),
    one(Carrier::Call, "compiler_manual_dep_edges", AttrKind::VarList),
    one(Carrier::Call, "dump_vars", AttrKind::VarList),
    one(Carrier::Call, "predicate", AttrKind::Expr),
    one(Carrier::Call, "pipeline_membership", AttrKind::String),
    one(Carrier::Call, "core_placement", AttrKind::String),
    one(Carrier::For, "pipeline_stages", AttrKind::Int),
    one(Carrier::For, "pipeline_overlap_stores", AttrKind::Bool),
    one(Carrier::For, "pipeline_double_buffer_c", AttrKind::Bool),
    one(Carrier::For, "iter_arg_rebind_", AttrKind::Bool, true),
    one(Carrier::For, "iter_arg_array_size_", AttrKind::Int, true),
    one(Carrier::Scope, "task_id_var", AttrKind::Var),
    one(Carrier::Scope, "manual_dep_edges", AttrKind::VarList),
    one(Carrier::Scope, "arg_direction_overrides_vars", AttrKind::VarList),
    one(Carrier::Scope, "dump_vars", AttrKind::VarList),
    one(Carrier::Scope, "allow_early_resolve", AttrKind::Bool),
    one(Carrier::Scope, "windowize", AttrKind::Bool),
    one(Carrier::Scope, "predicate", AttrKind::Expr),
    one(Carrier::Scope, "slot_num", AttrKind::Int),
};

Carrier carrier_of(NodeKind kind) {
  if (kind == NodeKind::Function) return Carrier::Function;
  if (kind == NodeKind::ForStmt) return Carrier::For;
  return is_stmt(kind) ? Carrier::Scope : Carrier::Call;
}

std::string_view text_of(Carrier carrier) {
  switch (carrier) {
    case Carrier::Function:
      return "a function";
    case Carrier::Call:
      return "a call";
    case Carrier::For:
      return "a loop";
    case Carrier::Scope:
      return "a scope";
  }
  PYPTOC_UNREACHABLE("carrier of attributes");
}

const KnownAttr* find_known(Carrier carrier, std::string_view key) {
  for (const KnownAttr& known : kKnown)
    if (known.carrier == carrier && (known.numbered ? key.substr(0, known.key.size()) == known.key : known.key == key))
      return &known;
  return nullptr;
}

// In what a user writes. `compiler_manual_dep_edges` of another compiler may name what a task handed back:
// OrderAntiDependencies puts the id of the task in its place.
void tasks_only(const Attr& attr, Carrier carrier, const Node* at, diag::Engine& engine) {
  for (const Var* var : attr.value.as_vars())
    if (var != nullptr && !is_task_or_tasks(var->type))
      engine.report(diag::codes::attribute_no_task, place_of(at), attr.key, text_of(carrier), var->name_hint,
                    describe(var->type));
}

}  // namespace

void verify_attrs(List<Attr> attrs, NodeKind carrier_kind, const Node* at, diag::Engine& engine) {
  Carrier carrier = carrier_of(carrier_kind);
  for (size_t i = 0; i < attrs.size(); ++i) {
    const Attr& attr = attrs[i];
    // Lists that pyptoc or the front end makes are short; a longer one is compared with its beginning only.
    constexpr size_t kCompared = 32;
    for (size_t j = 0; j < std::min(i, kCompared); ++j)
      if (attrs[j].key == attr.key)
        engine.report(diag::codes::duplicate_attribute, place_of(at), attr.key, text_of(carrier));
    const KnownAttr* known = find_known(carrier, attr.key);
    if (known == nullptr) continue;
    if (attr.value.kind() != known->kind && attr.value.kind() != known->or_kind)
      engine.report(diag::codes::attribute_kind, place_of(at), attr.key, text_of(carrier), name_of(known->kind),
                    name_of(attr.value.kind()));
    else if (known->key == "manual_dep_edges")
      tasks_only(attr, carrier, at, engine);
  }
}

}  // namespace pyptoc::ir
