// SPDX-License-Identifier: Apache-2.0
// Checked integer operations.
#include "passes/integer_arithmetic.h"

#include <algorithm>
#include <limits>

namespace pyptoc::passes {

using namespace ir;

namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
// Deeper expressions of constants do not occur in bounds.
constexpr int kMaxConstantDepth = 64;

IntegerResult exact(bool overflow, int64_t value) {
  if (overflow) return {std::nullopt, ArithmeticFault::Overflow};
  return {value, ArithmeticFault::None};
}

IntegerResult floor_div(int64_t a, int64_t b) {
  if (b == 0) return {std::nullopt, ArithmeticFault::DivisionByZero};
  if (a == kLowest && b == -1) return {std::nullopt, ArithmeticFault::Overflow};
  int64_t quotient = a / b;
  if (a % b != 0 && (a < 0) != (b < 0)) --quotient;
  return {quotient, ArithmeticFault::None};
}

IntegerResult floor_mod(int64_t a, int64_t b) {
  if (b == 0) return {std::nullopt, ArithmeticFault::DivisionByZero};
  if (b == -1) return {0, ArithmeticFault::None};
  int64_t rest = a % b;
  if (rest != 0 && (rest < 0) != (b < 0)) rest += b;
  return {rest, ArithmeticFault::None};
}

IntegerResult power(int64_t base, int64_t exponent) {
  if (exponent < 0) return {};
  int64_t result = 1;
  while (true) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result))
      return {std::nullopt, ArithmeticFault::Overflow};
    exponent >>= 1;
    if (exponent == 0) return {result, ArithmeticFault::None};
    if (__builtin_mul_overflow(base, base, &base)) return {std::nullopt, ArithmeticFault::Overflow};
  }
}

IntegerResult shift(NodeKind kind, int64_t value, int64_t count) {
  if (count < 0 || count > 63) return {std::nullopt, ArithmeticFault::ShiftRange};
  if (kind == NodeKind::BitShiftRight) return {value >> count, ArithmeticFault::None};
  int64_t result = static_cast<int64_t>(static_cast<uint64_t>(value) << count);
  return exact((result >> count) != value, result);
}

}  // namespace

IntegerResult compute(NodeKind binary, int64_t a, int64_t b) {
  int64_t result = 0;
  bool overflow = false;
  switch (binary) {
    case NodeKind::Add:
      overflow = __builtin_add_overflow(a, b, &result);
      return exact(overflow, result);
    case NodeKind::Sub:
      overflow = __builtin_sub_overflow(a, b, &result);
      return exact(overflow, result);
    case NodeKind::Mul:
      overflow = __builtin_mul_overflow(a, b, &result);
      return exact(overflow, result);
    case NodeKind::FloorDiv:
      return floor_div(a, b);
    case NodeKind::FloorMod:
      return floor_mod(a, b);
    case NodeKind::Pow:
      return power(a, b);
    case NodeKind::Min:
      return {std::min(a, b), ArithmeticFault::None};
    case NodeKind::Max:
      return {std::max(a, b), ArithmeticFault::None};
    case NodeKind::BitAnd:
      return {a & b, ArithmeticFault::None};
    case NodeKind::BitOr:
      return {a | b, ArithmeticFault::None};
    case NodeKind::BitXor:
      return {a ^ b, ArithmeticFault::None};
    case NodeKind::BitShiftLeft:
    case NodeKind::BitShiftRight:
      return shift(binary, a, b);
    default:
      return {};
  }
}

IntegerResult compute(NodeKind unary, int64_t a) {
  switch (unary) {
    case NodeKind::Neg:
      return exact(a == kLowest, a == kLowest ? 0 : -a);
    case NodeKind::Abs:
      return exact(a == kLowest, a == kLowest ? 0 : (a < 0 ? -a : a));
    case NodeKind::BitNot:
      return {~a, ArithmeticFault::None};
    default:
      return {};
  }
}

bool compare(NodeKind comparison, int64_t a, int64_t b) {
  switch (comparison) {
    case NodeKind::Eq:
      return a == b;
    case NodeKind::Ne:
      return a != b;
    case NodeKind::Lt:
      return a < b;
    case NodeKind::Le:
      return a <= b;
    case NodeKind::Gt:
      return a > b;
    default:
      return a >= b;
  }
}

std::optional<IntegerRange> range_of(DType dtype) {
  if (!is_integer(dtype)) return std::nullopt;
  int bits = bits_of(dtype);
  if (is_signed_int(dtype)) {
    if (bits >= 64) return IntegerRange{kLowest, std::numeric_limits<int64_t>::max()};
    int64_t half = int64_t{1} << (bits - 1);
    return IntegerRange{-half, half - 1};
  }
  if (bits >= 64) return std::nullopt;
  return IntegerRange{0, (int64_t{1} << bits) - 1};
}

namespace {

std::optional<int64_t> constant_value(const Expr* e, int depth) {
  if (const ConstInt* value = as<ConstInt>(e)) return value->value;
  const ScalarType* type = as_scalar(e->type);
  if (depth == 0 || type == nullptr || !is_integer(type->dtype)) return std::nullopt;
  std::optional<int64_t> result;
  if (const BinaryExpr* binary = as<BinaryExpr>(e)) {
    std::optional<int64_t> left = constant_value(binary->left, depth - 1);
    std::optional<int64_t> right = left ? constant_value(binary->right, depth - 1) : std::nullopt;
    if (right) result = compute(e->kind, *left, *right).value;
  } else if (const UnaryExpr* unary = as<UnaryExpr>(e)) {
    std::optional<int64_t> operand = constant_value(unary->operand, depth - 1);
    if (operand) result = e->kind == NodeKind::Cast ? operand : compute(e->kind, *operand).value;
  }
  std::optional<IntegerRange> range = range_of(type->dtype);
  if (result && range && (*result < range->low || *result > range->high)) return std::nullopt;
  return result;
}

}  // namespace

std::optional<int64_t> constant_value(const Expr* e) {
  return constant_value(e, kMaxConstantDepth);
}

std::optional<int64_t> trip_count(const Expr* start, const Expr* stop, const Expr* step) {
  std::optional<int64_t> first = constant_value(start);
  std::optional<int64_t> end = constant_value(stop);
  std::optional<int64_t> by = constant_value(step);
  if (!first || !end || !by || *by == 0) return std::nullopt;
  if (*by > 0 ? *first >= *end : *first <= *end) return 0;
  // The distance can exceed the signed range, the count then still fits when it is divided by the step.
  uint64_t distance = *by > 0 ? static_cast<uint64_t>(*end) - static_cast<uint64_t>(*first)
                              : static_cast<uint64_t>(*first) - static_cast<uint64_t>(*end);
  uint64_t stride = *by > 0 ? static_cast<uint64_t>(*by) : uint64_t{0} - static_cast<uint64_t>(*by);
  uint64_t count = (distance - 1) / stride + 1;
  return static_cast<int64_t>(std::min<uint64_t>(count, std::numeric_limits<int64_t>::max()));
}

}  // namespace pyptoc::passes
