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

}  // namespace
}  // namespace pyptoc::codegen
