// SPDX-License-Identifier: Apache-2.0
#include "passes/rank_invariance.h"

#include "ir/walker.h"
#include "passes/call_graph.h"
#include "passes/start_values.h"
#include "passes/trailing_yield.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// Calls f(var) for each variable, and g() for a call that may give another value on each rank.
template <class F, class G>
void for_each_input(const Expr* e, F& f, G& g, int& depth) {
  DepthGuard guard(depth);
  if (const Var* var = as<Var>(e)) return f(var);
  if (const Call* call = as<Call>(e)) {
    // The extents of a tensor are those of its type.
    if (call->op->id == OpId::PldSystemWorldSize || call->op->id == OpId::TensorDim) return;
    g();
  }
  if (e->kind == NodeKind::Submit) g();
  for_each_child(e, [&](const Node* child) {
    if (is_expr(child->kind)) for_each_input(static_cast<const Expr*>(child), f, g, depth);
  });
}

}  // namespace

// Values flow along edges from variable to variable; what differs spreads along them from its sources.
class VariationWalk : public Walker {
 public:
  VariationWalk(const Function* function, RankInvariance& out) : values_(function), out_(out) {
    walk(function->body);
    while (!work_.empty()) {
      const Var* from = work_.back();
      work_.pop_back();
      const RankInvariance::Reason reason = *out_.differing_.find(from);
      const std::vector<const Var*>* targets = edges_.find(from);
      if (targets == nullptr) continue;
      for (const Var* to : *targets)
        if (out_.differing_.insert(to, reason)) work_.push_back(to);
    }
  }

 protected:
  void visit(const Node* node) override {
    if (!is_stmt(node->kind)) return;
    if (const AssignStmt* assign = as<AssignStmt>(node)) {
      if (as_scalar(assign->var->type) != nullptr) flow(assign->value, assign->var);
      device_of(assign->value);
    } else if (const EvalStmt* eval = as<EvalStmt>(node)) {
      device_of(eval->expr);
    } else if (const IfStmt* branch = as<IfStmt>(node)) {
      results(branch->then_body, branch->return_vars);
      results(branch->else_body, branch->return_vars);
      for (const Var* var : branch->return_vars) flow(branch->condition, var);
    } else if (const ForStmt* loop = as<ForStmt>(node)) {
      for (const Expr* bound : {loop->start, loop->stop, loop->step}) {
        flow(bound, loop->loop_var);
        for (const Var* var : loop->return_vars) flow(bound, var);
      }
      carries(loop->iter_args, loop->return_vars, loop->body);
    } else if (const WhileStmt* repeat = as<WhileStmt>(node)) {
      for (const Var* var : repeat->return_vars) flow(repeat->condition, var);
      carries(repeat->iter_args, repeat->return_vars, repeat->body);
    }
    children(node);
  }

 private:
  void flow(const Expr* from, const Var* to) {
    if (as_scalar(to->type) == nullptr) return;
    auto variable = [&](const Var* var) { edges_[var].push_back(to); };
    auto unknown = [&] { source(to, false); };
    int depth = 0;
    for_each_input(from, variable, unknown, depth);
  }
  void source(const Var* var, bool selects_device) {
    if (out_.differing_.insert(var, {var, selects_device})) work_.push_back(var);
  }
  void results(const Stmt* body, List<const Var*> vars) {
    const YieldStmt* yield = body != nullptr ? trailing_yield(body) : nullptr;
    if (yield == nullptr) return;
    for (size_t i = 0; i < yield->value.size() && i < vars.size(); ++i) flow(yield->value[i], vars[i]);
  }
  void carries(List<const Var*> args, List<const Var*> vars, const Stmt* body) {
    results(body, args);
    for (size_t i = 0; i < args.size(); ++i) {
      flow(as<IterArg>(args[i])->init_value, args[i]);
      if (i < vars.size()) flow(args[i], vars[i]);
    }
  }
  void device_of(const Expr* e) {
    const Expr* device = dispatch_device(e);
    if (device == nullptr) return;
    if (const Var* var = as<Var>(values_.resolve(device))) source(var, true);
  }

  StartValues values_;
  RankInvariance& out_;
  NodeMap<std::vector<const Var*>> edges_;
  std::vector<const Var*> work_;
};

std::string RankInvariance::Reason::text() const {
  std::string name = "`" + std::string(var->name_hint) + "`, ";
  return name + (selects_device ? "which selects a device" : "which a tensor or a function gives");
}

RankInvariance::RankInvariance(const Function* function) {
  VariationWalk(function, *this);
}

std::optional<RankInvariance::Reason> RankInvariance::differs(const Expr* e) const {
  std::optional<Reason> out;
  auto variable = [&](const Var* var) {
    const Reason* reason = differing_.find(var);
    if (reason != nullptr && !out) out = *reason;
  };
  auto unknown = [] {};
  int depth = 0;
  for_each_input(e, variable, unknown, depth);
  return out;
}

}  // namespace pyptoc::passes
