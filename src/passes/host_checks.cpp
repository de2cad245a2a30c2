// SPDX-License-Identifier: Apache-2.0
#include "passes/host_checks.h"

#include <algorithm>

#include "ir/contains.h"
#include "ir/equal.h"
#include "ir/rewriter.h"
#include "passes/plain_value.h"
#include "passes/run_time_check.h"
#include "passes/simplify_fold.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// A program with many checks of one text and different conditions may keep some twice.
constexpr size_t kComparedConditions = 16;

// Variables become what they are known to be.
class Plain : public Rewriter {
 public:
  Plain(Context& context, const StartValues& start) : Rewriter(context), start_(start) {}

 protected:
  using Rewriter::rewrite;
  const Expr* rewrite(const Expr* e) override {
    if (!is_var(e->kind) && e->kind != NodeKind::Cast) return rebuild(e);
    const Expr* known = start_.resolve(e);
    return is_plain_value(known) || is<ConstInt>(known) ? known : rebuild(e);
  }

 private:
  const StartValues& start_;
};

// In terms of what is known at the beginning and of some loop variables: other variables become their definitions.
class Expansion : public Rewriter {
 public:
  Expansion(Context& context, const StartValues& start, const NodeSet& loops)
      : Rewriter(context), start_(start), loops_(loops) {}
  const Var* unknown() const { return unknown_; }

 protected:
  using Rewriter::rewrite;
  const Expr* rewrite(const Expr* e) override {
    if (is<Call>(e) && !is_plain_value(e)) {  // an extent of a parameter, or not known
      if (unknown_ == nullptr) unknown_ = start_.unknown_in(e);
      return e;
    }
    const Var* var = as<Var>(e);
    if (var == nullptr) return rebuild(e);
    if (start_.unknown_in(var) == nullptr || loops_.contains(var)) return var;
    const Expr* value = start_.value_of(var);
    if (value == nullptr || !is_pure(value) || ++steps_ > kMaxSteps) {
      if (unknown_ == nullptr) unknown_ = var;
      return var;
    }
    return expr(value);
  }

 private:
  static constexpr int kMaxSteps = 64;
  const StartValues& start_;
  const NodeSet& loops_;
  const Var* unknown_ = nullptr;
  int steps_ = 0;
};

const Expr* negated(Context& context, const Expr* condition) {
  return context.unary(NodeKind::Not, condition, context.scalar_type(DType::Bool), condition->span);
}

}  // namespace

HostChecks::HostChecks(const Function* function, Context& context) : context_(context), start_(function) {
  world_size_ = context.call(context.op("pld.system.world_size", false), {}, context.scalar_type(DType::Int64));
}

const Expr* HostChecks::world_size() {
  return world_size_;
}

const Expr* HostChecks::number(int64_t value) {
  return context_.const_int(value, DType::Int64);
}

const Expr* HostChecks::plain(const Expr* e) {
  return Plain(context_, start_).expr(e);
}

const Expr* HostChecks::condition(NodeKind kind, const Expr* left, const Expr* right) {
  return context_.binary(kind, plain(left), plain(right));
}

Truth HostChecks::known(const Expr* condition) {
  const BinaryExpr* compare = as<BinaryExpr>(condition);
  if (compare == nullptr || !is_comparison(compare->kind)) return Truth::Unknown;
  Interval distance = bounds_.of_difference(compare->left, compare->right);
  auto truth = [](bool yes, bool no) { return yes ? Truth::Yes : no ? Truth::No : Truth::Unknown; };
  switch (compare->kind) {
    case NodeKind::Ge:
      return truth(distance.low >= 0, distance.high < 0);
    case NodeKind::Gt:
      return truth(distance.low > 0, distance.high <= 0);
    case NodeKind::Le:
      return truth(distance.high <= 0, distance.low > 0);
    case NodeKind::Lt:
      return truth(distance.high < 0, distance.low >= 0);
    case NodeKind::Eq:
      return truth(distance.low == 0 && distance.high == 0, distance.low > 0 || distance.high < 0);
    default:
      return Truth::Unknown;
  }
}

const Expr* HostChecks::unless(const Expr* guard, const Expr* condition) {
  return context_.binary(NodeKind::Or, negated(context_, guard), condition, condition->span);
}

const Expr* HostChecks::either(const Expr* one, const Expr* other) {
  return context_.binary(NodeKind::Or, one, other, one->span);
}

const Expr* HostChecks::inverse(const Expr* condition) {
  return negated(context_, condition);
}

const Expr* HostChecks::twice_less_one(const Expr* count) {
  return context_.binary(NodeKind::Sub, context_.binary(NodeKind::Mul, number(2), count), number(1));
}

const Expr* HostChecks::expanded(const Expr* e, const NodeSet& loops, const Var*& unknown) {
  Expansion expansion(context_, start_, loops);
  const Expr* out = expansion.expr(e);
  if (expansion.unknown() == nullptr) return out;
  unknown = expansion.unknown();
  return nullptr;
}

const Var* HostChecks::require(const Expr* condition, const std::string& text, const Span* span,
                               const std::vector<Around>& around, const std::vector<const Expr*>& values) {
  if (known(condition) == Truth::Yes) return nullptr;
  NodeSet loops;
  for (const Around& one : around)
    if (const ForStmt* loop = as<ForStmt>(one.stmt)) loops.insert(loop->loop_var);
  const Var* unknown = nullptr;
  const Expr* due = expanded(condition, loops, unknown);
  if (due == nullptr) return unknown;
  std::vector<const Expr*> args = {due};
  for (const Expr* value : values) {
    args.push_back(expanded(plain(value), loops, unknown));
    if (args.back() == nullptr) return unknown;
  }
  const Around innermost = around.empty() ? Around() : around.back();
  std::vector<Known>& same_text = by_text_[text];
  size_t compared = std::min(same_text.size(), kComparedConditions);
  for (size_t i = 0; i < compared; ++i)
    if (same_text[i].innermost == innermost && expr_equal(same_text[i].condition, due)) return nullptr;
  same_text.push_back({due, innermost});
  for (const Expr* arg : args) start_.need(arg);
  const Stmt* placed = inside(run_time_check(context_, OpId::SystemRequire, args, text, span), around, loops, unknown);
  if (placed == nullptr) return unknown;
  if (const SeqStmts* nothing = as<SeqStmts>(placed); nothing == nullptr || !nothing->stmts.empty())
    checks_.push_back(placed);
  return nullptr;
}

// Null when a loop that has to be repeated has bounds that are not known.
const Stmt* HostChecks::inside(const Stmt* check, const std::vector<Around>& around, const NodeSet& loops,
                               const Var*& unknown) {
  for (size_t i = around.size(); i-- > 0 && check != nullptr;) {
    if (const IfStmt* branch = as<IfStmt>(around[i].stmt)) {
      const Var* later = nullptr;  // then the check holds whether or not the branch runs
      const Expr* condition = expanded(branch->condition, loops, later);
      if (condition == nullptr) continue;
      if (around[i].in_else) condition = negated(context_, condition);
      check = guarded(condition, check);
    } else if (const ForStmt* loop = as<ForStmt>(around[i].stmt)) {
      check = repeated(loop, check, loops, unknown);
    }
  }
  return check;
}

const Stmt* HostChecks::guarded(const Expr* condition, const Stmt* check) {
  Truth truth = known(condition);
  if (truth == Truth::Yes) return check;
  if (truth == Truth::No) return context_.seq({}, check->span);
  start_.need(condition);
  IfStmt draft;
  draft.kind = NodeKind::IfStmt;
  draft.span = check->span;
  draft.condition = condition;
  draft.then_body = check;
  return context_.make(draft);
}

// In a loop like `loop` where the check uses its variable; else under the condition that the loop runs.
const Stmt* HostChecks::repeated(const ForStmt* loop, const Stmt* check, const NodeSet& loops, const Var*& unknown) {
  const Expr* start = expanded(loop->start, loops, unknown);
  const Expr* stop = expanded(loop->stop, loops, unknown);
  const Expr* step = expanded(loop->step, loops, unknown);
  bool bounded = start != nullptr && stop != nullptr && step != nullptr;
  if (!mentions(check, loop->loop_var)) {
    std::optional<int64_t> by = bounded ? const_int(step) : std::nullopt;
    if (!by || *by == 0) return check;
    return guarded(condition(*by > 0 ? NodeKind::Lt : NodeKind::Gt, start, stop), check);
  }
  if (!bounded) return nullptr;
  for (const Expr* bound : {start, stop, step}) start_.need(bound);
  Rewriter renamer(context_);
  ForStmt draft;
  draft.kind = NodeKind::ForStmt;
  draft.span = check->span;
  draft.loop_var = context_.var(loop->loop_var->name_hint, loop->loop_var->type, loop->loop_var->span);
  renamer.substitute(loop->loop_var, draft.loop_var);
  draft.start = start;
  draft.stop = stop;
  draft.step = step;
  draft.body = renamer.stmt(check);
  return context_.make(draft);
}

const Function* HostChecks::insert_into(const Function* function) const {
  return start_.with_beginning(function, context_, checks_);
}

}  // namespace pyptoc::passes
