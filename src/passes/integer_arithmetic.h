// SPDX-License-Identifier: Apache-2.0
// Arithmetic of the IR on known integers: exact in 64 bits, division and modulo round towards minus infinity.
#pragma once

#include <optional>

#include "ir/expr.h"
#include "ir/stmt.h"

namespace pyptoc::passes {

enum class ArithmeticFault : uint8_t { None, Overflow, DivisionByZero, ShiftRange };

struct IntegerResult {
  std::optional<int64_t> value;  // none where the operator has no integer result here, or with a fault
  ArithmeticFault fault = ArithmeticFault::None;
};

IntegerResult compute(ir::NodeKind binary, int64_t left, int64_t right);
IntegerResult compute(ir::NodeKind unary, int64_t operand);
bool compare(ir::NodeKind comparison, int64_t left, int64_t right);
// The values that a type holds. UINT64 and types without integers: nothing.
struct IntegerRange {
  int64_t low;
  int64_t high;
};
std::optional<IntegerRange> range_of(ir::DType dtype);

// The value of an expression of integer constants; nothing where something in it is not known or faulty.
std::optional<int64_t> constant_value(const ir::Expr* e);
// How often a loop of constant bounds runs.
std::optional<int64_t> trip_count(const ir::Expr* start, const ir::Expr* stop, const ir::Expr* step);
inline std::optional<int64_t> trip_count(const ir::ForStmt& loop) {
  return trip_count(loop.start, loop.stop, loop.step);
}

}  // namespace pyptoc::passes
