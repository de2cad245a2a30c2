// SPDX-License-Identifier: Apache-2.0
#include "passes/rank_traces.h"

#include <algorithm>

#include "ir/contains.h"
#include "ir/depth_guard.h"
#include "ir/equal.h"
#include "ir/op_table.h"
#include "passes/call_graph.h"
#include "passes/integer_arithmetic.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

constexpr size_t kMostSteps = 200'000;  // statements, values and rounds of all runs
constexpr int kMostIterations = 4;      // that a loop is taken to run, where only run time can tell
constexpr int kMostValueDepth = 64;
constexpr int64_t kMostDevices = 1024;  // a program may name any number as a device

// The type's range, outside of which the value is another one.
std::optional<int64_t> in_range(std::optional<int64_t> value, const Expr* e) {
  const std::optional<IntegerRange> range = range_of(as_scalar(e->type)->dtype);
  if (!value || !range || *value < range->low || *value > range->high) return std::nullopt;
  return value;
}

}  // namespace

bool RankTraces::run(int64_t world, std::vector<RunChoice>& choices) {
  if (world > kMostDevices) return false;
  choices_ = &choices;
  fresh_ = 0;
  world_ = world;
  traces_.assign(static_cast<size_t>(std::max<int64_t>(world, 1)), {});
  counters_.clear();
  lost_ = false;
  stmt(host_->body);
  return !lost_;
}

// --- Statements

void RankTraces::stmt(const Stmt* s) {
  if (s == nullptr || lost_) return;
  DepthGuard guard(depth_);
  lost_ = ++steps_ > kMostSteps;
  if (const SeqStmts* seq = as<SeqStmts>(s)) {
    for (const Stmt* one : seq->stmts) stmt(one);
  } else if (const AssignStmt* assign = as<AssignStmt>(s)) {
    evaluate(assign->value);
  } else if (const EvalStmt* eval = as<EvalStmt>(s)) {
    evaluate(eval->expr);
  } else if (const ReturnStmt* result = as<ReturnStmt>(s)) {
    for (const Expr* e : result->value) evaluate(e);
  } else if (const IfStmt* branches = as<IfStmt>(s)) {
    branch(branches);
  } else if (const ForStmt* loop = as<ForStmt>(s)) {
    for_loop(loop);
  } else if (const WhileStmt* repeat = as<WhileStmt>(s); repeat != nullptr && meets_others(s)) {
    some_iterations(repeat->body, {repeat->condition});
  } else if (is<ScopeStmt>(s)) {
    stmt(static_cast<const ScopeStmt*>(s)->body);
  }
}

bool RankTraces::meets_others(const Stmt* s) {
  if (const bool* known = meets_.find(s)) return *known;
  const bool meets = contains(s, [&](const Node* node) {
    if (const Op* op = called_function(node)) {
      const Function* callee = program_->find(op);
      return callee != nullptr && callee->level != Level::Host;
    }
    const Call* call = as<Call>(node);
    return call != nullptr && collective_of(call) != nullptr;
  });
  meets_[s] = meets;
  return meets;
}

void RankTraces::branch(const IfStmt* s) {
  if (!meets_others(s)) return;
  std::optional<int64_t> known = value(s->condition);
  const bool taken = known ? *known != 0 : choose({s->condition}, true, 2) != 0;
  stmt(taken ? s->then_body : s->else_body);
}

void RankTraces::for_loop(const ForStmt* s) {
  if (!meets_others(s)) return;
  const std::optional<int64_t> start = value(s->start);
  const std::optional<int64_t> stop = value(s->stop);
  const std::optional<int64_t> step = value(s->step);
  if (!start || !stop || !step || *step == 0) return some_iterations(s->body, {s->start, s->stop, s->step});
  for (int64_t i = *start; !lost_ && (*step > 0 ? i < *stop : i > *stop);) {
    counters_[s->loop_var] = i;
    stmt(s->body);
    if (__builtin_add_overflow(i, *step, &i)) return;
  }
}

// A loop whose iterations let one device meet others more often than they meet it is made up for by something else, if
// the program is right, by a number of iterations that nobody knows here.
void RankTraces::some_iterations(const Stmt* body, std::vector<const Expr*> about) {
  const int times = choose(std::move(about), false, kMostIterations) + 1;
  for (int i = 0; i < times && !lost_; ++i) {
    std::vector<size_t> before;
    for (const std::vector<Round>& trace : traces_) before.push_back(trace.size());
    stmt(body);
    must_be_even(before);
  }
}

void RankTraces::must_be_even(const std::vector<size_t>& before) {
  std::vector<const Var*> slots;
  NodeMap<std::vector<int>> counts;
  for (size_t device = 0; device < traces_.size(); ++device) {
    for (size_t i = before[device]; i < traces_[device].size(); ++i) {
      const Var* slot = traces_[device][i].slot;
      std::vector<int>& own = counts[slot];
      if (own.empty()) {
        slots.push_back(slot);
        own.resize(traces_.size());
      }
      ++own[device];
    }
  }
  for (const Var* slot : slots) {
    const std::vector<int>& own = *counts.find(slot);
    const DeviceSet& domain = *domains_.devices_at(slot);
    const size_t first = domain.is_every() ? 0 : static_cast<size_t>(domain.devices().front());
    for (size_t device = 0; device < own.size(); ++device) {
      if (domain.has(static_cast<int64_t>(device)) && own[device] != own[first]) open_.insert(slot);
    }
  }
}

// --- Calls

void RankTraces::evaluate(const Expr* e) {
  if (const Op* op = called_function(e)) {
    const Function* callee = program_->find(op);
    if (callee != nullptr && callee->level != Level::Host && callee->role != Role::SubWorker) dispatch(e, callee);
    return;
  }
  const Call* call = as<Call>(e);
  const CollectiveInfo* info = call != nullptr ? collective_of(call) : nullptr;
  if (info != nullptr && info->signal_operand < call->args.size()) collective(call, *info);
}

void RankTraces::dispatch(const Expr* e, const Function* chip) {
  const ChipRounds& inside = rounds_in(chip);
  List<const Expr*> args = call_args(e);
  for (size_t i = 0; i < args.size(); ++i)
    if (is_window(args[i]) && (inside.all_open || inside.open.contains(i))) open(args[i]);
  if (inside.rounds.empty() || inside.all_open) return;
  std::optional<int64_t> device;
  if (const Expr* given = dispatch_device(e)) device = value(given);
  lost_ |= !device;
  for (const ChipRound& round : inside.rounds)
    if (!lost_ && round.param < args.size()) meet(*device, slot_of(args[round.param]), {e, round.info, round.call});
}

// One dispatch for each device of the domain, at this place.
void RankTraces::collective(const Call* call, const CollectiveInfo& info) {
  const Var* slot = slot_of(call->args[info.signal_operand]);
  const DeviceSet* domain = domains_.devices_at(slot);
  lost_ |= domain == nullptr;
  if (lost_) return;
  uses_world_ |= domain->is_every();
  for (int64_t device = 0; device < static_cast<int64_t>(traces_.size()); ++device)
    if (domain->has(device))
      for (int i = 0; i < rounds_of(info); ++i) meet(device, slot, {call, &info, nullptr});
}

void RankTraces::meet(int64_t device, const Var* slot, const MeetingPoint& point) {
  const DeviceSet* domain = domains_.devices_at(slot);
  lost_ |= domain == nullptr || device < 0 || device >= static_cast<int64_t>(traces_.size()) || !domain->has(device) ||
           ++steps_ > kMostSteps;
  if (!lost_) traces_[static_cast<size_t>(device)].push_back({slot, point});
}

void RankTraces::open(const Expr* window) {
  const Var* slot = slot_of(window);
  lost_ |= slot == nullptr;
  if (slot != nullptr) open_.insert(slot);
}

const ChipRounds& RankTraces::rounds_in(const Function* chip) {
  std::shared_ptr<ChipRounds>& known = chips_[chip];
  if (known == nullptr) known = std::make_shared<ChipRounds>(chip_rounds(program_, chip, roots_));
  return *known;
}

// --- What is not known

bool RankTraces::fixed(const std::vector<const Expr*>& about) const {
  return std::all_of(about.begin(), about.end(), [&](const Expr* e) { return values_.unknown_in(e) == nullptr; });
}

int RankTraces::choose(std::vector<const Expr*> about, bool is_branch, int count) {
  for (const Expr*& e : about) e = values_.resolve(e);
  const bool same_everywhere = fixed(about);
  auto same = [&](const RunChoice& choice) {
    return choice.fixed && choice.is_branch == is_branch &&
           std::equal(choice.about.begin(), choice.about.end(), about.begin(), about.end(), expr_equal);
  };
  std::vector<RunChoice>& choices = *choices_;
  if (same_everywhere) {
    const auto known = std::find_if(choices.begin(), choices.end(), same);
    if (known != choices.end()) return known->value;
  } else {
    while (fresh_ < choices.size() && choices[fresh_].fixed) ++fresh_;
    if (fresh_ < choices.size()) return choices[fresh_++].value;
    fresh_ = choices.size() + 1;
  }
  choices.push_back({std::move(about), is_branch, same_everywhere, 0, count});
  return 0;
}

// --- Values

std::optional<int64_t> RankTraces::value(const Expr* e) {
  lost_ |= ++steps_ > kMostSteps;
  if (lost_ || value_depth_ >= kMostValueDepth) return std::nullopt;
  ++value_depth_;
  const std::optional<int64_t> out = value_inside(e);
  --value_depth_;
  return out;
}

std::optional<int64_t> RankTraces::value_inside(const Expr* e) {
  if (const ConstInt* number = as<ConstInt>(e)) return number->value;
  if (const ConstBool* truth = as<ConstBool>(e)) return truth->value ? 1 : 0;
  if (const int64_t* counter = counters_.find(e)) return *counter;
  if (is_var(e->kind)) {
    const Expr* defined = values_.value_of(static_cast<const Var*>(e));
    return defined != nullptr ? value(defined) : std::nullopt;
  }
  const Call* call = as<Call>(e);
  if (call != nullptr && call->op->id == OpId::PldSystemWorldSize) {
    uses_world_ = true;
    return world_;
  }
  if (as_scalar(e->type) == nullptr) return std::nullopt;
  if (const BinaryExpr* both = as<BinaryExpr>(e)) return value_of_both(both);
  const UnaryExpr* unary = as<UnaryExpr>(e);
  std::optional<int64_t> operand = unary != nullptr ? value(unary->operand) : std::nullopt;
  if (!operand) return std::nullopt;
  if (unary->kind == NodeKind::Not) return *operand == 0 ? 1 : 0;
  return in_range(unary->kind == NodeKind::Cast ? operand : compute(unary->kind, *operand).value, e);
}

std::optional<int64_t> RankTraces::value_of_both(const BinaryExpr* e) {
  const std::optional<int64_t> left = value(e->left);
  const std::optional<int64_t> right = value(e->right);
  if (e->kind == NodeKind::And || e->kind == NodeKind::Or) {
    const bool decides = e->kind == NodeKind::Or;
    for (const std::optional<int64_t>& side : {left, right})
      if (side && (*side != 0) == decides) return decides ? 1 : 0;
    return left && right ? std::optional<int64_t>(decides ? 0 : 1) : std::nullopt;
  }
  if (!left || !right) return std::nullopt;
  if (is_comparison(e->kind)) return compare(e->kind, *left, *right) ? 1 : 0;
  return in_range(compute(e->kind, *left, *right).value, e);
}

}  // namespace pyptoc::passes
