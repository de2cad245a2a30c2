// SPDX-License-Identifier: Apache-2.0
// Whether a value of one type serves where another is due.
#include <algorithm>

#include "ir/equal.h"
#include "ir/verifier_body.h"

namespace pyptoc::ir {

namespace {

constexpr int kMaxTupleNesting = 16;

bool is_integral(DType dtype) {
  return is_integer(dtype) || dtype == DType::Bool;
}

// The front end writes one for the other.
bool is_wide(DType dtype) {
  return dtype == DType::Index || dtype == DType::Int64;
}

Fit fit_shapes(List<const Expr*> have, List<const Expr*> due, const Type* have_type, const Type* due_type) {
  bool differ = have.size() != due.size();
  for (size_t i = 0; !differ && i < have.size(); ++i) {
    std::optional<int64_t> a = const_int(have[i]);
    std::optional<int64_t> b = const_int(due[i]);
    differ = a.has_value() && b.has_value() && *a != *b;
  }
  if (!differ) return Fit::Good;
  std::optional<int64_t> a = constant_element_count(have_type);
  std::optional<int64_t> b = constant_element_count(due_type);
  return a.has_value() && b.has_value() && *a == *b ? Fit::Good : Fit::OtherShape;
}

Fit fit_types(const Type* have, const Type* due, bool loose, int depth) {
  bool same_kind = have->kind == due->kind || (as_tensor(have) != nullptr && due->kind == TypeKind::TensorType);
  if (!same_kind || depth > kMaxTupleNesting) return Fit::None;
  if (const ScalarType* scalar = as_scalar(have)) {
    DType other = as_scalar(due)->dtype;
    bool interchangeable =
        loose ? is_integral(scalar->dtype) && is_integral(other) : is_wide(scalar->dtype) && is_wide(other);
    return scalar->dtype == other || interchangeable ? Fit::Good : Fit::None;
  }
  if (const ShapedType* shaped = as_shaped(have)) {
    const ShapedType* other = as_shaped(due);
    if (shaped->dtype != other->dtype) return Fit::None;
    return fit_shapes(shaped->shape, other->shape, have, due);
  }
  if (const ArrayType* array = as_array(have)) {
    const ArrayType* other = as_array(due);
    return array->dtype == other->dtype && extents_equal(array->shape, other->shape) ? Fit::Good : Fit::None;
  }
  Fit worst = Fit::Good;
  if (const TupleType* tuple = as_tuple(have)) {
    const TupleType* other = as_tuple(due);
    if (tuple->types.size() != other->types.size()) return Fit::None;
    for (size_t i = 0; i < tuple->types.size(); ++i)
      worst = std::max(worst, fit_types(tuple->types[i], other->types[i], loose, depth + 1));
  }
  return worst;
}

}  // namespace

std::optional<int64_t> constant_element_count(const Type* type) {
  const ShapedType* shaped = as_shaped(type);
  if (shaped == nullptr) return std::nullopt;
  int64_t count = 1;
  for (const Expr* extent : shaped->shape) {
    std::optional<int64_t> value = const_int(extent);
    if (!value.has_value() || __builtin_mul_overflow(count, *value, &count)) return std::nullopt;
  }
  return count;
}

Fit fit(const Type* have, const Type* due) {
  return fit_types(have, due, false, 0);
}

Fit fit_argument(const Type* have, const Type* due) {
  return fit_types(have, due, true, 0);
}

}  // namespace pyptoc::ir
