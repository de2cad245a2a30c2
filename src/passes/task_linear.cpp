// SPDX-License-Identifier: Apache-2.0
// Arithmetic of such polynomials, and bounds of their differences.
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

bool is_before(const Var* first, const Var* second, const Var* other_first, const Var* other_second) {
  if (first != other_first) return first->serial < other_first->serial;
  if (second == other_second || other_second == nullptr) return false;
  return second == nullptr || second->serial < other_second->serial;
}
template <class A, class B>
bool is_before(const A& a, const B& b) {
  return is_before(a.first, a.second, b.first, b.second);
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
    const bool take_a = j == b.terms.size() || (i < a.terms.size() && !is_before(b.terms[j], a.terms[i]));
    const bool take_b = i == a.terms.size() || (j < b.terms.size() && !is_before(a.terms[i], b.terms[j]));
    Linear::Term term = take_a ? a.terms[i] : b.terms[j];
    std::optional<int64_t> sum = 0;
    if (take_a) sum = a.terms[i++].factor;
    if (take_b) sum = checked_add(sum, checked_mul(b.terms[j++].factor, factor));
    if (!sum) return std::nullopt;
    term.factor = *sum;
    if (*sum != 0) out.terms.push_back(term);
  }
  if (out.terms.size() > kMaxTerms) return std::nullopt;
  return out;
}

std::optional<Linear> multiply(const Linear& a, const Linear& b) {
  std::optional<Linear> out = add(Linear{}, a, b.constant);
  for (const Linear::Term& term : b.terms) {
    if (!out) return std::nullopt;
    std::vector<Linear> parts;
    for (const Linear::Term& other : a.terms) {
      std::optional<int64_t> factor = checked_mul(term.factor, other.factor);
      if (term.second != nullptr || other.second != nullptr || !factor) return std::nullopt;
      const bool swap = other.first->serial < term.first->serial;
      parts.push_back(Linear{{{swap ? other.first : term.first, swap ? term.first : other.first, *factor}}, 0});
    }
    std::optional<int64_t> single = checked_mul(term.factor, a.constant);
    if (!single) return std::nullopt;
    if (*single != 0) parts.push_back(Linear{{{term.first, term.second, *single}}, 0});
    for (const Linear& part : parts) {
      out = out ? add(*out, part, 1) : std::nullopt;
      if (!out) return std::nullopt;
    }
  }
  return out;
}

void Scalars::define(const Var* var, int loop, Range range, int64_t step) {
  symbols_[var] = {loop, range, step};
}

void Scalars::assign(const Var* var, const Expr* value, int loop) {
  const ScalarType* type = as_scalar(var->type);
  if (type == nullptr || !is_integer(type->dtype)) return define(var, loop);
  least_.assign(var, value);
  if (std::optional<Linear> form = linear(value)) {
    values_[var] = std::move(*form);
  } else {
    define(var, loop, {least_.of(value), std::nullopt});
  }
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
    return Linear{{{var, nullptr, 1}}, 0};
  }
  if (const BinaryExpr* binary = as<BinaryExpr>(e)) return linear_binary(binary, depth);
  if (e->kind == NodeKind::Cast || e->kind == NodeKind::Neg) {
    const UnaryExpr* unary = as<UnaryExpr>(e);
    const ScalarType* from = as_scalar(unary->operand->type);
    const ScalarType* to = as_scalar(e->type);
    if (from == nullptr || to == nullptr || !is_integer(from->dtype) || !is_integer(to->dtype)) return std::nullopt;
    std::optional<Linear> inner = linear(unary->operand, depth + 1);
    return inner && e->kind == NodeKind::Neg ? add(Linear{}, *inner, -1) : inner;
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
  return multiply(*left, *right);
}

Scalars::Symbol Scalars::symbol(const Var* var) const {
  if (const Symbol* known = symbols_.find(var)) return *known;
  return {-1, {least_.of(var), std::nullopt}, 0};
}

bool Scalars::is_scale(const Var* var, int crossing) const {
  const Symbol known = symbol(var);
  return known.step == 0 && is_steady(known, crossing) && known.range.low && *known.range.low >= 0;
}

Range Scalars::of_pair(const Pair& pair, int crossing) const {
  if (pair.second != nullptr) return {};
  const Symbol known = symbol(pair.first);
  if (is_steady(known, crossing)) {
    std::optional<int64_t> both = checked_add(pair.later, checked_mul(pair.earlier, -1));
    return both ? times(known.range, *both) : Range{};
  }
  if (known.step != 0 && known.loop == crossing && pair.later == pair.earlier) {
    // The loop went on by at least one step, and at most from one end of its range to the other.
    std::optional<int64_t> most = checked_add(known.range.high, checked_mul(known.range.low, -1));
    Range ahead = known.step > 0 ? Range{known.step, most} : Range{checked_mul(most, -1), known.step};
    return times(ahead, pair.later);
  }
  return plus(times(known.range, pair.later), times(times(known.range, pair.earlier), -1));
}

// Terms that share a scale, as in (i + 1) * n - i * n, are bounded together: the range of what n is multiplied with,
// and then that of n itself.
Range Scalars::difference(const Linear& later, const Linear& earlier, int crossing) const {
  std::optional<int64_t> constant = checked_add(later.constant, checked_mul(earlier.constant, -1));
  if (!constant) return {};
  Range out{*constant, *constant};
  std::vector<Pair> pairs;
  size_t i = 0;
  size_t j = 0;
  while (i < later.terms.size() || j < earlier.terms.size()) {
    const bool take_l =
        j == earlier.terms.size() || (i < later.terms.size() && !is_before(earlier.terms[j], later.terms[i]));
    const bool take_e =
        i == later.terms.size() || (j < earlier.terms.size() && !is_before(later.terms[i], earlier.terms[j]));
    const Linear::Term& term = take_l ? later.terms[i] : earlier.terms[j];
    pairs.push_back(
        {term.first, term.second, take_l ? later.terms[i].factor : 0, take_e ? earlier.terms[j].factor : 0});
    i += take_l ? 1 : 0;
    j += take_e ? 1 : 0;
  }
  while (!pairs.empty()) {
    auto product = std::find_if(pairs.begin(), pairs.end(), [](const Pair& p) { return p.second != nullptr; });
    if (product == pairs.end()) {
      for (const Pair& pair : pairs) out = plus(out, of_pair(pair, crossing));
      return out;
    }
    const Var* scale = is_scale(product->second, crossing) ? product->second : product->first;
    if (!is_scale(scale, crossing)) return {};
    Range sum{0, 0};
    std::vector<Pair> rest;
    for (const Pair& pair : pairs) {
      if (pair.first != scale && pair.second != scale) {
        rest.push_back(pair);
      } else if (pair.second == nullptr) {
        std::optional<int64_t> both = checked_add(pair.later, checked_mul(pair.earlier, -1));
        sum = plus(sum, both ? Range{*both, *both} : Range{});
      } else {
        sum = plus(sum, of_pair({pair.first == scale ? pair.second : pair.first, nullptr, pair.later, pair.earlier},
                                crossing));
      }
    }
    const Range range = symbol(scale).range;
    Range scaled;
    if (sum.low) scaled.low = *sum.low >= 0 ? checked_mul(range.low, *sum.low) : checked_mul(range.high, *sum.low);
    if (sum.high) scaled.high = *sum.high >= 0 ? checked_mul(range.high, *sum.high) : checked_mul(range.low, *sum.high);
    if (sum.low == 0) scaled.low = 0;
    if (sum.high == 0) scaled.high = 0;
    out = plus(out, scaled);
    pairs = std::move(rest);
  }
  return out;
}

}  // namespace pyptoc::passes
