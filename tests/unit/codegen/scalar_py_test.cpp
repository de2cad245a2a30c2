// SPDX-License-Identifier: Apache-2.0
// Scalar expressions in Python: precedence, floor semantics, widths.
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "codegen/scalar_py.h"
#include "ir/context.h"

namespace pyptoc::codegen {
namespace {

using namespace ir;

struct Fixture {
  Context ir;
  diag::Engine diags;
  ScalarPy py{[](const Expr* e) { return std::string(as<Var>(e)->name_hint); }, diags};

  const Expr* var(const char* name, DType dtype = DType::Index) { return ir.var(name, ir.scalar_type(dtype)); }
  const Expr* binary(NodeKind kind, const Expr* l, const Expr* r) { return ir.binary(kind, l, r); }
  const Expr* unary(NodeKind kind, const Expr* operand, DType dtype) {
    UnaryExpr draft;
    draft.kind = kind;
    draft.type = ir.scalar_type(dtype);
    draft.operand = operand;
    return ir.make(draft);
  }
  std::string text(const Expr* e) { return py.expr(e); }
};

TEST_CASE("operators that Python spells in its own way") {
  Fixture f;
  const Expr* a = f.var("a");
  const Expr* b = f.var("b");
  const Expr* p = f.var("p", DType::Bool);
  const Expr* q = f.var("q", DType::Bool);
  CHECK(f.text(f.binary(NodeKind::FloorDiv, a, b)) == "a // b");
  CHECK(f.text(f.binary(NodeKind::FloorMod, a, b)) == "a % b");
  CHECK(f.text(f.binary(NodeKind::FloatDiv, a, b)) == "a / b");
  CHECK(f.text(f.binary(NodeKind::Min, a, b)) == "min(a, b)");
  CHECK(f.text(f.binary(NodeKind::Max, a, b)) == "max(a, b)");
  CHECK(f.text(f.binary(NodeKind::And, p, q)) == "p and q");
  CHECK(f.text(f.binary(NodeKind::Or, p, q)) == "p or q");
  CHECK(f.text(f.binary(NodeKind::Xor, p, q)) == "p != q");
  CHECK(f.text(f.unary(NodeKind::Not, p, DType::Bool)) == "not p");
  CHECK(f.text(f.binary(NodeKind::BitAnd, a, b)) == "a & b");
  CHECK(f.text(f.binary(NodeKind::BitOr, a, b)) == "a | b");
  CHECK(f.text(f.binary(NodeKind::BitXor, a, b)) == "a ^ b");
  CHECK(f.text(f.binary(NodeKind::BitShiftLeft, a, b)) == "a << b");
  CHECK(f.text(f.binary(NodeKind::BitShiftRight, a, b)) == "a >> b");
  CHECK(f.text(f.unary(NodeKind::Abs, a, DType::Index)) == "abs(a)");
  CHECK(f.text(f.unary(NodeKind::Neg, a, DType::Index)) == "-a");
  CHECK(f.text(f.unary(NodeKind::BitNot, a, DType::Index)) == "~a");
}

TEST_CASE("parentheses keep what the tree says") {
  Fixture f;
  const Expr* a = f.var("a");
  const Expr* b = f.var("b");
  const Expr* sum = f.binary(NodeKind::Add, a, b);
  CHECK(f.text(f.binary(NodeKind::Mul, sum, f.ir.const_int(4))) == "(a + b) * 4");
  const Expr* less = f.binary(NodeKind::Lt, a, b);
  CHECK(f.text(f.binary(NodeKind::Eq, less, f.ir.const_bool(true))) == "(a < b) == True");
  CHECK(f.text(f.binary(NodeKind::Sub, a, f.ir.const_int(-3))) == "a - (-3)");
  CHECK(f.text(f.binary(NodeKind::Pow, f.unary(NodeKind::Neg, a, DType::Index), f.ir.const_int(2))) == "(-a) ** 2");
}

TEST_CASE("a power whose exponent may be negative stays an integer") {
  Fixture f;
  CHECK(f.text(f.binary(NodeKind::Pow, f.var("a"), f.var("b"))) == "_int_pow(a, b)");
  CHECK(python_helper_text(f.py.helpers()).find("def _int_pow(base, exponent):") != std::string::npos);
  CHECK(f.text(f.binary(NodeKind::Pow, f.var("x", DType::Fp32), f.var("y", DType::Fp32))) == "_f32(x ** y)");
}

TEST_CASE("casts wrap only where a value may not fit") {
  Fixture f;
  const Expr* wide = f.var("w", DType::Int64);
  const Expr* narrow = f.var("n", DType::Int8);
  CHECK(f.text(f.unary(NodeKind::Cast, narrow, DType::Int64)) == "n");
  CHECK(f.text(f.unary(NodeKind::Cast, wide, DType::UInt16)) == "w & 0xFFFF");
  CHECK(f.text(f.unary(NodeKind::Cast, wide, DType::Int32)) == "_wrap_signed(w, 32)");
  CHECK(f.text(f.unary(NodeKind::Cast, f.var("u", DType::UInt32), DType::Int64)) == "u");
  CHECK(f.text(f.unary(NodeKind::Cast, f.var("u", DType::UInt32), DType::Int32)) == "_wrap_signed(u, 32)");
  CHECK(f.text(f.unary(NodeKind::Cast, f.var("x", DType::Fp32), DType::Int32)) == "int(x)");
  CHECK(f.text(f.unary(NodeKind::Cast, wide, DType::Fp32)) == "_f32(w)");
  CHECK(f.text(f.unary(NodeKind::Cast, narrow, DType::Fp32)) == "float(n)");
  CHECK(f.text(f.unary(NodeKind::Cast, f.var("d", DType::Fp64), DType::Fp32)) == "_f32(d)");
  CHECK(f.text(f.unary(NodeKind::Cast, wide, DType::Bool)) == "bool(w)");
  CHECK(f.text(f.unary(NodeKind::BitNot, f.var("u", DType::UInt8), DType::UInt8)) == "~u & 0xFF");
}

TEST_CASE("results stay within their type where a chip's do") {
  Fixture f;
  const Expr* u = f.var("u", DType::UInt32);
  const Expr* n = f.var("n", DType::Int8);
  const Expr* x = f.var("x", DType::Fp32);
  CHECK(f.text(f.binary(NodeKind::Sub, u, u)) == "(u - u) & 0xFFFFFFFF");
  CHECK(f.text(f.binary(NodeKind::FloorDiv, f.binary(NodeKind::Sub, u, u), u)) == "((u - u) & 0xFFFFFFFF) // u");
  CHECK(f.text(f.binary(NodeKind::FloorMod, u, u)) == "u % u");
  CHECK(f.text(f.binary(NodeKind::Pow, u, u)) == "_int_pow(u, u) & 0xFFFFFFFF");
  CHECK(f.text(f.binary(NodeKind::Mul, n, n)) == "_wrap_signed(n * n, 8)");
  CHECK(f.text(f.binary(NodeKind::Add, f.binary(NodeKind::Mul, x, x), x)) == "_f32(_f32(x * x) + x)");
  CHECK(f.text(f.binary(NodeKind::Add, f.var("a"), f.var("b"))) == "a + b");
  CHECK(f.text(f.binary(NodeKind::Lt, u, u)) == "u < u");
  CHECK(f.text(f.unary(NodeKind::Neg, n, DType::Int8)) == "_wrap_signed(-n, 8)");
  CHECK(f.text(f.unary(NodeKind::Abs, n, DType::Int8)) == "_wrap_signed(abs(n), 8)");
  CHECK_FALSE(f.diags.has_errors());
  f.text(f.binary(NodeKind::Mul, f.var("h", DType::Fp16), f.var("h", DType::Fp16)));  // neither side rounds to it
  REQUIRE(f.diags.sorted().size() == 1);
  CHECK(f.diags.sorted()[0].code->id == "E0701");
}

TEST_CASE("floats come back bit for bit") {
  CHECK(ScalarPy::real(0.1, DType::Fp64) == "0.1");
  CHECK(ScalarPy::real(0.1, DType::Fp32) == "0.10000000149011612");
  CHECK(ScalarPy::real(3, DType::Fp32) == "3.0");
  CHECK(ScalarPy::real(1e300, DType::Fp64) == "1e+300");
  CHECK(ScalarPy::real(1e300, DType::Fp32) == "float(\"inf\")");  // was `inf.0`
  CHECK(ScalarPy::real(std::numeric_limits<double>::infinity(), DType::Fp64) == "float(\"inf\")");
  CHECK(ScalarPy::real(-std::numeric_limits<double>::infinity(), DType::Fp64) == "-float(\"inf\")");
  CHECK(ScalarPy::real(std::nan(""), DType::Fp32) == "float(\"nan\")");
}

TEST_CASE("arguments are bit patterns in the parameter's width") {
  Fixture f;
  CHECK(f.py.bits(DType::Int8, f.ir.const_int(-1)) == "255");
  CHECK(f.py.bits(DType::Int64, f.ir.const_int(-1)) == "18446744073709551615");
  CHECK(f.py.bits(DType::UInt16, f.ir.const_int(65537)) == "1");
  CHECK(f.py.bits(DType::Int32, f.var("a")) == "a & 0xFFFFFFFF");
  CHECK(f.py.bits(DType::Index, f.binary(NodeKind::Add, f.var("a"), f.ir.const_int(1))) ==
        "(a + 1) & 0xFFFFFFFFFFFFFFFF");
  CHECK(f.py.bits(DType::Bool, f.ir.const_bool(true)) == "1");
  CHECK(f.py.bits(DType::Bool, f.var("p", DType::Bool)) == "int(bool(p))");
  CHECK(f.py.bits(DType::Fp32, f.ir.const_float(0.5, DType::Fp32)) == "_f32_bits(0.5)");
  CHECK(f.py.bits(DType::Fp64, f.var("x", DType::Fp64)) == "_f64_bits(x)");
  std::string helpers = python_helper_text(f.py.helpers());
  CHECK(helpers.find("def _f32_bits(value):") != std::string::npos);
  CHECK(helpers.find("def _f64_bits(value):") != std::string::npos);
}

TEST_CASE("E0701: a scalar that a chip program cannot take") {
  Fixture f;
  f.py.bits(DType::Fp16, f.ir.const_float(0.5, DType::Fp16));
  REQUIRE(f.diags.sorted().size() == 1);
  CHECK(f.diags.sorted()[0].code->id == std::string_view("E0701"));
}

TEST_CASE("INT32 wraps as on the chip, INT64 does not") {
  Fixture f;
  const Expr* a = f.var("a", DType::Int32);
  const Expr* part = f.binary(NodeKind::FloorMod, a, f.ir.const_int(1000, DType::Int32));
  CHECK(f.text(f.binary(NodeKind::Add, a, a)) == "_wrap_signed(a + a, 32)");
  CHECK(f.text(f.unary(NodeKind::Neg, a, DType::Int32)) == "_wrap_signed(-a, 32)");
  CHECK(f.text(f.binary(NodeKind::FloorDiv, a, a)) == "_wrap_signed(a // a, 32)");
  CHECK(f.text(f.binary(NodeKind::Mul, part, part)) == "(a % 1000) * (a % 1000)");
  const Expr* wide = f.var("w", DType::Int64);
  CHECK(f.text(f.binary(NodeKind::Mul, wide, wide)) == "w * w");
}

}  // namespace
}  // namespace pyptoc::codegen
