// SPDX-License-Identifier: Apache-2.0
#include "passes/check_window_provenance.h"

#include <fmt/format.h>

#include <algorithm>

#include "diag/codes_host.h"
#include "ir/walker.h"
#include "passes/call_graph.h"
#include "passes/caller_obligations.h"
#include "passes/device_scalars.h"
#include "passes/dispatch_checks.h"
#include "passes/plain_value.h"
#include "passes/rank_invariance.h"
#include "passes/rank_order.h"
#include "passes/task_program.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// The dispatches of a HOST function whose chip functions lead to a collective, in order, with what may differ from rank
// to rank around them.
class Dispatches : public Walker {
 public:
  Dispatches(const Function* host, const Program* program, const CollectiveReach& reach, const RankInvariance& ranks)
      : program_(program), reach_(reach), ranks_(ranks), values_(host) {
    walk(host->body);
  }
  std::vector<Dispatch> found;
  std::vector<const Call*> host_collectives;
  const StartValues& values() const { return values_; }

 protected:
  void visit(const Node* node) override {
    if (!is_stmt(node->kind)) return;
    const size_t before = control_.size();
    if (const AssignStmt* assign = as<AssignStmt>(node)) {
      add(assign->value);
    } else if (const EvalStmt* eval = as<EvalStmt>(node)) {
      add(eval->expr);
    } else if (const IfStmt* branch = as<IfStmt>(node)) {
      return sides(branch);
    } else if (const WhileStmt* repeat = as<WhileStmt>(node)) {
      under(repeat->condition);
    } else if (const ForStmt* loop = as<ForStmt>(node)) {
      for (const Expr* bound : {loop->start, loop->stop, loop->step}) under(bound);
    }
    const bool loop = node->kind == NodeKind::ForStmt || node->kind == NodeKind::WhileStmt;
    if (loop) around_.push_back({static_cast<const Stmt*>(node), false});
    children(node);
    if (loop) around_.pop_back();
    control_.resize(before);
  }

 private:
  void sides(const IfStmt* branch) {
    const size_t before = control_.size();
    under(branch->condition);
    for (const bool in_else : {false, true}) {
      around_.push_back({branch, in_else});
      walk(in_else ? branch->else_body : branch->then_body);
      around_.pop_back();
    }
    control_.resize(before);
  }
  void under(const Expr* condition) {
    if (std::optional<RankInvariance::Reason> reason = ranks_.differs(condition))
      control_.push_back({reason->text(), reason->var});
  }
  void add(const Expr* e) {
    if (const Call* call = as<Call>(e); call != nullptr && collective_of(call) != nullptr)
      host_collectives.push_back(call);
    const Op* op = called_function(e);
    const Function* callee = op != nullptr ? program_->find(op) : nullptr;
    if (callee == nullptr || callee->level == Level::Host || !reach_.leads_to_collective(callee)) return;
    Dispatch dispatch{e, callee, std::nullopt, around_, devices_of(e)};
    if (!control_.empty()) dispatch.control_varies = control_.front();
    found.push_back(std::move(dispatch));
  }

  // MaterializeCommDomainScopes has refused what has another form.
  std::optional<DeviceSet> devices_of(const Expr* e) const {
    const Expr* given = dispatch_device(e);
    if (given == nullptr) return std::nullopt;
    const Expr* device = values_.resolve(given);
    if (std::optional<int64_t> number = const_int(device)) return DeviceSet::range(*number, *number + 1);
    for (const Around& one : around_) {
      const ForStmt* loop = as<ForStmt>(one.stmt);
      if (loop == nullptr || loop->loop_var != device) continue;
      std::optional<int64_t> start = const_int(values_.resolve(loop->start));
      const Expr* stop = values_.resolve(loop->stop);
      if (is_plain_value(stop)) return DeviceSet::every();
      std::optional<int64_t> end = const_int(stop);
      if (start && end) return DeviceSet::range(*start, *end);
    }
    return std::nullopt;
  }

  const Program* program_;
  const CollectiveReach& reach_;
  const RankInvariance& ranks_;
  StartValues values_;
  std::vector<Variation> control_;
  std::vector<Around> around_;
};

class Provenance {
 public:
  Provenance(const Program* program, PassContext& context)
      : program_(program), pass_(context), roots_(program, context.roots), returned_(roots_), reach_(program) {}

  const Program* run() {
    std::vector<const Function*> functions;
    for (const Function* f : program_->functions) functions.push_back(is_host_orchestrator(f) ? host(f) : f);
    NodeSet called;
    for (const Function* f : program_->functions)
      for (const Expr* call : function_calls(f))
        if (const Function* callee = program_->find(called_function(call)); callee != nullptr && callee != f)
          called.insert(callee);
    for (const Function*& f : functions)
      if (submits_tasks(f) && reach_.leads_to_collective(f) && !dispatched_.contains(f) && !called.contains(f))
        f = with_obligations(program_, f, reach_, returned_, pass_);
    const bool changed = !std::equal(functions.begin(), functions.end(), program_->functions.begin());
    return changed ? pass_.ir.program(program_->name, std::move(functions), program_->span) : program_;
  }

 private:
  const Function* host(const Function* f) {
    const size_t errors = pass_.diags.error_count();
    RankInvariance ranks(f);
    Dispatches dispatches(f, program_, reach_, ranks);
    if (dispatches.found.empty()) return f;
    const DeviceScalars by_device(dispatches.found, dispatches.values());
    HostDomains domains(f);
    HostChecks checks(f, pass_.ir);
    SignalUses signals;
    Participants participants;
    for (const Call* call : dispatches.host_collectives) {
      const CollectiveInfo* info = collective_of(call);
      const Var* slot = info->signal_operand < call->args.size() ? slot_of(call->args[info->signal_operand]) : nullptr;
      if (slot != nullptr) signals.note(slot, call, info->id == Collective::AllreduceRing, false);
    }
    for (size_t i = 0; i < dispatches.found.size(); ++i) {
      const Dispatch& dispatch = dispatches.found[i];
      dispatched_.insert(dispatch.chip);
      DispatchChecks client(dispatch, domains, checks, signals, participants, pass_.diags);
      follow_windows(program_, dispatch.chip, bindings(dispatch, i, ranks, by_device), reach_, returned_, pass_.ir,
                     client);
    }
    signals.report(pass_.diags);
    const std::optional<int64_t> asked = participants.check(checks, pass_.diags);
    if (pass_.diags.error_count() == errors) {
      RankTraces traces(f, program_, domains, dispatches.values(), roots_);
      const DeviceCount count = {asked.value_or(least_devices(dispatches.found)), asked.has_value()};
      check_rank_order(traces, domains, count, checks, pass_.diags);
    }
    return checks.insert_into(f);
  }

  static int64_t least_devices(const std::vector<Dispatch>& dispatches) {
    int64_t out = 1;
    for (const Dispatch& dispatch : dispatches)
      if (dispatch.devices && !dispatch.devices->devices().empty())
        out = std::max(out, dispatch.devices->devices().back() + 1);
    return out;
  }

  // Places are the numbers of the parameters.
  static std::vector<ParamBinding> bindings(const Dispatch& dispatch, size_t number, const RankInvariance& ranks,
                                            const DeviceScalars& by_device) {
    auto fact = [&](const Expr* e) {
      ScalarFact out;
      out.host = e;
      if (std::optional<RankInvariance::Reason> reason = ranks.differs(e)) out.varies = {reason->text(), reason->var};
      return out;
    };
    std::vector<ParamBinding> out;
    for (const Expr* arg : call_args(dispatch.call)) {
      ParamBinding binding;
      binding.place = static_cast<int>(out.size());
      if (const TensorType* type = as_tensor(arg->type))
        for (const Expr* extent : type->shape) binding.extents.push_back(fact(extent));
      else
        binding.scalar = fact(arg);
      if (!binding.scalar.varies) binding.scalar.varies = by_device.differs(number, out.size());
      out.push_back(std::move(binding));
    }
    return out;
  }

  const Program* program_;
  PassContext& pass_;
  BufferRoots roots_;
  ReturnedParams returned_;
  CollectiveReach reach_;
  NodeSet dispatched_;
};

}  // namespace

const Program* check_window_provenance(const Program* program, PassContext& context) {
  if (!program->contents.has(Content::Window)) return program;
  return Provenance(program, context).run();
}

}  // namespace pyptoc::passes
