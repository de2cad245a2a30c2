// SPDX-License-Identifier: Apache-2.0
// Arithmetic of linear forms, and bounds of their differences.
#include "passes/task_linear.h"

#include <algorithm>

namespace pyptoc::passes {

using namespace ir;

namespace {

constexpr int kMaxDepth = 64;     // of an expression that is looked into
constexpr size_t kMaxTerms = 16;  // of a form; longer ones are left opaque

std::optional<int64_t> checked_add(std::optional<int64_t> a, std::optional<int64_t> b) {
  int64_t sum = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &sum)) return std::nullopt;
  return sum;
}
std::optional<int64_t> checked_mul(std::optional<int64_t> a, int64_t b) {
  int64_t product = 0;
  if (!a || __builtin_mul_overflow(*a, b, &product)) return std::nullopt;
  return product;
}

Range times(const Range& range, int64_t factor) {
  if (factor == 0) return {0, 0};
  Range out{checked_mul(range.low, factor), checked_mul(range.high, factor)};
  if (factor < 0) std::swap(out.low, out.high);
  return out;
}
Range plus(const Range& a, const Range& b) {
  return {checked_add(a.low, b.low), checked_add(a.high, b.high)};
}

}  // namespace

std::optional<Linear> add(const Linear& a, const Linear& b, int64_t factor) {
  Linear out;
  std::optional<int64_t> constant = checked_add(a.constant, checked_mul(b.constant, factor));
  if (!constant) return std::nullopt;
  out.constant = *constant;
  size_t i = 0;
  size_t j = 0;
  while (i < a.terms.size() || j < b.terms.size()) {
    const bool take_a =
        j == b.terms.size() || (i < a.terms.size() && a.terms[i].first->serial <= b.terms[j].first->serial);
    const bool take_b =
        i == a.terms.size() || (j < b.terms.size() && b.terms[j].first->serial <= a.terms[i].first->serial);
    const Var* var = take_a ? a.terms[i].first : b.terms[j].first;
    std::optional<int64_t> coefficient = 0;
    if (take_a) coefficient = a.terms[i++].second;
    if (take_b) coefficient = checked_add(coefficient, checked_mul(b.terms[j++].second, factor));
    if (!coefficient) return std::nullopt;
    if (*coefficient != 0) out.terms.emplace_back(var, *coefficient);
  }
  if (out.terms.size() > kMaxTerms) return std::nullopt;
  return out;
}

std::optional<Linear> scaled(const Linear& a, int64_t factor) {
  return add(Linear{}, a, factor);
}

void Scalars::define(const Var* var, int loop, Range range, int64_t step) {
  symbols_[var] = {loop, range, step};
}

void Scalars::assign(const Var* var, const Expr* value, int loop) {
  const ScalarType* type = as_scalar(var->type);
  if (type != nullptr && is_integer(type->dtype)) {
    if (std::optional<Linear> form = linear(value)) {
      values_[var] = std::move(*form);
      return;
    }
  }
  define(var, loop);
}

std::optional<Linear> Scalars::linear(const Expr* e) {
  return linear(e, 0);
}

std::optional<Linear> Scalars::linear(const Expr* e, int depth) {
  if (depth > kMaxDepth) return std::nullopt;
  if (const ConstInt* value = as<ConstInt>(e)) return Linear{{}, value->value};
  if (is_var(e->kind)) {
    const Var* var = as<Var>(e);
    if (const Linear* known = values_.find(var)) return *known;
    return Linear{{{var, 1}}, 0};
  }
  if (const BinaryExpr* binary = as<BinaryExpr>(e)) return linear_binary(binary, depth);
  if (e->kind == NodeKind::Cast || e->kind == NodeKind::Neg) {
    const UnaryExpr* unary = as<UnaryExpr>(e);
    const ScalarType* from = as_scalar(unary->operand->type);
    const ScalarType* to = as_scalar(e->type);
    if (from == nullptr || to == nullptr || !is_integer(from->dtype) || !is_integer(to->dtype)) return std::nullopt;
    std::optional<Linear> inner = linear(unary->operand, depth + 1);
    return inner && e->kind == NodeKind::Neg ? scaled(*inner, -1) : inner;
  }
  return std::nullopt;
}

std::optional<Linear> Scalars::linear_binary(const BinaryExpr* e, int depth) {
  if (e->kind != NodeKind::Add && e->kind != NodeKind::Sub && e->kind != NodeKind::Mul) return std::nullopt;
  std::optional<Linear> left = linear(e->left, depth + 1);
  std::optional<Linear> right = linear(e->right, depth + 1);
  if (!left || !right) return std::nullopt;
  if (e->kind == NodeKind::Add) return add(*left, *right, 1);
  if (e->kind == NodeKind::Sub) return add(*left, *right, -1);
  if (right->is_constant()) return scaled(*left, right->constant);
  if (left->is_constant()) return scaled(*right, left->constant);
  return std::nullopt;
}

Scalars::Symbol Scalars::symbol(const Var* var) const {
  const Symbol* known = symbols_.find(var);
  return known != nullptr ? *known : Symbol{};
}

bool Scalars::defined_in(const Var* var, int loop) const {
  return loops_.lies_in(symbol(var).loop, loop);
}

Range Scalars::difference(const Linear& later, const Linear& earlier, int crossing) const {
  std::optional<int64_t> constant = checked_add(later.constant, checked_mul(earlier.constant, -1));
  if (!constant) return {};
  Range out{*constant, *constant};
  size_t i = 0;
  size_t j = 0;
  while (i < later.terms.size() || j < earlier.terms.size()) {
    const bool take_l = j == earlier.terms.size() ||
                        (i < later.terms.size() && later.terms[i].first->serial <= earlier.terms[j].first->serial);
    const bool take_e = i == later.terms.size() ||
                        (j < earlier.terms.size() && earlier.terms[j].first->serial <= later.terms[i].first->serial);
    const Var* var = take_l ? later.terms[i].first : earlier.terms[j].first;
    const int64_t l = take_l ? later.terms[i++].second : 0;
    const int64_t e = take_e ? earlier.terms[j++].second : 0;
    const Symbol known = symbol(var);
    if (crossing < 0 || !loops_.lies_in(known.loop, crossing)) {
      std::optional<int64_t> both = checked_add(l, checked_mul(e, -1));
      if (!both) return {};
      out = plus(out, times(known.range, *both));
    } else if (known.step != 0 && known.loop == crossing && l == e) {
      // The loop went on by at least one step, and at most from one end of its range to the other.
      std::optional<int64_t> most = checked_add(known.range.high, checked_mul(known.range.low, -1));
      Range ahead = known.step > 0 ? Range{known.step, most} : Range{checked_mul(most, -1), known.step};
      out = plus(out, times(ahead, l));
    } else {
      out = plus(out, plus(times(known.range, l), times(times(known.range, e), -1)));
    }
  }
  return out;
}

}  // namespace pyptoc::passes
