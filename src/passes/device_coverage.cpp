// SPDX-License-Identifier: Apache-2.0
// On which devices windows lie, read from the dispatches and collectives that use them.
#include "diag/codes_host.h"
#include "ir/collectives.h"
#include "ir/describe.h"
#include "ir/walker.h"
#include "passes/call_graph.h"
#include "passes/host_windows.h"
#include "passes/start_values.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

constexpr int64_t kMaxRange = 1 << 16;  // more is refused below anyway

class Coverage : public Walker {
 public:
  Coverage(const Function* function, const Program* program, const HostWindows& windows, diag::Engine& diags)
      : program_(program), windows_(windows), diags_(diags), values_(function), sets_(windows.all().size()) {
    walk(function->body);
    spread();
  }
  std::vector<DeviceSet> take() { return std::move(sets_); }
  bool is_used(size_t allocation) const { return used_[allocation]; }

 protected:
  void visit(const Node* node) override {
    if (!is_stmt(node->kind)) return;
    if (const AssignStmt* assign = as<AssignStmt>(node)) return evaluate(assign->value);
    if (const EvalStmt* eval = as<EvalStmt>(node)) return evaluate(eval->expr);
    if (const ForStmt* loop = as<ForStmt>(node)) loops_[loop->loop_var] = loop;
    if (const ReturnStmt* result = as<ReturnStmt>(node))
      for (const Expr* e : result->value) evaluate(e);
    children(node);
  }

 private:
  // A collective: its operands by their allocations, the one that says the devices first.
  struct Use {
    std::vector<size_t> operands;
    std::vector<size_t> followers;  // signal and recv_counts
  };

  void evaluate(const Expr* e) {
    if (const Op* callee = called_function(e)) return dispatch(e, program_->find(callee));
    const Call* call = as<Call>(e);
    const CollectiveInfo* info = call != nullptr ? collective_of(call) : nullptr;
    if (info != nullptr) collective(call, *info);
  }

  void dispatch(const Expr* e, const Function* callee) {
    if (callee == nullptr || callee->role == Role::SubWorker || callee->level == Level::Host) return;
    std::optional<DeviceSet> devices;
    for (const Expr* arg : call_args(e)) {
      if (!is_window(arg)) continue;
      std::optional<size_t> allocation = allocation_of(arg, e);
      if (!devices) devices = devices_of(e, callee, arg);
      if (!devices) return;
      if (allocation) sets_[*allocation].merge(*devices);
    }
  }

  // Nothing, and a report, where the value is a view of none or of several.
  std::optional<size_t> allocation_of(const Expr* value, const Node* at) {
    std::vector<size_t> numbers = windows_.behind(value);
    if (numbers.size() == 1) {
      used_[numbers.front()] = true;
      return numbers.front();
    }
    for (size_t number : numbers) used_[number] = true;
    if (numbers.empty()) {
      diags_.report(diag::codes::window_not_followed, place_of(at), describe(value));
      return std::nullopt;
    }
    const WindowAllocation& first = windows_.all()[numbers[0]];
    const WindowAllocation& second = windows_.all()[numbers[1]];
    diags_.report(diag::codes::window_ambiguous, place_of(at), describe(value), first.name, second.name)
        .note("`" + std::string(first.name) + "` is allocated here", place_of(first.at))
        .note("`" + std::string(second.name) + "` is allocated here", place_of(second.at));
    return std::nullopt;
  }

  std::optional<DeviceSet> devices_of(const Expr* e, const Function* callee, const Expr* window) {
    const Expr* device = dispatch_device(e);
    if (device == nullptr) {
      diags_.report(diag::codes::dispatch_without_device, place_of(e), callee->name, describe(window))
          .help("add `device=`, for example in a loop `for r in pl.range(pld.world_size())`");
      return std::nullopt;
    }
    const Expr* known = values_.resolve(device);
    if (std::optional<int64_t> number = const_int(known)) {
      if (*number >= 0) return DeviceSet::range(*number, *number + 1);
      diags_.report(diag::codes::device_out_of_range, place_of(e), callee->name, *number);
      return std::nullopt;
    }
    const ForStmt* const* loop = loops_.find(known);
    std::optional<DeviceSet> out = loop != nullptr ? devices_of(*loop) : std::nullopt;
    if (out) return out;
    auto report = diags_.report(diag::codes::device_form, place_of(e), callee->name, describe(device));
    if (loop != nullptr) report.note("the loop of `" + describe(known) + "` is here", place_of(*loop));
    return std::nullopt;
  }

  std::optional<DeviceSet> devices_of(const ForStmt* loop) const {
    std::optional<int64_t> start = const_int(values_.resolve(loop->start));
    const Expr* stop = values_.resolve(loop->stop);
    if (!start || *start < 0 || const_int(values_.resolve(loop->step)) != 1) return std::nullopt;
    const Call* call = as<Call>(stop);
    if (call != nullptr && call->op->id == OpId::PldSystemWorldSize)
      return *start == 0 ? std::optional(DeviceSet::every()) : std::nullopt;
    std::optional<int64_t> end = const_int(stop);
    if (!end || *end > kMaxRange) return std::nullopt;
    return DeviceSet::range(*start, *end);
  }

  void collective(const Call* call, const CollectiveInfo& info) {
    Use use;
    std::vector<std::optional<size_t>> behind;
    for (size_t i = 0; i < info.operand_count && i < call->args.size(); ++i)
      behind.push_back(is_window(call->args[i]) ? allocation_of(call->args[i], call) : std::nullopt);
    auto add = [&](std::vector<size_t>& out, size_t i) {
      if (i < behind.size() && behind[i]) out.push_back(*behind[i]);
    };
    add(use.operands, info.data_operand);
    for (size_t i = 0; i < behind.size(); ++i)
      if (i != info.data_operand) add(use.operands, i);
    if (info.signal_operand != info.data_operand) add(use.followers, info.signal_operand);
    if (info.id == Collective::AllToAllV) add(use.followers, 4);
    for (size_t allocation : use.operands) uses_of_[allocation].push_back(uses_.size());
    uses_.push_back(std::move(use));
  }

  // An allocation that no dispatch gets lies where the other operands of its collectives lie; signal and recv_counts
  // lie at least where the data lies.
  void spread() {
    std::vector<size_t> work;
    for (size_t i = 0; i < sets_.size(); ++i)
      if (!sets_[i].empty()) work.push_back(i);
    while (!work.empty()) {
      size_t from = work.back();
      work.pop_back();
      for (size_t use : uses_of_[from])
        for (size_t to : uses_[use].operands)
          if (sets_[to].empty()) {
            sets_[to] = sets_[from];
            work.push_back(to);
          }
    }
    for (const Use& use : uses_)
      for (size_t follower : use.followers)
        if (use.operands.front() != follower) sets_[follower].merge(sets_[use.operands.front()]);
  }

  const Program* program_;
  const HostWindows& windows_;
  diag::Engine& diags_;
  StartValues values_;
  std::vector<DeviceSet> sets_;
  std::vector<bool> used_ = std::vector<bool>(sets_.size());
  NodeMap<const ForStmt*> loops_;
  std::vector<Use> uses_;
  std::vector<std::vector<size_t>> uses_of_ = std::vector<std::vector<size_t>>(sets_.size());
};

}  // namespace

std::vector<DeviceSet> device_coverage(const Function* function, const Program* program, const HostWindows& windows,
                                       diag::Engine& diags) {
  size_t errors = diags.error_count();
  Coverage coverage(function, program, windows, diags);
  std::vector<DeviceSet> sets = coverage.take();
  for (size_t i = 0; i < sets.size(); ++i) {
    const WindowAllocation& allocation = windows.all()[i];
    if (allocation.view == nullptr)
      diags.report(diag::codes::window_without_view, place_of(allocation.at), allocation.name);
    else if (!coverage.is_used(i))
      diags.report(diag::codes::window_without_use, place_of(allocation.at), allocation.name)
          .note("a view is made here", place_of(allocation.view));
    else if (sets[i].empty() && diags.error_count() == errors)
      diags.report(diag::codes::window_without_devices, place_of(allocation.at), allocation.name);
    else if (static_cast<int64_t>(sets[i].devices().size()) > kMaxRanks)
      diags.report(diag::codes::too_many_ranks, place_of(allocation.at), kMaxRanks, allocation.name,
                   static_cast<int64_t>(sets[i].devices().size()));
  }
  return sets;
}

}  // namespace pyptoc::passes
