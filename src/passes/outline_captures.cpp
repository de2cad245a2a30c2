// SPDX-License-Identifier: Apache-2.0
// One walk in order of evaluation. Each variable remembers the innermost target scope that defines it; a use in another
// scope is an input of every scope entered on the way from the definition and an output of every scope left.
#include "passes/outline_captures.h"

#include <algorithm>

#include "ir/depth_guard.h"
#include "ir/reflect.h"

namespace pyptoc::passes {

using namespace ir;

class CaptureWalk {
 public:
  CaptureWalk(CaptureAnalysis& out, const CaptureAnalysis::IsTarget& is_target, bool launch_width_outside)
      : out_(out), is_target_(is_target), launch_width_outside_(launch_width_outside) {
    regions_.push_back({});
  }

  void run(const Function* f) {
    for (const Var* param : f->params) define(param);
    statement(f->body);
    for (Captures& captures : out_.all_) sort_by_definition(captures.outputs);
  }

 private:
  static constexpr size_t kOutside = 0;  // the function itself
  struct Region {
    size_t parent = kOutside;
    int depth = 0;
    const ScopeStmt* scope = nullptr;
    NodeSet inputs;
    NodeSet type_inputs;
    NodeSet outputs;
  };
  struct Definition {
    size_t region = kOutside;
    uint32_t order = 0;
    bool known = false;
  };

  Captures& captures_of(size_t region) { return out_.all_[region - 1]; }

  // --- definitions

  void define(const Var* var) {
    if (var == nullptr) return;
    Definition& definition = definitions_[var];
    if (!definition.known) definition = {region_, ++order_, true};
    type(var->type);
    if (const size_t* region = early_uses_.find(var); region != nullptr && *region != kOutside)
      out_.too_early_.push_back({var, regions_[*region].scope});
  }

  void sort_by_definition(std::vector<const Var*>& vars) {
    std::sort(vars.begin(), vars.end(),
              [&](const Var* a, const Var* b) { return definitions_.find(a)->order < definitions_.find(b)->order; });
  }

  // --- uses

  void use(const Var* var) {
    const Definition* definition = definitions_.find(var);
    if (definition == nullptr) early_uses_.insert(var, region_);  // or a dynamic extent, which nothing defines
    use_from(var, region_, definition != nullptr ? definition->region : kOutside);
  }

  void use_from(const Var* var, size_t here, size_t there) {
    while (here != there) {
      if (regions_[here].depth >= regions_[there].depth) {
        if (!regions_[here].inputs.insert(var)) return;  // then the scopes around have it as well
        captures_of(here).inputs.push_back(var);
        here = regions_[here].parent;
      } else {
        if (regions_[there].outputs.insert(var)) captures_of(there).outputs.push_back(var);
        there = regions_[there].parent;
      }
    }
  }

  void type_use(const Var* var) {
    const Definition* definition = definitions_.find(var);
    if (definition == nullptr) return;  // a dynamic extent: functions share it
    for (size_t here = region_; here != kOutside && here != definition->region; here = regions_[here].parent) {
      if (regions_[here].depth <= regions_[definition->region].depth) return;
      if (!regions_[here].type_inputs.insert(var)) return;
      captures_of(here).type_inputs.push_back(var);
    }
  }

  void type(const Type* t) {
    if (region_ == kOutside || t == nullptr) return;
    for_each_node_in_type(t, [&](const Node* node) { type_node(node); });
  }
  void type_node(const Node* node) {
    if (is_const(node->kind)) return;
    DepthGuard guard(depth_);
    if (const Var* var = as<Var>(node)) {
      type_use(var);
      return;
    }
    for_each_child(node, [&](const Node* child) { type_node(child); });
  }

  void expression(const Node* e) {
    if (const Var* var = as<Var>(e)) {
      use(var);
      type(var->type);
      return;
    }
    if (is_const(e->kind)) return;
    size_t& seen = seen_in_[e];
    if (seen == region_ + 1) return;
    seen = region_ + 1;
    DepthGuard guard(depth_);
    type(static_cast<const Expr*>(e)->type);
    for_each_child(e, [&](const Node* child) { expression(child); });
  }

  // --- statements

  void statement(const Node* s) {
    DepthGuard guard(depth_);
    if (const ScopeStmt* scope = as<ScopeStmt>(s); scope != nullptr && is_target_(scope)) {
      target(scope);
      return;
    }
    if (s->kind == NodeKind::ReturnStmt && region_ != kOutside) {
      Captures& captures = captures_of(region_);
      if (captures.early_return == nullptr) captures.early_return = s;
    }
    if (const AssignStmt* assign = as<AssignStmt>(s)) {
      expression(assign->value);
      define(assign->var);
      return;
    }
    dispatch(s, [&](const auto& n) {
      using S = std::remove_cvref_t<decltype(n)>;
      for_each_field<S>([&](const auto& described) {
        for_each_node_in(n.*(described.member), [&](const Node* child) { part(s, child, described.defines); });
      });
    });
  }

  void part(const Node* parent, const Node* child, bool defines) {
    if (is_stmt(child->kind)) {
      statement(child);
    } else if (defines) {
      if (const IterArg* arg = as<IterArg>(child)) expression(arg->init_value);
      define(static_cast<const Var*>(child));
    } else if (const SpmdScopeStmt* spmd = as<SpmdScopeStmt>(parent);
               spmd != nullptr && launch_width_outside_ && child == spmd->core_num && region_ != kOutside) {
      outside(child);
    } else {
      expression(child);
    }
  }

  // As if `e` stood in front of the target scopes around it.
  void outside(const Node* e) {
    size_t here = region_;
    region_ = kOutside;
    expression(e);
    region_ = here;
  }

  void target(const ScopeStmt* scope) {
    const Var* task = nullptr;
    for (const Attr& attr : scope->attrs) {
      if (attr.key == "task_id_var" && attr.value.kind() == AttrKind::Var) {
        task = attr.value.as_var();
        continue;
      }
      List<Attr> one(&attr, 1);
      for_each_node_in(one, [&](const Node* node) { expression(node); });
    }
    if (const SpmdScopeStmt* spmd = as<SpmdScopeStmt>(scope)) expression(spmd->core_num);

    if (region_ != kOutside && captures_of(region_).nested == nullptr) captures_of(region_).nested = scope;
    size_t outer = region_;
    regions_.push_back({outer, regions_[outer].depth + 1, scope, {}, {}, {}});
    region_ = regions_.size() - 1;
    out_.index_[scope] = out_.all_.size();
    out_.all_.push_back({});
    statement(scope->body);
    region_ = outer;

    if (task == nullptr) return;
    out_.tasks_.insert(task);
    define(task);
  }

  CaptureAnalysis& out_;
  const CaptureAnalysis::IsTarget& is_target_;
  bool launch_width_outside_;
  std::vector<Region> regions_;  // 0 is the function; the captures of region r are all_[r - 1]
  size_t region_ = kOutside;
  uint32_t order_ = 0;
  int depth_ = 0;
  NodeMap<Definition> definitions_;
  NodeMap<size_t> early_uses_;  // first use without a definition -> region
  NodeMap<size_t> seen_in_;     // expression -> region of the last visit + 1
};

CaptureAnalysis::CaptureAnalysis(const Function* function, const IsTarget& is_target, bool launch_width_outside) {
  CaptureWalk(*this, is_target, launch_width_outside).run(function);
  for (Captures& captures : all_) {
    if (captures.type_inputs.empty()) continue;
    NodeSet values;
    for (const Var* var : captures.inputs) values.insert(var);
    std::erase_if(captures.type_inputs, [&](const Var* var) { return values.contains(var); });
  }
}

const Captures* CaptureAnalysis::of(const ScopeStmt* scope) const {
  const size_t* at = index_.find(scope);
  return at != nullptr ? &all_[*at] : nullptr;
}

}  // namespace pyptoc::passes
