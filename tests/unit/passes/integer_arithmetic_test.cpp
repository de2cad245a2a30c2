// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic and bounds against direct evaluation.
#include "passes/integer_arithmetic.h"

#include <catch2/catch.hpp>
#include <limits>

#include "ir/context.h"
#include "passes/simplify_bounds.h"

namespace pyptoc::passes {
namespace {

using ir::NodeKind;

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

TEST_CASE("arithmetic: floor division and modulo agree for all signs") {
  for (int64_t a = -9; a <= 9; ++a) {
    for (int64_t b = -4; b <= 4; ++b) {
      if (b == 0) {
        CHECK(compute(NodeKind::FloorDiv, a, b).fault == ArithmeticFault::DivisionByZero);
        CHECK(compute(NodeKind::FloorMod, a, b).fault == ArithmeticFault::DivisionByZero);
        continue;
      }
      int64_t quotient = *compute(NodeKind::FloorDiv, a, b).value;
      int64_t rest = *compute(NodeKind::FloorMod, a, b).value;
      CHECK(quotient * b + rest == a);
      CHECK((b > 0 ? rest >= 0 && rest < b : rest <= 0 && rest > b));
    }
  }
}

TEST_CASE("arithmetic: overflow is a fault, never a wrong value") {
  CHECK(compute(NodeKind::Add, kHighest, 1).fault == ArithmeticFault::Overflow);
  CHECK(compute(NodeKind::Sub, kLowest, 1).fault == ArithmeticFault::Overflow);
  CHECK(compute(NodeKind::Mul, kHighest, 2).fault == ArithmeticFault::Overflow);
  CHECK(compute(NodeKind::FloorDiv, kLowest, -1).fault == ArithmeticFault::Overflow);
  CHECK(compute(NodeKind::FloorMod, kLowest, -1).value == 0);
  CHECK(compute(NodeKind::Neg, kLowest).fault == ArithmeticFault::Overflow);
  CHECK(compute(NodeKind::Abs, kLowest).fault == ArithmeticFault::Overflow);
  CHECK(compute(NodeKind::Pow, 3, 40).fault == ArithmeticFault::Overflow);
  CHECK(compute(NodeKind::Pow, -1, kHighest).value == -1);
  CHECK(compute(NodeKind::Pow, 2, 62).value == int64_t{1} << 62);
  CHECK_FALSE(compute(NodeKind::Pow, 2, -1).value.has_value());
  CHECK(compute(NodeKind::BitShiftLeft, 1, 63).fault == ArithmeticFault::Overflow);
  CHECK(compute(NodeKind::BitShiftLeft, 1, -1).fault == ArithmeticFault::ShiftRange);
}

TEST_CASE("arithmetic: how often loops run") {
  ir::Context ir;
  auto trips = [&](int64_t start, int64_t stop, int64_t step) {
    return trip_count(ir.const_int(start), ir.const_int(stop), ir.const_int(step));
  };
  CHECK(trips(0, 10, 1) == 10);
  CHECK(trips(0, 10, 3) == 4);
  CHECK(trips(10, 0, -3) == 4);
  CHECK(trips(10, 0, 3) == 0);
  CHECK(trips(5, 5, 1) == 0);
  CHECK_FALSE(trips(0, 10, 0).has_value());
  CHECK(trips(kLowest, kHighest, 1) == kHighest);
  CHECK(trips(kLowest, kHighest, kHighest) == 3);
  CHECK(trips(kHighest, kLowest, kLowest) == 1 + 1);
  CHECK_FALSE(trip_count(ir.const_int(0), ir.var("n", ir.scalar_type(ir::DType::Index)), ir.const_int(1)).has_value());
}

// Every operator on intervals, against all values inside of them.
TEST_CASE("bounds: an interval holds every value") {
  ir::Context ir;
  Bounds bounds;
  const ir::Type* index = ir.scalar_type(ir::DType::Index);
  const ir::Var* x = ir.var("x", index);
  const ir::Var* y = ir.var("y", index);
  const NodeKind kinds[] = {NodeKind::Add,      NodeKind::Sub, NodeKind::Mul, NodeKind::FloorDiv,
                            NodeKind::FloorMod, NodeKind::Min, NodeKind::Max};
  for (int64_t low = -5; low <= 5; low += 2) {
    for (int64_t high = low; high <= 6; high += 3) {
      for (int64_t other = -3; other <= 4; ++other) {
        size_t mark = bounds.mark();
        bounds.restrict_to(x, {low, high});
        bounds.restrict_to(y, {other, other + 2});
        for (NodeKind kind : kinds) {
          const ir::BinaryExpr* e = ir.binary(kind, x, y);
          Interval found = bounds.of(e);
          Interval difference = bounds.of_difference(e, x);
          for (int64_t a = low; a <= high; ++a) {
            for (int64_t b = other; b <= other + 2; ++b) {
              std::optional<int64_t> value = compute(kind, a, b).value;
              if (!value) continue;
              CHECK((found.low <= *value && *value <= found.high));
              CHECK((difference.low <= *value - a && *value - a <= difference.high));
            }
          }
        }
        bounds.forget_since(mark);
      }
    }
  }
}

TEST_CASE("bounds: conditions restrict variables until they are forgotten") {
  ir::Context ir;
  Bounds bounds;
  const ir::Type* index = ir.scalar_type(ir::DType::Index);
  const ir::Var* x = ir.var("x", index);
  const ir::Var* y = ir.var("y", index);
  size_t mark = bounds.mark();
  const ir::Expr* sum = ir.binary(NodeKind::Add, x, ir.const_int(3));
  bounds.assume(ir.binary(NodeKind::Lt, sum, ir.const_int(10)), true);
  CHECK(bounds.of(x).high == 6);
  bounds.assume(ir.binary(NodeKind::Lt, x, y), false);
  CHECK(bounds.of(y).high == 6);
  bounds.assume(ir.binary(NodeKind::Eq, y, ir.const_int(-2)), true);
  CHECK(bounds.of(y).is_single());
  CHECK(bounds.of_difference(ir.binary(NodeKind::Add, y, x), x).low == -2);
  bounds.forget_since(mark);
  CHECK(bounds.of(x).high == kHighest);
  CHECK(bounds.of(y).low == kLowest);
}

TEST_CASE("bounds: a narrowing cast may wrap around") {
  ir::Context ir;
  Bounds bounds;
  const ir::Var* x = ir.var("x", ir.scalar_type(ir::DType::Index));
  ir::UnaryExpr cast;
  cast.kind = NodeKind::Cast;
  cast.type = ir.scalar_type(ir::DType::Int8);
  cast.operand = x;
  const ir::Expr* narrow = ir.make(cast);
  CHECK(bounds.of(narrow).low == -128);
  bounds.restrict_to(x, {3, 300});
  CHECK(bounds.of(narrow).high == 127);
  CHECK(bounds.of(narrow).low == -128);
  bounds.restrict_to(x, {3, 30});
  CHECK(bounds.of(narrow).high == 30);
}

}  // namespace
}  // namespace pyptoc::passes
