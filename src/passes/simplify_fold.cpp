// SPDX-License-Identifier: Apache-2.0
// Constants, identities, and decisions that known bounds permit.
#include "passes/simplify_fold.h"

#include <limits>

#include "diag/codes_front.h"
#include "ir/describe.h"
#include "ir/equal.h"
#include "ir/reflect.h"
#include "passes/integer_arithmetic.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

constexpr int kMaxPureNodes = 256;  // larger expressions count as impure

bool is_pure(const Expr* e, int& nodes) {
  if (++nodes > kMaxPureNodes || e->kind == NodeKind::Submit) return false;
  if (is_var(e->kind) || is_const(e->kind)) return true;
  if (const Call* call = as<Call>(e))
    if (call->op->is_global_var || (call->op->id != OpId::TensorDim && call->op->id != OpId::PldSystemWorldSize))
      return false;
  bool pure = true;
  for_each_child(e, [&](const Node* child) {
    pure = pure && is_expr(child->kind) && is_pure(static_cast<const Expr*>(child), nodes);
  });
  return pure;
}

bool is_integer_expr(const Expr* e) {
  const ScalarType* type = as_scalar(e->type);
  return type != nullptr && is_integer(type->dtype);
}

std::optional<bool> const_bool(const Expr* e) {
  const ConstBool* value = as<ConstBool>(e);
  return value != nullptr ? std::optional<bool>(value->value) : std::nullopt;
}

bool same_pure(const Expr* a, const Expr* b) {
  return expr_equal(a, b) && passes::is_pure(a);
}

}  // namespace

bool is_pure(const Expr* e) {
  int nodes = 0;
  return is_pure(e, nodes);
}

const Expr* Folder::constant(int64_t value, const Expr* like) {
  const ScalarType* type = as_scalar(like->type);
  return context_.ir.const_int(value, type->dtype, like->span);
}

// The constant, unless it does not fit the type of `e`.
const Expr* Folder::checked(const Expr* e, std::optional<int64_t> value, bool overflow) {
  DType dtype = as_scalar(e->type)->dtype;
  std::optional<IntegerRange> range = range_of(dtype);
  if (!range) return value && !overflow && *value >= 0 ? constant(*value, e) : e;
  if (overflow || (value && (*value < range->low || *value > range->high))) {
    context_.diags.report(diag::codes::integer_overflow, place_of(e), describe(e), name_of(dtype));
    return e;
  }
  return value ? constant(*value, e) : e;
}

const Expr* Folder::fold(const UnaryExpr* e) {
  if (e->kind == NodeKind::Not) {
    if (std::optional<bool> value = const_bool(e->operand)) return context_.ir.const_bool(!*value, e->span);
    const UnaryExpr* inner = as<UnaryExpr>(e->operand);
    return inner != nullptr && inner->kind == NodeKind::Not ? inner->operand : e;
  }
  std::optional<int64_t> operand = const_int(e->operand);
  // A cast of a constant stays: it says the type that the value has at run time.
  if (!operand || e->kind == NodeKind::Cast || !is_integer_expr(e)) return e;
  IntegerResult result = compute(e->kind, *operand);
  const std::optional<IntegerRange> range = range_of(as_scalar(e->type)->dtype);
  // The bits that an unsigned type has; none of them is lost.
  if (e->kind == NodeKind::BitNot && result.value && range && range->low == 0) *result.value &= range->high;
  return checked(e, result.value, result.fault == ArithmeticFault::Overflow);
}

const Expr* Folder::fold(const BinaryExpr* e) {
  const Expr* folded = fold_any(e);
  const ScalarType* before = as_scalar(e->type);
  const ScalarType* after = as_scalar(folded->type);
  // An operand of another type would change what the value is at run time.
  return before != nullptr && after != nullptr && before->dtype == after->dtype ? folded : e;
}

const Expr* Folder::fold_any(const BinaryExpr* e) {
  if (e->kind == NodeKind::And || e->kind == NodeKind::Or || e->kind == NodeKind::Xor) return fold_logic(e);
  if (is_comparison(e->kind)) return fold_comparison(e);
  if (!is_integer_expr(e)) return e;
  std::optional<int64_t> left = const_int(e->left);
  std::optional<int64_t> right = const_int(e->right);
  if (left && right) return fold_constants(e, *left, *right);
  return fold_arithmetic(e);
}

const Expr* Folder::fold_constants(const BinaryExpr* e, int64_t left, int64_t right) {
  IntegerResult result = compute(e->kind, left, right);
  if (result.fault == ArithmeticFault::DivisionByZero) {
    context_.diags.report(diag::codes::division_by_zero, place_of(e), describe(e));
    return e;
  }
  if (result.fault == ArithmeticFault::ShiftRange) {
    context_.diags.report(diag::codes::shift_out_of_range, place_of(e), describe(e));
    return e;
  }
  return checked(e, result.value, result.fault == ArithmeticFault::Overflow);
}

const Expr* Folder::fold_comparison(const BinaryExpr* e) {
  auto decided = [&](bool value) -> const Expr* { return context_.ir.const_bool(value, e->span); };
  std::optional<bool> left = const_bool(e->left);
  std::optional<bool> right = const_bool(e->right);
  if (left && right) return decided(compare(e->kind, *left ? 1 : 0, *right ? 1 : 0));
  if (!is_integer_expr(e->left) || !is_integer_expr(e->right) || !is_pure(e)) return e;
  Interval difference = bounds_.of_difference(e->left, e->right);
  bool at_lowest = compare(e->kind, difference.low, 0);
  bool at_highest = compare(e->kind, difference.high, 0);
  if (e->kind == NodeKind::Eq || e->kind == NodeKind::Ne) {
    bool apart = difference.low > 0 || difference.high < 0;
    if (apart) return decided(e->kind == NodeKind::Ne);
    return difference.is_single() ? decided(e->kind == NodeKind::Eq) : e;
  }
  return at_lowest == at_highest ? decided(at_lowest) : e;
}

const Expr* Folder::fold_logic(const BinaryExpr* e) {
  std::optional<bool> left = const_bool(e->left);
  std::optional<bool> right = const_bool(e->right);
  if (!left && !right) return e;
  const Expr* other = left ? e->right : e->left;
  bool value = left ? *left : *right;
  if (left && right) {
    bool both =
        e->kind == NodeKind::And ? *left && *right : (e->kind == NodeKind::Or ? *left || *right : *left != *right);
    return context_.ir.const_bool(both, e->span);
  }
  if (!is_scalar_of(other->type, DType::Bool)) return e;
  if (e->kind == NodeKind::Xor) return value ? e : other;
  bool decides = value == (e->kind == NodeKind::Or);
  if (!decides) return other;
  if (!is_pure(other)) return e;
  return context_.ir.const_bool(value, e->span);
}

const Expr* Folder::fold_arithmetic(const BinaryExpr* e) {
  std::optional<int64_t> left = const_int(e->left);
  std::optional<int64_t> right = const_int(e->right);
  switch (e->kind) {
    case NodeKind::Add:
    case NodeKind::Sub:
      if (right == 0) return e->left;
      if (left == 0 && e->kind == NodeKind::Add) return e->right;
      if (e->kind == NodeKind::Sub && same_pure(e->left, e->right)) return constant(0, e);
      return fold_sum(e);
    case NodeKind::Mul:
      if (right == 1) return e->left;
      if (left == 1) return e->right;
      if ((right == 0 && is_pure(e->left)) || (left == 0 && is_pure(e->right))) return constant(0, e);
      return e;
    case NodeKind::FloorDiv:
    case NodeKind::FloorMod:
      if (right == 0) {
        context_.diags.report(diag::codes::division_by_zero, place_of(e), describe(e));
        return e;
      }
      if (right == 1 && e->kind == NodeKind::FloorDiv) return e->left;
      return fold_known(e);
    case NodeKind::Min:
    case NodeKind::Max:
      if (same_pure(e->left, e->right)) return e->left;
      return fold_known(e);
    default:
      return e;
  }
}

// (x + a) + b, with any mixture of signs, as x + (a + b).
const Expr* Folder::fold_sum(const BinaryExpr* e) {
  const BinaryExpr* inner = as<BinaryExpr>(e->left);
  std::optional<int64_t> outer_value = const_int(e->right);
  bool is_sum = inner != nullptr && (inner->kind == NodeKind::Add || inner->kind == NodeKind::Sub);
  std::optional<int64_t> inner_value = is_sum ? const_int(inner->right) : std::nullopt;
  if (!outer_value || !inner_value) return e;
  IntegerResult first = compute(inner->kind, 0, *inner_value);
  if (!first.value) return e;
  IntegerResult total = compute(e->kind, *first.value, *outer_value);
  if (!total.value || *total.value == std::numeric_limits<int64_t>::min()) return e;
  if (*total.value == 0) return inner->left;
  BinaryExpr draft = *e;
  draft.kind = *total.value > 0 ? NodeKind::Add : NodeKind::Sub;
  draft.left = inner->left;
  draft.right = constant(*total.value > 0 ? *total.value : -*total.value, e->right);
  return context_.ir.make(draft);
}

// Division, modulo, minimum and maximum whose result the bounds of the operands decide.
const Expr* Folder::fold_known(const BinaryExpr* e) {
  if (!is_pure(e)) return e;
  Interval result = bounds_.of(e);
  if (result.is_single()) return checked(e, result.low, false);
  if (e->kind == NodeKind::FloorMod) {
    Interval value = bounds_.of(e->left);
    return value.low >= 0 && value.high < bounds_.of(e->right).low ? e->left : e;
  }
  if (e->kind == NodeKind::FloorDiv) return e;
  Interval difference = bounds_.of_difference(e->left, e->right);
  bool left_is_less = difference.high <= 0;
  bool right_is_less = difference.low >= 0;
  if (left_is_less) return e->kind == NodeKind::Min ? e->left : e->right;
  if (right_is_less) return e->kind == NodeKind::Min ? e->right : e->left;
  return e;
}

}  // namespace pyptoc::passes
