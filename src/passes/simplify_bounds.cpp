// SPDX-License-Identifier: Apache-2.0
// Interval arithmetic with 128-bit intermediates, cut to the 64-bit range.
#include "passes/simplify_bounds.h"

#include <algorithm>
#include <limits>

#include "ir/depth_guard.h"
#include "ir/equal.h"
#include "ir/op_id.h"
#include "passes/integer_arithmetic.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();
// Conditions and bounds are short; more terms decide nothing in practice.
constexpr size_t kMaxTerms = 8;
constexpr int kMaxLinearSteps = 128;

__extension__ using Wide = __int128;

int64_t cut(Wide value) {
  return static_cast<int64_t>(std::clamp<Wide>(value, kLowest, kHighest));
}
// An end that is no bound stays none in every sum and product.
bool is_open(int64_t end) {
  return end == kLowest || end == kHighest;
}

Interval sum(Interval a, Interval b) {
  return {is_open(a.low) || is_open(b.low) ? kLowest : cut(Wide{a.low} + b.low),
          is_open(a.high) || is_open(b.high) ? kHighest : cut(Wide{a.high} + b.high)};
}
Interval negated(Interval a) {
  return {a.high == kHighest ? kLowest : cut(-Wide{a.high}), a.low == kLowest ? kHighest : cut(-Wide{a.low})};
}

Interval product(Interval a, Interval b) {
  if (a.is_single() && a.low == 0) return a;
  if (b.is_single() && b.low == 0) return b;
  if (a.is_single()) std::swap(a, b);
  if (b.is_single()) {
    Interval scaled{is_open(a.low) ? a.low : cut(Wide{a.low} * b.low),
                    is_open(a.high) ? a.high : cut(Wide{a.high} * b.low)};
    if (b.low > 0) return scaled;
    return {is_open(a.high) ? kLowest : scaled.high, is_open(a.low) ? kHighest : scaled.low};
  }
  if (is_open(a.low) || is_open(a.high) || is_open(b.low) || is_open(b.high))
    return a.low >= 0 && b.low >= 0 ? Interval{0, kHighest} : everything();
  Wide corners[] = {Wide{a.low} * b.low, Wide{a.low} * b.high, Wide{a.high} * b.low, Wide{a.high} * b.high};
  return {cut(*std::min_element(std::begin(corners), std::end(corners))),
          cut(*std::max_element(std::begin(corners), std::end(corners)))};
}

int64_t floor_div(int64_t a, int64_t b) {
  return *compute(NodeKind::FloorDiv, a, b).value;  // b > 0
}

Interval quotient(Interval a, Interval b) {
  if (b.low <= 0) return everything();
  int64_t low = kLowest;
  if (!is_open(a.low)) low = floor_div(a.low, a.low >= 0 ? b.high : b.low);
  int64_t high = kHighest;
  if (!is_open(a.high)) high = floor_div(a.high, a.high >= 0 ? b.low : b.high);
  if (a.low >= 0) low = std::max<int64_t>(low, 0);
  return {low, high};
}

Interval remainder(Interval a, Interval b) {
  if (b.low <= 0) return everything();
  if (a.low >= 0 && a.high < b.low) return a;
  if (b.is_single() && !is_open(a.low) && !is_open(a.high) && floor_div(a.low, b.low) == floor_div(a.high, b.low))
    return {a.low - floor_div(a.low, b.low) * b.low, a.high - floor_div(a.high, b.low) * b.low};
  return {0, b.high == kHighest ? kHighest : b.high - 1};
}

bool is_never_negative(const Call* call) {
  switch (call->op->id) {
    case OpId::TensorDim:
    case OpId::TensorGetBlockIdx:
    case OpId::TensorGetBlockNum:
    case OpId::TensorGetSubblockIdx:
    case OpId::TileGetBlockIdx:
    case OpId::TileGetBlockNum:
    case OpId::TileGetSubblockIdx:
    case OpId::PldSystemWorldSize:
    case OpId::SystemAvailableAivCount:
    case OpId::SystemAvailableClusterCount:
      return true;
    default:
      return false;
  }
}

Interval of_type(const Expr* e) {
  const ScalarType* type = as_scalar(e->type);
  if (type == nullptr) return everything();
  std::optional<IntegerRange> range = range_of(type->dtype);
  return range ? Interval{range->low, range->high} : everything();
}

// Arithmetic of unsigned integers and of those of up to 32 bits wraps, on chip and host alike; INT64 and INDEX must not
// overflow.
bool may_wrap(const Expr* e, Interval exact) {
  const ScalarType* type = as_scalar(e->type);
  if (type == nullptr || !is_integer(type->dtype)) return false;
  if (!is_unsigned_int(type->dtype) && bits_of(type->dtype) > 32) return false;
  const Interval range = type->dtype == DType::UInt64 ? Interval{0, kHighest - 1} : of_type(e);
  return exact.low < range.low || exact.high > range.high;
}

NodeKind opposite(NodeKind comparison) {
  switch (comparison) {
    case NodeKind::Eq:
      return NodeKind::Ne;
    case NodeKind::Ne:
      return NodeKind::Eq;
    case NodeKind::Lt:
      return NodeKind::Ge;
    case NodeKind::Le:
      return NodeKind::Gt;
    case NodeKind::Gt:
      return NodeKind::Le;
    default:
      return NodeKind::Lt;
  }
}

}  // namespace

Interval everything() {
  return {kLowest, kHighest};
}
Interval single(int64_t value) {
  return {value, value};
}
Interval intersect(Interval a, Interval b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

Interval Bounds::of(const Expr* e) {
  if (const ConstInt* value = as<ConstInt>(e)) return single(value->value);
  if (is_var(e->kind)) {
    const Interval* known = vars_.find(source(e));
    return known != nullptr ? *known : of_type(e);
  }
  if (const Memo* known = memo_.find(e); known != nullptr && known->epoch == epoch_) return known->interval;
  DepthGuard guard(depth_);
  Interval type = of_type(e);
  Interval exact = compute_of(e);
  Interval result = may_wrap(e, exact) ? type : intersect(exact, type);
  if (result.low > result.high) result = type;  // faulty code that is never reached
  memo_[e] = {epoch_, result};
  return result;
}

Interval Bounds::compute_of(const Expr* e) {
  if (const BinaryExpr* binary = as<BinaryExpr>(e)) return of_binary(binary);
  if (e->kind == NodeKind::Neg) return negated(of(as<UnaryExpr>(e)->operand));
  if (e->kind == NodeKind::Cast) {
    const Expr* operand = as<UnaryExpr>(e)->operand;
    Interval from = of(operand);
    Interval to = of_type(e);
    // A value that does not fit wraps around.
    return as_scalar(operand->type) != nullptr && is_integer(as_scalar(operand->type)->dtype) && from.low >= to.low &&
                   from.high <= to.high
               ? from
               : to;
  }
  if (const Call* call = as<Call>(e); call != nullptr && !call->op->is_global_var && is_never_negative(call))
    return {0, kHighest};
  return everything();
}

Interval Bounds::of_binary(const BinaryExpr* e) {
  const ScalarType* type = as_scalar(e->type);
  if (type == nullptr || !is_integer(type->dtype)) return everything();
  Interval a = of(e->left);
  Interval b = of(e->right);
  switch (e->kind) {
    case NodeKind::Add:
      return sum(a, b);
    case NodeKind::Sub:
      return sum(a, negated(b));
    case NodeKind::Mul:
      return product(a, b);
    case NodeKind::FloorDiv:
      return quotient(a, b);
    case NodeKind::FloorMod:
      return remainder(a, b);
    case NodeKind::Min:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case NodeKind::Max:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    default:
      return everything();
  }
}

void Bounds::add_term(Linear& out, const Expr* atom, int64_t factor) {
  atom = source(atom);
  for (size_t i = 0; i < out.terms.size(); ++i) {
    if (!expr_equal(out.terms[i].atom, atom)) continue;
    out.valid &= !__builtin_add_overflow(out.terms[i].factor, factor, &out.terms[i].factor);
    if (out.terms[i].factor == 0) out.terms.erase(out.terms.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
  if (out.terms.size() == kMaxTerms)
    out.valid = false;
  else
    out.terms.push_back({atom, factor});
}

void Bounds::add(Linear& out, const Expr* e, int64_t factor) {
  out.valid &= ++out.steps <= kMaxLinearSteps;
  if (!out.valid || factor == 0) return;
  int64_t scaled = 0;
  if (const ConstInt* value = as<ConstInt>(e)) {
    out.valid &= !__builtin_mul_overflow(value->value, factor, &scaled) &&
                 !__builtin_add_overflow(out.constant, scaled, &out.constant);
    return;
  }
  const BinaryExpr* binary = as<BinaryExpr>(e);
  if (binary != nullptr && may_wrap(e, of_binary(binary))) binary = nullptr;
  if (binary != nullptr && (e->kind == NodeKind::Add || e->kind == NodeKind::Sub)) {
    if (factor == kLowest) {
      out.valid = false;
      return;
    }
    add(out, binary->left, factor);
    add(out, binary->right, e->kind == NodeKind::Add ? factor : -factor);
    return;
  }
  if (binary != nullptr && e->kind == NodeKind::Mul) {
    const Expr* rest = is<ConstInt>(binary->right) ? binary->left : binary->right;
    std::optional<int64_t> by = const_int(is<ConstInt>(binary->right) ? binary->right : binary->left);
    if (by) {
      out.valid &= !__builtin_mul_overflow(factor, *by, &scaled);
      add(out, rest, scaled);
      return;
    }
  }
  add_term(out, e, factor);
}

Bounds::Linear Bounds::difference(const Expr* left, const Expr* right) {
  Linear out;
  add(out, left, 1);
  add(out, right, -1);
  return out;
}

Interval Bounds::of_difference(const Expr* left, const Expr* right) {
  Linear linear = difference(left, right);
  Interval apart = sum(of(left), negated(of(right)));
  if (!linear.valid) return apart;
  Interval total = single(linear.constant);
  for (const Term& term : linear.terms) total = sum(total, product(of(term.atom), single(term.factor)));
  return intersect(total, apart);
}

void Bounds::restrict_to(const Var* var, Interval interval) {
  var = source(var);
  Interval before = of(var);
  Interval now = intersect(before, interval);
  // Contradictions come from code that is never reached.
  if (now.low > now.high || (now.low == before.low && now.high == before.high)) return;
  log_.push_back({var, before});
  vars_[var] = now;
  ++epoch_;
}

void Bounds::forget_since(size_t mark) {
  if (log_.size() > mark) ++epoch_;
  for (; log_.size() > mark; log_.pop_back()) vars_[log_.back().first] = log_.back().second;
}

void Bounds::assume(const Expr* condition, bool truth) {
  DepthGuard guard(depth_);
  if (condition->kind == NodeKind::Not) return assume(as<UnaryExpr>(condition)->operand, !truth);
  const BinaryExpr* binary = as<BinaryExpr>(condition);
  if (binary == nullptr) return;
  if (condition->kind == (truth ? NodeKind::And : NodeKind::Or)) {
    assume(binary->left, truth);
    assume(binary->right, truth);
  } else if (is_comparison(condition->kind)) {
    assume_comparison(truth ? condition->kind : opposite(condition->kind), binary->left, binary->right);
  }
}

// Each variable of `left - right` lies on its side of what the other terms leave.
void Bounds::assume_comparison(NodeKind kind, const Expr* left, const Expr* right) {
  const ScalarType* type = as_scalar(left->type);
  if (kind == NodeKind::Ne || type == nullptr || !is_integer(type->dtype)) return;
  Linear linear = difference(left, right);
  if (!linear.valid) return;
  for (const Term& term : linear.terms) {
    const Var* var = as<Var>(term.atom);
    if (var == nullptr || (term.factor != 1 && term.factor != -1)) continue;
    Interval rest = single(linear.constant);
    for (const Term& other : linear.terms)
      if (other.atom != term.atom) rest = sum(rest, product(of(other.atom), single(other.factor)));
    // factor * var + rest (kind) 0, hence factor * var (kind) -rest.
    Interval target = negated(rest);
    Interval scaled = everything();
    if (kind == NodeKind::Eq) scaled = target;
    if (kind == NodeKind::Lt) scaled.high = is_open(target.high) ? kHighest : cut(Wide{target.high} - 1);
    if (kind == NodeKind::Le) scaled.high = target.high;
    if (kind == NodeKind::Gt) scaled.low = is_open(target.low) ? kLowest : cut(Wide{target.low} + 1);
    if (kind == NodeKind::Ge) scaled.low = target.low;
    restrict_to(var, term.factor == 1 ? scaled : negated(scaled));
  }
}

}  // namespace pyptoc::passes
