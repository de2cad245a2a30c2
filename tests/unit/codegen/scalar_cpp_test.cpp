// SPDX-License-Identifier: Apache-2.0
// Scalar expressions in C++ where they are not what they look like.
#include "codegen/scalar_cpp.h"

#include <catch2/catch.hpp>

#include "ir/context.h"

namespace pyptoc::codegen {
namespace {

using namespace ir;

struct Fixture {
  Context ir;
  diag::Engine diags;
  ScalarCpp cpp{[](const Expr* e) { return std::string(as<Var>(e)->name_hint); }, diags};

  const Expr* var(const char* name, DType dtype) { return ir.var(name, ir.scalar_type(dtype)); }
  const Expr* negated(const Expr* operand) {
    UnaryExpr draft;
    draft.kind = NodeKind::Neg;
    draft.type = operand->type;
    draft.operand = operand;
    return ir.make(draft);
  }
};

TEST_CASE("a negated narrow integer stays in its type") {  // C++ makes an int of it
  Fixture f;
  CHECK(f.cpp.expr(f.negated(f.var("u", DType::UInt8))) == "static_cast<uint8_t>(-u)");
  CHECK(f.cpp.expr(f.negated(f.var("n", DType::Int16))) == "static_cast<int16_t>(-n)");
  CHECK(f.cpp.expr(f.negated(f.var("w", DType::UInt32))) == "-w");
  CHECK(f.cpp.expr(f.negated(f.var("x", DType::Fp32))) == "-x");
}

// `(x + y) / z` was `x + y / z`.
TEST_CASE("the sides of a division of floats are in parentheses") {
  Fixture f;
  const Expr* x = f.var("x", DType::Fp32);
  const Expr* sum = f.ir.binary(NodeKind::Add, x, x);
  CHECK(f.cpp.expr(f.ir.binary(NodeKind::FloatDiv, sum, x)) == "(x + x) / x");
  CHECK(f.cpp.expr(f.ir.binary(NodeKind::FloatDiv, x, sum)) == "x / (x + x)");
  CHECK(f.cpp.expr(f.ir.binary(NodeKind::FloatDiv, f.ir.binary(NodeKind::FloatDiv, x, sum), f.negated(x))) ==
        "(x / (x + x)) / (-x)");
}

TEST_CASE("signs of constants do not run together, and too large ones are infinite") {
  Fixture f;
  CHECK(f.cpp.expr(f.negated(f.ir.const_float(-0.0, DType::Fp32))) == "-(-0.0f)");  // was `--0.0f`
  CHECK(f.cpp.expr(f.negated(f.ir.const_float(-1.5, DType::Fp32))) == "-(-1.5f)");
  CHECK(f.cpp.expr(f.ir.const_float(1e39, DType::Fp32)) == "std::numeric_limits<float>::infinity()");  // was `inf.0f`
  CHECK(f.cpp.expr(f.ir.const_float(1e39, DType::Fp64)) == "1e+39");
}

// Overflow of int is undefined in C++, and the host computed with all digits.
TEST_CASE("INT32 wraps where it may leave its range") {
  Fixture f;
  const Expr* a = f.var("a", DType::Int32);
  const Expr* b = f.var("b", DType::Int32);
  auto number = [&](int64_t value) { return f.ir.const_int(value, DType::Int32); };
  auto text = [&](NodeKind kind, const Expr* left, const Expr* right) {
    return f.cpp.expr(f.ir.binary(kind, left, right));
  };
  CHECK(text(NodeKind::Add, a, b) == "static_cast<int32_t>(static_cast<int64_t>(a) + b)");
  CHECK(text(NodeKind::Mul, number(3), b) == "static_cast<int32_t>(int64_t{3} * b)");
  CHECK(text(NodeKind::FloorDiv, a, b) == "static_cast<int32_t>(floor_div<int64_t>(a, b))");
  CHECK(text(NodeKind::FloorMod, a, b) == "static_cast<int32_t>(floor_mod<int64_t>(a, b))");
  CHECK(f.cpp.expr(f.negated(a)) == "static_cast<int32_t>(-static_cast<int64_t>(a))");
  // What cannot leave it stays short.
  const Expr* part = f.ir.binary(NodeKind::FloorMod, a, number(1000));
  CHECK(text(NodeKind::FloorDiv, a, number(4)) == "floor_div<int32_t>(a, 4)");
  CHECK(text(NodeKind::Mul, part, part) == "floor_mod<int32_t>(a, 1000) * floor_mod<int32_t>(a, 1000)");
  CHECK(text(NodeKind::Min, a, b) == "std::min<int32_t>(a, b)");
  // What counts elements does not leave it in a right program.
  const Expr* i = f.var("i", DType::Index);
  const Expr* j = f.var("j", DType::Int64);
  CHECK(text(NodeKind::Mul, i, i) == "i * i");
  CHECK(text(NodeKind::Add, j, j) == "j + j");
}

TEST_CASE("the product of two UINT16 is computed without a sign") {  // int, to which C++ promotes them, may overflow
  Fixture f;
  const Expr* u = f.var("u", DType::UInt16);
  CHECK(f.cpp.expr(f.ir.binary(NodeKind::Mul, u, u)) == "static_cast<uint16_t>(static_cast<uint32_t>(u) * u)");
}

}  // namespace
}  // namespace pyptoc::codegen
