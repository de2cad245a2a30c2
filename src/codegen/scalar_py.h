// SPDX-License-Identifier: Apache-2.0
// Scalar expressions of the IR as Python.
#pragma once

#include <functional>
#include <string>

#include "codegen/scalar_cpp.h"
#include "diag/engine.h"
#include "ir/expr.h"

namespace pyptoc::codegen {

// Which helpers of the module's prologue the expressions need.
struct PythonHelpers {
  bool f32 = false;
  bool f32_bits = false;
  bool f64_bits = false;
  bool wrap_signed = false;
  bool int_pow = false;
};

// Renders scalar expressions with as many parentheses as Python needs to read them as the IR means them. Python's
// numbers have no width: values are rounded or wrap where the program converts them, where they leave the host as bit
// patterns, and in arithmetic wherever a chip orchestration does so too: FP32, unsigned integers, and signed ones of up
// to 32 bits. INT64 and INDEX, which count elements, must not leave their range.
class ScalarPy {
 public:
  // `leaf` renders what is no arithmetic: variables, tuple elements, operator calls.
  using Leaf = std::function<std::string(const ir::Expr*)>;
  ScalarPy(Leaf leaf, diag::Engine& diags) : leaf_(std::move(leaf)), diags_(diags) {}

  std::string expr(const ir::Expr* e) { return render(e).text; }
  // For a place in which any operator may follow: in parentheses unless it is a primary expression.
  std::string primary(const ir::Expr* e);
  // The bit pattern in the width of `dtype`, zero-extended: an int in [0, 2^64).
  std::string bits(ir::DType dtype, const ir::Expr* e);

  // `text` as a value of FP32.
  std::string f32(const std::string& text);

  const PythonHelpers& helpers() const { return helpers_; }

  static std::string real(double value, ir::DType dtype);

 private:
  struct Text {
    std::string text;
    bool primary = true;
  };
  Text render(const ir::Expr* e);
  Text binary(const ir::BinaryExpr* e);
  Text unary(const ir::UnaryExpr* e);
  Text cast(const ir::UnaryExpr* e);

  Leaf leaf_;
  diag::Engine& diags_;
  PythonHelpers helpers_;
  int depth_ = 0;
};

// The functions that `helpers` names, each with an empty line or two around it.
std::string python_helper_text(const PythonHelpers& helpers);

}  // namespace pyptoc::codegen
