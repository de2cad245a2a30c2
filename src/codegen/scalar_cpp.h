// SPDX-License-Identifier: Apache-2.0
// Scalar expressions of the IR as C++.
#pragma once

#include <functional>
#include <string>

#include "diag/engine.h"
#include "ir/expr.h"

namespace pyptoc::codegen {

// Which helpers of the unit's prologue the expressions need.
struct ScalarHelpers {
  bool floor_div = false;
  bool floor_mod = false;
  bool int_pow = false;
  bool cmath = false;
  bool algorithm = false;
};

// Renders scalar expressions with as many parentheses as C++ needs to read them as the IR means them. Every kind of
// scalar expression has a form or a diagnostic. Integers of up to 32 bits wrap around at their width, as on the host;
// INT64 and INDEX, which count elements, must not leave their range.
class ScalarCpp {
 public:
  // `leaf` renders what is no arithmetic: variables, tuple elements, operator calls.
  using Leaf = std::function<std::string(const ir::Expr*)>;
  ScalarCpp(Leaf leaf, diag::Engine& diags) : leaf_(std::move(leaf)), diags_(diags) {}

  std::string expr(const ir::Expr* e) { return render(e).text; }
  // For a place in which any operator may follow: in parentheses unless it is a primary expression.
  std::string primary(const ir::Expr* e);
  // The expression converted to the C++ type of `dtype`, without a cast where it has that type already.
  std::string as(ir::DType dtype, const ir::Expr* e);

  const ScalarHelpers& helpers() const { return helpers_; }

  // Literals that come back bit for bit.
  static std::string integer(int64_t value, ir::DType dtype);
  std::string real(double value, ir::DType dtype);

 private:
  struct Text {
    std::string text;
    bool primary = true;
  };
  Text render(const ir::Expr* e);
  Text binary(const ir::BinaryExpr* e);
  Text unary(const ir::UnaryExpr* e);
  std::string function(const char* name, const ir::BinaryExpr* e);
  std::string wide(const ir::Expr* e);
  static Text narrowed(const std::string& text);

  Leaf leaf_;
  diag::Engine& diags_;
  ScalarHelpers helpers_;
  int depth_ = 0;
};

// The dtype of a scalar expression; INDEX for what has no scalar type.
ir::DType dtype_of(const ir::Expr* e);
// `==`, `<` and so on, the same in C++ and Python; exclusive or of BOOL is `!=`. Null for what compares nothing.
const char* comparison_operator(ir::NodeKind kind);
// False only when no operand value can make the expression negative: constants, extents and their sums, products,
// minima.
bool may_be_negative(const ir::Expr* e, int depth = 0);

}  // namespace pyptoc::codegen
