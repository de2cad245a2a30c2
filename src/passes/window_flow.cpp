// SPDX-License-Identifier: Apache-2.0
#include "passes/window_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/depth_guard.h"
#include "ir/op_table.h"
#include "passes/call_graph.h"
#include "passes/chip_scalars.h"
#include "passes/collective_kernels.h"
#include "passes/integer_arithmetic.h"
#include "passes/window_worlds.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

constexpr int64_t kMaxExactTrips = 64;  // beyond, any number of iterations counts as possible

// What all runs of one dispatch share.
struct FlowContext {
  const Program* program;
  const CollectiveReach& reach;
  ReturnedParams& returned;
  Context& ir;
  WindowFlowClient& client;
  NodeSet active;                  // functions that are being run
  std::vector<Variation> control;  // conditions around that may differ from rank to rank
  std::vector<const Expr*> path;   // conditions around in terms of the HOST function, as far as that can be said
  int depth = 0;
};

class FunctionFlow {
 public:
  FunctionFlow(FlowContext& flow, const Function* f, const std::vector<ParamBinding>& params)
      : flow_(flow), function_(f), scalars_(flow.ir, tuples_) {
    for (size_t i = 0; i < f->params.size() && i < params.size(); ++i) {
      const Var* param = f->params[i];
      if (const TensorType* type = as_tensor(param->type)) {
        worlds_.define(param, {params[i].place});
        for (size_t axis = 0; axis < type->shape.size() && axis < params[i].extents.size(); ++axis)
          if (const Var* symbol = as<Var>(type->shape[axis])) scalars_.define_once(symbol, params[i].extents[axis]);
      } else {
        scalars_.define(param, params[i].scalar);
      }
    }
  }
  void run() { stmt(function_->body); }

 private:
  using Row = WindowWorlds::Row;

  // --- Statements

  void stmt(const Stmt* s) {
    if (s == nullptr) return;
    DepthGuard guard(flow_.depth);
    switch (s->kind) {
      case NodeKind::SeqStmts:
        for (const Stmt* inner : as<SeqStmts>(s)->stmts) stmt(inner);
        return;
      case NodeKind::AssignStmt:
        return assign(as<AssignStmt>(s)->var, as<AssignStmt>(s)->value);
      case NodeKind::EvalStmt:
        return evaluate(as<EvalStmt>(s)->expr);
      case NodeKind::IfStmt:
        return branch(as<IfStmt>(s));
      case NodeKind::ForStmt:
        return for_loop(as<ForStmt>(s));
      case NodeKind::WhileStmt:
        return while_loop(as<WhileStmt>(s));
      case NodeKind::YieldStmt:
        return yield(as<YieldStmt>(s));
      default:
        if (is<ScopeStmt>(s)) stmt(static_cast<const ScopeStmt*>(s)->body);
    }
  }

  void assign(const Var* var, const Expr* value) {
    evaluate(value);
    if (as_tensor(var->type) != nullptr) {
      worlds_.define(var, places(value));
    } else if (as_tuple(var->type) != nullptr) {
      const Expr* const* known = is_var(value->kind) ? tuples_.find(value) : nullptr;
      tuples_[var] = known != nullptr ? *known : value;
    } else {
      scalars_.define(var, scalars_.fact(value));
    }
  }

  void evaluate(const Expr* e) {
    if (const Op* op = called_function(e)) {
      if (const Function* callee = flow_.program->find(op)) call(e, callee);
    } else if (const Call* check = as<Call>(e); check != nullptr && check->op->id == OpId::SystemRequire) {
      require(check);
    }
  }

  void yield(const YieldStmt* s) {
    yielded_.assign(worlds_.count(), {});
    yielded_scalars_.clear();
    for (const Expr* value : s->value) {
      const bool tensor = as_tensor(value->type) != nullptr;
      for (size_t row = 0; row < worlds_.count(); ++row)
        yielded_[row].push_back(tensor ? place(value, row) : kOwnPlace);
      yielded_scalars_.push_back(as_scalar(value->type) != nullptr ? scalars_.fact(value) : ScalarFact());
    }
  }

  // --- Places

  std::vector<int> places(const Expr* value) {
    std::vector<int> out;
    for (size_t row = 0; row < worlds_.count(); ++row) out.push_back(place(value, row));
    return out;
  }
  int place(const Expr* value, size_t row) {
    if (is_var(value->kind)) return worlds_.place(static_cast<const Var*>(value), row);
    const TupleGetItemExpr* get = as<TupleGetItemExpr>(value);
    if (get == nullptr) return result_place(value, 0, row);
    const size_t k = static_cast<size_t>(get->index);
    const Expr* tuple = get->tuple;
    if (const Expr* const* known = tuples_.find(tuple)) tuple = *known;
    if (const MakeTuple* made = as<MakeTuple>(tuple))
      return k < made->elements.size() ? place(made->elements[k], row) : kUnknownPlace;
    return result_place(tuple, k, row);
  }
  int result_place(const Expr* e, size_t k, size_t row) {
    List<const Expr*> args = call_args(e);
    if (const Op* op = called_function(e)) {
      const Function* callee = flow_.program->find(op);
      if (callee == nullptr || k >= flow_.returned.of(callee).size()) return kUnknownPlace;
      std::optional<int> param = flow_.returned.of(callee)[k];
      if (!param) return kUnknownPlace;
      return static_cast<size_t>(*param) < args.size() ? place(args[static_cast<size_t>(*param)], row) : kOwnPlace;
    }
    const Call* call = as<Call>(e);
    if (call == nullptr) return kUnknownPlace;
    const ResultStorage storage = op_info(call->op->id).result;
    return storage.shares_operand() && storage.operand < args.size() ? place(args[storage.operand], row) : kOwnPlace;
  }

  // --- Calls

  std::vector<ScalarFact> extents(const Expr* value) {
    std::vector<ScalarFact> out;
    for (const Expr* extent : as_tensor(value->type)->shape) out.push_back(scalars_.fact(extent));
    return out;
  }

  void call(const Expr* e, const Function* callee) {
    if (std::optional<CollectiveVariant> variant = collective_variant(callee)) return collective(e, *variant);
    if (is_kernel(callee) || is_wrapper(callee) || !flow_.reach.leads_to_collective(callee)) return;
    if (flow_.active.contains(callee)) return;  // recursion, which the emitter refuses
    for (const Row& row : distinct_rows(call_args(e))) {
      std::vector<ParamBinding> params;
      size_t i = 0;
      for (const Expr* arg : call_args(e)) {
        ParamBinding binding;
        binding.place = row[i++];
        if (as_tensor(arg->type) != nullptr)
          binding.extents = extents(arg);
        else
          binding.scalar = scalars_.fact(arg);
        params.push_back(std::move(binding));
      }
      FunctionFlow(flow_, callee, params).run();
    }
  }

  std::set<Row> distinct_rows(List<const Expr*> args) {
    std::set<Row> rows;
    for (size_t row = 0; row < worlds_.count(); ++row) {
      Row one;
      for (const Expr* arg : args) one.push_back(as_tensor(arg->type) != nullptr ? place(arg, row) : kOwnPlace);
      rows.insert(std::move(one));
    }
    return rows;
  }

  void collective(const Expr* e, const CollectiveVariant& variant) {
    CollectiveUse use;
    use.call = e;
    use.variant = variant;
    List<const Expr*> operands = call_args(e).first(collective_info(variant.id).operand_count);
    for (const Expr* operand : operands) use.extents.push_back(extents(operand));
    const Submit* submit = as<Submit>(e);
    const AttrValue* attr = find_attr(call_attrs(e), "core_num");
    const Expr* width = submit != nullptr ? submit->core_num : nullptr;
    if (width == nullptr && attr != nullptr && attr->kind() == AttrKind::Expr) width = attr->as_expr();
    if (width != nullptr) use.width_varies = scalars_.fact(width).varies;
    if (!flow_.control.empty()) use.control_varies = flow_.control.front();
    for (const Row& row : distinct_rows(operands)) {
      use.places = row;
      flow_.client.collective(use);
    }
  }

  void require(const Call* check) {
    RequireUse use;
    use.call = check;
    ScalarFact condition = scalars_.fact(check->args[0]);
    use.varies = condition.varies;
    use.condition = condition.host;
    for (const Expr* value : check->args.subspan(1)) {
      ScalarFact fact = scalars_.fact(value);
      if (fact.varies && !use.varies) use.varies = fact.varies;
      use.values.push_back(fact.host);
    }
    if (std::find(use.values.begin(), use.values.end(), nullptr) != use.values.end()) use.values.clear();
    use.path = flow_.path;
    flow_.client.require(use);
  }

  // --- Branches

  // While it lives, what runs is under a condition.
  class Under {
   public:
    Under(FlowContext& flow, const std::optional<Variation>& varies, const std::vector<const Expr*>& path)
        : flow_(flow), control_(flow.control.size()), path_(flow.path.size()) {
      if (varies) flow.control.push_back(*varies);
      flow.path.insert(flow.path.end(), path.begin(), path.end());
    }
    ~Under() {
      flow_.control.erase(flow_.control.begin() + static_cast<std::ptrdiff_t>(control_), flow_.control.end());
      flow_.path.erase(flow_.path.begin() + static_cast<std::ptrdiff_t>(path_), flow_.path.end());
    }
    Under(const Under&) = delete;
    Under& operator=(const Under&) = delete;

   private:
    FlowContext& flow_;
    size_t control_;
    size_t path_;
  };

  // The tensors among some variables, by their index.
  static std::vector<size_t> tensors_of(List<const Var*> vars) {
    std::vector<size_t> out;
    for (size_t i = 0; i < vars.size(); ++i)
      if (as_tensor(vars[i]->type) != nullptr) out.push_back(i);
    return out;
  }
  static std::vector<const Var*> picked(List<const Var*> vars, const std::vector<size_t>& indices) {
    std::vector<const Var*> out;
    for (size_t i : indices)
      if (i < vars.size()) out.push_back(vars[i]);
    return out;
  }
  // Of the values yielded last those at `indices`, behind the first `kept` entries of the rows that are now.
  std::vector<Row> yielded_rows(size_t kept, const std::vector<size_t>& indices) {
    std::vector<Row> more(worlds_.count());
    for (size_t row = 0; row < more.size(); ++row)
      for (size_t i : indices)
        more[row].push_back(row < yielded_.size() && i < yielded_[row].size() ? yielded_[row][i] : kUnknownPlace);
    return worlds_.extended(kept, more);
  }

  // What the host can tell of the condition, or of its opposite, one by one.
  std::vector<const Expr*> parts(const Expr* condition, bool holds) {
    const BinaryExpr* both = as<BinaryExpr>(condition);
    if (both != nullptr && both->kind == (holds ? NodeKind::And : NodeKind::Or)) {
      DepthGuard guard(flow_.depth);
      std::vector<const Expr*> out = parts(both->left, holds);
      const std::vector<const Expr*> more = parts(both->right, holds);
      out.insert(out.end(), more.begin(), more.end());
      return out;
    }
    const Expr* host = scalars_.fact(condition).host;
    if (host == nullptr) return {};
    return {holds ? host : scalars_.negated(host)};
  }

  void branch(const IfStmt* s) {
    const ScalarFact condition = scalars_.fact(s->condition);
    const WindowWorlds::State before = worlds_.state();
    const size_t kept = before.keys.size();
    const std::vector<size_t> tensors = tensors_of(s->return_vars);
    {
      Under under(flow_, condition.varies, parts(s->condition, true));
      stmt(s->then_body);
    }
    std::vector<Row> rows = yielded_rows(kept, tensors);
    const std::vector<ScalarFact> first = yielded_scalars_;
    worlds_.restore(before);
    yielded_scalars_.clear();
    yielded_.clear();
    if (s->else_body != nullptr) {
      Under under(flow_, condition.varies, parts(s->condition, false));
      stmt(s->else_body);
    }
    std::vector<Row> others = yielded_rows(kept, tensors);
    rows.insert(rows.end(), others.begin(), others.end());
    if (!worlds_.replace(kept, picked(s->return_vars, tensors), std::move(rows))) flow_.client.too_many_paths(s);
    for (size_t i = 0; i < s->return_vars.size(); ++i) {
      if (as_scalar(s->return_vars[i]->type) == nullptr) continue;
      ScalarFact fact;
      fact.varies = condition.varies;
      for (const std::vector<ScalarFact>* side :
           {&first, static_cast<const std::vector<ScalarFact>*>(&yielded_scalars_)})
        if (i < side->size() && !fact.varies) fact.varies = (*side)[i].varies;
      scalars_.define(s->return_vars[i], fact);
    }
  }

  // --- Loops

  void for_loop(const ForStmt* s) {
    ScalarFact bounds;
    for (const Expr* bound : {s->start, s->stop, s->step}) {
      ScalarFact fact = scalars_.fact(bound);
      if (!bounds.varies) bounds.varies = fact.varies;
    }
    scalars_.define(s->loop_var, bounds);
    const std::optional<int64_t> trips = trip_count(s->start, s->stop, s->step);
    const Expr* once = trips && *trips >= 1 ? nullptr : runs_at_least_once(s);
    Under under(flow_, bounds.varies, once != nullptr ? std::vector<const Expr*>{once} : std::vector<const Expr*>{});
    loop(s, s->iter_args, s->return_vars, s->body, trips, nullptr);
  }
  const Expr* runs_at_least_once(const ForStmt* s) {
    const ScalarFact start = scalars_.fact(s->start);
    const ScalarFact stop = scalars_.fact(s->stop);
    if (const_int(s->step).value_or(0) <= 0 || start.host == nullptr || stop.host == nullptr) return nullptr;
    return flow_.ir.binary(NodeKind::Lt, start.host, stop.host, s->span);
  }

  void while_loop(const WhileStmt* s) { loop(s, s->iter_args, s->return_vars, s->body, std::nullopt, s->condition); }

  void loop(const Stmt* s, List<const Var*> iter_args, List<const Var*> return_vars, const Stmt* body,
            std::optional<int64_t> trips, const Expr* condition) {
    const size_t kept = worlds_.state().keys.size();
    const std::vector<size_t> tensors = tensors_of(iter_args);
    std::vector<Row> heads = loop_heads(iter_args, tensors, kept);
    for (const Var* arg : iter_args)
      if (as_scalar(arg->type) != nullptr)
        scalars_.define(arg, {scalars_.fact(as<IterArg>(arg)->init_value).varies, nullptr, 1});
    const bool exact = trips && *trips <= kMaxExactTrips;
    std::set<Row> seen(heads.begin(), heads.end());
    std::vector<Row> now(seen.begin(), seen.end());
    for (int64_t round = 0; !now.empty() && (!exact || round < *trips); ++round) {
      if (!worlds_.replace(kept, picked(iter_args, tensors), now)) return flow_.client.too_many_paths(s);
      const bool scalars_changed = iteration(iter_args, body, condition);
      std::vector<Row> next = yielded_rows(kept, tensors);
      std::sort(next.begin(), next.end());
      next.erase(std::unique(next.begin(), next.end()), next.end());
      if (exact) {
        if (next == now && !scalars_changed) break;
        now = std::move(next);
        continue;
      }
      std::vector<Row> fresh;
      for (Row& row : next)
        if (seen.insert(row).second) fresh.push_back(row);
      now = scalars_changed ? std::vector<Row>(seen.begin(), seen.end()) : std::move(fresh);
    }
    std::vector<Row> out = exact ? std::move(now) : std::vector<Row>(seen.begin(), seen.end());
    std::vector<const Var*> results = picked(return_vars, tensors);
    for (Row& row : out) row.resize(kept + results.size());
    if (!worlds_.replace(kept, results, std::move(out))) flow_.client.too_many_paths(s);
    std::optional<Variation> ends;  // why ranks may leave the loop after different numbers of iterations
    if (condition != nullptr) ends = scalars_.fact(condition).varies;
    for (size_t i = 0; i < return_vars.size() && i < iter_args.size(); ++i) {
      if (as_scalar(return_vars[i]->type) == nullptr) continue;
      std::optional<Variation> varies = joined(scalars_.fact(iter_args[i]).varies);
      scalars_.define(return_vars[i], {varies ? varies : ends, nullptr, 1});
    }
  }

  std::vector<Row> loop_heads(List<const Var*> iter_args, const std::vector<size_t>& tensors, size_t kept) {
    std::vector<Row> starts(worlds_.count());
    for (size_t row = 0; row < starts.size(); ++row)
      for (size_t i : tensors) starts[row].push_back(place(as<IterArg>(iter_args[i])->init_value, row));
    return worlds_.extended(kept, starts);
  }

  // True when a carried scalar turned out to differ from rank to rank.
  bool iteration(List<const Var*> iter_args, const Stmt* body, const Expr* condition) {
    yielded_.clear();
    yielded_scalars_.clear();
    {
      std::optional<Variation> varies;
      if (condition != nullptr) varies = scalars_.fact(condition).varies;
      Under under(flow_, varies, {});
      stmt(body);
    }
    bool changed = false;
    for (size_t i = 0; i < iter_args.size() && i < yielded_scalars_.size(); ++i) {
      if (as_scalar(iter_args[i]->type) == nullptr || !yielded_scalars_[i].varies) continue;
      ScalarFact fact = scalars_.fact(iter_args[i]);
      if (fact.varies) continue;
      fact.varies = yielded_scalars_[i].varies;
      scalars_.define(iter_args[i], fact);
      changed = true;
    }
    return changed;
  }
  // What a number of iterations that may differ decides, differs as well.
  std::optional<Variation> joined(std::optional<Variation> varies) const {
    if (!varies && !flow_.control.empty()) return flow_.control.back();
    return varies;
  }

  FlowContext& flow_;
  const Function* function_;
  WindowWorlds worlds_;
  NodeMap<const Expr*> tuples_;  // tuple variable -> what it was assigned
  ChipScalars scalars_;
  std::vector<Row> yielded_;  // by the construct that ended last, for each row
  std::vector<ScalarFact> yielded_scalars_;
};

}  // namespace

CollectiveReach::CollectiveReach(const Program* program) {
  for (const Function* f : callees_first(program)) {
    if (collective_variant(f)) {
      reaching_.insert(f);
      continue;
    }
    for (const Expr* call : function_calls(f)) {
      const Function* callee = program->find(called_function(call));
      if (callee != nullptr && reaching_.contains(callee)) reaching_.insert(f);
    }
  }
}

void follow_windows(const Program* program, const Function* chip, const std::vector<ParamBinding>& params,
                    const CollectiveReach& reach, ReturnedParams& returned, Context& context,
                    WindowFlowClient& client) {
  FlowContext flow{program, reach, returned, context, client, {}, {}, {}, 0};
  FunctionFlow(flow, chip, params).run();
}

}  // namespace pyptoc::passes
