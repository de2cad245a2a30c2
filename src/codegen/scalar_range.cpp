// SPDX-License-Identifier: Apache-2.0
#include "codegen/scalar_range.h"

#include <algorithm>
#include <optional>

#include "codegen/scalar_cpp.h"
#include "passes/integer_arithmetic.h"

namespace pyptoc::codegen {

using namespace ir;

namespace {

constexpr int kMostLevels = 8;  // of operands that are looked at

// Results of 64-bit operands fit.
__extension__ using Wide = __int128;
struct Range {
  Wide low;
  Wide high;
  bool lies_in(const Range& other) const { return low >= other.low && high <= other.high; }
};

Range of_type(DType dtype) {
  if (dtype == DType::Bool) return {0, 1};
  if (const std::optional<passes::IntegerRange> range = passes::range_of(dtype)) return {range->low, range->high};
  return {0, (Wide{1} << 64) - 1};
}

Range of(const Expr* e, int levels);

Range product(Range a, Range b) {
  const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {low, high};
}

// Before it is brought into the type; nothing where it is not known.
std::optional<Range> exact(const Expr* e, int levels) {
  if (const UnaryExpr* unary = ir::as<UnaryExpr>(e)) {
    const Range a = of(unary->operand, levels - 1);
    if (e->kind == NodeKind::Neg) return Range{-a.high, -a.low};
    if (e->kind == NodeKind::Abs) return Range{0, std::max(-a.low, a.high)};
    if (e->kind == NodeKind::Cast && !is_float(dtype_of(unary->operand))) return a;
    return std::nullopt;
  }
  const BinaryExpr* binary = ir::as<BinaryExpr>(e);
  if (binary == nullptr) return std::nullopt;
  const Range a = of(binary->left, levels - 1);
  const Range b = of(binary->right, levels - 1);
  switch (e->kind) {
    case NodeKind::Add:
      return Range{a.low + b.low, a.high + b.high};
    case NodeKind::Sub:
      return Range{a.low - b.high, a.high - b.low};
    case NodeKind::Mul:
      return product(a, b);
    case NodeKind::Min:
      return Range{std::min(a.low, b.low), std::min(a.high, b.high)};
    case NodeKind::Max:
      return Range{std::max(a.low, b.low), std::max(a.high, b.high)};
    case NodeKind::FloorDiv:  // only by -1 it grows
      if (b.low > -1 || b.high < -1) return Range{std::min<Wide>(a.low, 0), std::max<Wide>(a.high, 0)};
      return Range{std::min(a.low, -a.high), std::max(a.high, -a.low)};
    case NodeKind::FloorMod:
      return Range{std::min<Wide>(b.low + 1, 0), std::max<Wide>(b.high - 1, 0)};
    case NodeKind::BitAnd:
      if (b.low >= 0) return Range{0, b.high};
      return std::nullopt;
    case NodeKind::BitShiftLeft:
      if (b.low < 0 || b.high > 62) return std::nullopt;
      return product(a, {Wide{1} << static_cast<int>(b.low), Wide{1} << static_cast<int>(b.high)});
    default:
      return std::nullopt;
  }
}

Range of(const Expr* e, int levels) {
  if (const ConstInt* value = ir::as<ConstInt>(e)) return {value->value, value->value};
  const Range type = of_type(dtype_of(e));
  if (levels <= 0 || !is_integer(dtype_of(e))) return type;
  const std::optional<Range> found = exact(e, levels);
  return found && found->lies_in(type) ? *found : type;
}

}  // namespace

bool may_overflow(const Expr* e) {
  const std::optional<Range> result = exact(e, kMostLevels);
  return !result || !result->lies_in(of_type(dtype_of(e)));
}

}  // namespace pyptoc::codegen
