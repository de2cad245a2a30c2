// SPDX-License-Identifier: Apache-2.0
// Type rules of tensor.*: creation, views and computation. A view of the operand with a partial valid_shape or strides
// is followed only where the rule is certain; elsewhere the type counts as not known.
#include <fmt/format.h>

#include <algorithm>

#include "ir/describe.h"
#include "ir/equal.h"
#include "ir/op_rules.h"

namespace pyptoc::ir::rules {

namespace {

const TensorType* tensor_arg(const TypeRuleInput& in, size_t i) {
  return i < in.args.size() ? as_tensor(in.args[i]->type) : nullptr;
}

const TensorType* plain(TypeRuleInput& in, DType dtype, List<const Expr*> shape) {
  return make_tensor(in.context, TypeKind::TensorType, dtype, shape, {});
}

// Product of constant extents that fits 63 bits; nothing when one is not constant or not positive.
std::optional<int64_t> element_count(List<const Expr*> shape) {
  int64_t count = 1;
  for (const Expr* extent : shape) {
    std::optional<int64_t> value = const_int(extent);
    if (!value.has_value() || *value <= 0 || __builtin_mul_overflow(count, *value, &count)) return std::nullopt;
  }
  return count;
}

// Row-major strides of a constant shape; nothing otherwise.
std::optional<List<const Expr*>> row_major_strides(Context& context, List<const Expr*> shape) {
  std::vector<const Expr*> strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = context.const_int(stride);
    std::optional<int64_t> extent = const_int(shape[i]);
    bool needed = i > 0;
    if (needed && (!extent.has_value() || __builtin_mul_overflow(stride, *extent, &stride))) return std::nullopt;
  }
  return context.list(strides);
}

std::string describe_shape(List<const Expr*> shape) {
  std::string out = "[";
  for (size_t i = 0; i < shape.size(); ++i) out += (i > 0 ? ", " : "") + describe(shape[i]);
  return out + "]";
}

// NumPy's rule: from the last axis on, extents agree or one of them is 1. Extents that only differ as expressions may
// still agree at run time; the left one is taken then.
std::optional<List<const Expr*>> broadcast(Context& context, List<const Expr*> a, List<const Expr*> b) {
  if (extents_equal(a, b)) return a;
  size_t rank = std::max(a.size(), b.size());
  std::vector<const Expr*> out(rank);
  for (size_t i = 0; i < rank; ++i) {
    const Expr* x = i < a.size() ? a[a.size() - 1 - i] : nullptr;
    const Expr* y = i < b.size() ? b[b.size() - 1 - i] : nullptr;
    bool take_y = x == nullptr || (y != nullptr && is_one(x));
    bool agree = x == nullptr || y == nullptr || is_one(x) || is_one(y) || !const_int(x).has_value() ||
                 !const_int(y).has_value() || *const_int(x) == *const_int(y);
    if (!agree) return std::nullopt;
    out[rank - 1 - i] = take_y ? y : x;
  }
  return context.list(out);
}

const Type* from_shape(TypeRuleInput& in, size_t position) {
  const AttrValue* dtype = in.keyword("dtype", AttrKind::DataType);
  std::optional<List<const Expr*>> shape = tuple_elements(in.args[position]);
  if (dtype == nullptr || !shape.has_value()) return nullptr;
  return plain(in, dtype->as_dtype(), *shape);
}

// A new tensor in the shape and with the valid_shape of the operand.
const Type* like_operand(TypeRuleInput& in, DType dtype) {
  const TensorType* source = tensor_arg(in, 0);
  TensorView view;
  view.valid_shape = valid_shape_of(source);
  return make_tensor(in.context, TypeKind::TensorType, dtype, source->shape, view);
}

List<const Expr*> swapped(Context& context, List<const Expr*> list, size_t a, size_t b) {
  std::vector<const Expr*> out(list.begin(), list.end());
  if (!out.empty()) std::swap(out[a], out[b]);
  return context.list(out);
}

const Type* reduce(TypeRuleInput& in, int64_t default_axis) {
  const TensorType* source = tensor_arg(in, 0);
  if (source == nullptr || !is_fully_valid(source)) return nullptr;
  std::optional<size_t> axis = normalize_axis(in.int_keyword("axis", default_axis), source->shape.size());
  if (!axis.has_value()) return in.misfit(fmt::format("no such axis in `{}`", describe(source)));
  const AttrValue* keep = in.keyword("keep_dim", AttrKind::Bool);
  std::vector<const Expr*> shape(source->shape.begin(), source->shape.end());
  auto at = shape.begin() + static_cast<std::ptrdiff_t>(*axis);
  if (keep == nullptr || keep->as_bool())
    *at = in.context.const_int(1);
  else
    shape.erase(at);
  return plain(in, source->dtype, in.context.list(shape));
}

// The two last extents, swapped when the operand counts as transposed.
struct MatrixShape {
  List<const Expr*> batch;
  const Expr* rows = nullptr;
  const Expr* columns = nullptr;
};
MatrixShape matrix_shape(const TensorType* type, bool transposed) {
  MatrixShape out;
  size_t rank = type->shape.size();
  out.batch = type->shape.subspan(0, rank - 2);
  out.rows = type->shape[rank - (transposed ? 1 : 2)];
  out.columns = type->shape[rank - (transposed ? 2 : 1)];
  return out;
}

}  // namespace

const Type* tensor_create(TypeRuleInput& in) {
  const AttrValue* dtype = in.keyword("dtype", AttrKind::DataType);
  if (in.args.empty() || dtype == nullptr) return nullptr;
  std::optional<List<const Expr*>> shape = tuple_elements(in.args[0]);
  if (!shape.has_value()) return nullptr;
  TensorView view;
  if (const AttrValue* layout = in.keyword("layout", AttrKind::TensorLayout))
    view.layout = enum_from_number<TensorLayout>(layout->enum_number()).value_or(TensorLayout::Nd);
  return make_tensor(in.context, TypeKind::TensorType, dtype->as_dtype(), *shape, view);
}

const Type* tensor_from_shape0(TypeRuleInput& in) {
  return from_shape(in, 0);
}
const Type* tensor_from_shape1(TypeRuleInput& in) {
  return from_shape(in, 1);
}
const Type* tensor_from_shape6(TypeRuleInput& in) {
  return from_shape(in, 6);
}

const Type* tensor_write(TypeRuleInput& in) {
  if (element(in) == nullptr) return nullptr;
  const TensorType* target = tensor_arg(in, 0);
  const ScalarType* value = as_scalar(in.args[2]->type);
  if (value != nullptr && value->dtype != target->dtype)
    return in.misfit(fmt::format("a value of `{}` does not go into `{}`", describe(value), describe(target)));
  return target;
}

// The target with what it held and what was written; known where all of the target is valid. The element types may
// differ: a store from the matrix unit converts.
const Type* tensor_assemble(TypeRuleInput& in) {
  const TensorType* target = tensor_arg(in, 0);
  const TensorType* source = tensor_arg(in, 1);
  if (target == nullptr || source == nullptr) return nullptr;
  if (!is_fully_valid(target)) return nullptr;
  return make_tensor(in.context, target->kind, target->dtype, target->shape, {});
}

const Type* tensor_slice(TypeRuleInput& in) {
  const TensorType* source = tensor_arg(in, 0);
  std::optional<List<const Expr*>> shape = tuple_elements(in.args[1]);
  std::optional<List<const Expr*>> offsets = tuple_elements(in.args[2]);
  if (source == nullptr || !shape.has_value() || !offsets.has_value()) return nullptr;
  List<const Expr*> valid = *shape;
  if (in.args.size() > 3) {
    std::optional<List<const Expr*>> given = tuple_elements(in.args[3]);
    if (!given.has_value()) return nullptr;
    if (!given->empty()) valid = *given;
  }
  if (valid.size() != shape->size())
    return in.misfit(fmt::format("a valid shape of {} extents for a shape of {}", valid.size(), shape->size()));
  bool partial_source = !is_fully_valid(source) && source->shape.size() == shape->size();
  if (partial_source || in.bool_keyword("clamp")) return nullptr;

  std::vector<const Expr*> kept_shape(shape->begin(), shape->end());
  std::vector<const Expr*> kept_valid(valid.begin(), valid.end());
  if (in.args.size() > 4) {
    std::optional<List<const Expr*>> dropped = tuple_elements(in.args[4]);
    if (!dropped.has_value()) return nullptr;
    std::vector<bool> drop(shape->size());
    for (const Expr* axis : *dropped) {
      std::optional<int64_t> value = const_int(axis);
      std::optional<size_t> at = value.has_value() ? normalize_axis(*value, shape->size()) : std::nullopt;
      if (!at.has_value() || !is_one((*shape)[*at]))
        return in.misfit(fmt::format("axis `{}` of {} cannot be dropped", describe(axis), describe_shape(*shape)));
      drop[*at] = true;
    }
    kept_shape.clear();
    kept_valid.clear();
    for (size_t i = 0; i < shape->size(); ++i) {
      if (drop[i]) continue;
      kept_shape.push_back((*shape)[i]);
      kept_valid.push_back(valid[i]);
    }
  }
  TensorView view;
  view.valid_shape = in.context.list(kept_valid);
  view.pad = source->view != nullptr ? source->view->pad : PadValue::Null;
  if (const AttrValue* pad = in.keyword("pad_value", AttrKind::PadValue))
    view.pad = enum_from_number<PadValue>(pad->enum_number()).value_or(PadValue::Null);
  return make_tensor(in.context, source->kind, source->dtype, in.context.list(kept_shape), view, source->window_buffer);
}

const Type* tensor_reshape(TypeRuleInput& in) {
  const TensorType* source = tensor_arg(in, 0);
  std::optional<List<const Expr*>> shape = tuple_elements(in.args[1]);
  if (source == nullptr || !shape.has_value()) return nullptr;
  std::optional<int64_t> before = element_count(source->shape);
  std::optional<int64_t> after = element_count(*shape);
  if (before.has_value() && after.has_value() && *before != *after)
    return in.misfit(fmt::format("{} elements of `{}` do not make {} of {}", *before, describe(source), *after,
                                 describe_shape(*shape)));
  if (!is_packed(source) || !is_fully_valid(source) || in.args.size() > 2) return nullptr;
  TensorView view;
  view.pad = source->view != nullptr ? source->view->pad : PadValue::Null;
  return make_tensor(in.context, TypeKind::TensorType, source->dtype, *shape, view);
}

// The last two axes swapped also swap the layout; the strides tell where the elements really are.
const Type* tensor_transpose(TypeRuleInput& in) {
  const TensorType* source = tensor_arg(in, 0);
  std::optional<int64_t> first = const_int(in.args[1]);
  std::optional<int64_t> second = const_int(in.args[2]);
  if (source == nullptr || !first.has_value() || !second.has_value()) return nullptr;
  size_t rank = source->shape.size();
  std::optional<size_t> a = normalize_axis(*first, rank);
  std::optional<size_t> b = normalize_axis(*second, rank);
  if (!a.has_value() || !b.has_value() || *a == *b)
    return in.misfit(fmt::format("axes {} and {} of `{}`", *first, *second, describe(source)));
  if (!is_packed(source) || in.args.size() > 3) return nullptr;
  std::optional<List<const Expr*>> strides = row_major_strides(in.context, source->shape);
  if (!strides.has_value()) return nullptr;
  TensorView view;
  if (source->view != nullptr) view = *source->view;
  if (std::max(*a, *b) == rank - 1 && std::min(*a, *b) + 2 == rank) view.layout = TensorLayout::Dn;
  view.stride = swapped(in.context, *strides, *a, *b);
  view.valid_shape = swapped(in.context, view.valid_shape, *a, *b);
  return make_tensor(in.context, TypeKind::TensorType, source->dtype, swapped(in.context, source->shape, *a, *b), view);
}

// With a shape only: that shape in the source's layout with its strides written out.
const Type* tensor_view(TypeRuleInput& in) {
  const TensorType* source = tensor_arg(in, 0);
  if (source == nullptr || in.args.size() != 2 || in.keyword("layout", AttrKind::TensorLayout) != nullptr)
    return nullptr;
  std::optional<List<const Expr*>> shape = tuple_elements(in.args[1]);
  if (!shape.has_value() || !is_packed(source) || !is_fully_valid(source)) return nullptr;
  std::optional<List<const Expr*>> strides = row_major_strides(in.context, *shape);
  if (!strides.has_value()) return nullptr;
  TensorView view;
  view.stride = *strides;
  return make_tensor(in.context, source->kind, source->dtype, *shape, view, source->window_buffer);
}

const Type* tensor_set_validshape(TypeRuleInput& in) {
  const TensorType* source = tensor_arg(in, 0);
  if (source == nullptr) return nullptr;
  if (source->shape.size() != 2) return in.misfit(fmt::format("`{}` does not have two axes", describe(source)));
  TensorView view;
  if (source->view != nullptr) view = *source->view;
  view.valid_shape = in.context.list({in.args[1], in.args[2]});
  return make_tensor(in.context, source->kind, source->dtype, source->shape, view, source->window_buffer);
}

const Type* tensor_fillpad(TypeRuleInput& in) {
  const TensorType* source = tensor_arg(in, 0);
  if (source == nullptr) return nullptr;
  TensorView view;
  if (source->view != nullptr) view = *source->view;
  view.valid_shape = {};
  return make_tensor(in.context, TypeKind::TensorType, source->dtype, source->shape, view);
}

// Along the last axis.
const Type* tensor_concat(TypeRuleInput& in) {
  const TensorType* left = tensor_arg(in, 0);
  const TensorType* right = tensor_arg(in, 1);
  if (left == nullptr || right == nullptr || left->shape.empty() || left->shape.size() != right->shape.size())
    return nullptr;
  std::optional<int64_t> a = const_int(left->shape.back());
  std::optional<int64_t> b = const_int(right->shape.back());
  int64_t sum = 0;
  if (!a || !b || !is_fully_valid(left) || !is_fully_valid(right) || __builtin_add_overflow(*a, *b, &sum))
    return nullptr;
  std::vector<const Expr*> shape(left->shape.begin(), left->shape.end());
  shape.back() = in.context.const_int(sum);
  return plain(in, left->dtype, in.context.list(shape));
}

const Type* tensor_gather(TypeRuleInput& in) {
  const TensorType* source = tensor_arg(in, 0);
  const TensorType* index = tensor_arg(in, 1);
  if (source == nullptr || index == nullptr || !is_fully_valid(source) || !is_fully_valid(index)) return nullptr;
  return plain(in, source->dtype, index->shape);
}

// Half of the split axis for each of the two vector cores.
const Type* tensor_shard(TypeRuleInput& in) {
  const TensorType* source = tensor_arg(in, 0);
  int64_t split = in.int_keyword("split", 0);
  if (source == nullptr || source->shape.size() != 2 || split < 1 || split > 2 || !is_fully_valid(source))
    return nullptr;
  std::vector<const Expr*> shape(source->shape.begin(), source->shape.end());
  const Expr*& extent = shape[static_cast<size_t>(split - 1)];
  std::optional<int64_t> whole = const_int(extent);
  if (!whole.has_value() || *whole % 2 != 0) return nullptr;
  extent = in.context.const_int(*whole / 2);
  return plain(in, source->dtype, in.context.list(shape));
}

const Type* tensor_binary(TypeRuleInput& in) {
  const TensorType* left = tensor_arg(in, 0);
  const TensorType* right = tensor_arg(in, 1);
  if (right == nullptr) return as_scalar(in.args[1]->type) != nullptr ? tensor_scalar(in) : nullptr;
  std::optional<List<const Expr*>> shape = broadcast(in.context, left->shape, right->shape);
  if (!shape.has_value())
    return in.misfit(fmt::format("shapes of `{}` and `{}` do not agree", describe(left), describe(right)));
  DType dtype = promote(left->dtype, right->dtype);
  if (is_fully_valid(left) && is_fully_valid(right)) return plain(in, dtype, *shape);
  bool same_region =
      extents_equal(left->shape, right->shape) && extents_equal(valid_shape_of(left), valid_shape_of(right));
  return same_region ? like_operand(in, dtype) : nullptr;
}

const Type* tensor_scalar(TypeRuleInput& in) {
  const TensorType* left = tensor_arg(in, 0);
  const ScalarType* right = as_scalar(in.args[1]->type);
  if (left == nullptr || right == nullptr) return nullptr;
  return like_operand(in, promote(left->dtype, right->dtype));
}

const Type* tensor_scalar_int(TypeRuleInput& in) {
  const TensorType* left = tensor_arg(in, 0);
  return left != nullptr ? like_operand(in, left->dtype) : nullptr;
}

const Type* tensor_unary(TypeRuleInput& in) {
  const TensorType* source = tensor_arg(in, 0);
  return source != nullptr ? like_operand(in, source->dtype) : nullptr;
}

const Type* tensor_unary_float(TypeRuleInput& in) {
  const TensorType* source = tensor_arg(in, 0);
  if (source == nullptr) return nullptr;
  return like_operand(in, is_float(source->dtype) ? source->dtype : DType::Fp32);
}

const Type* tensor_unary_full(TypeRuleInput& in) {
  const TensorType* source = tensor_arg(in, 0);
  return source != nullptr ? plain(in, source->dtype, source->shape) : nullptr;
}

const Type* tensor_cast(TypeRuleInput& in) {
  const AttrValue* target = in.keyword("target_type", AttrKind::DataType);
  if (tensor_arg(in, 0) == nullptr || target == nullptr) return nullptr;
  return like_operand(in, target->as_dtype());
}

const Type* tensor_row_reduce(TypeRuleInput& in) {
  return reduce(in, -1);
}
const Type* tensor_col_reduce(TypeRuleInput& in) {
  return reduce(in, -2);
}

const Type* tensor_expand(TypeRuleInput& in) {
  const TensorType* source = tensor_arg(in, 0);
  const TensorType* vector = tensor_arg(in, 1);
  if (source == nullptr || vector == nullptr) return nullptr;
  return plain(in, promote(source->dtype, vector->dtype), source->shape);
}

const Type* tensor_matmul(TypeRuleInput& in) {
  const TensorType* lhs = tensor_arg(in, 0);
  const TensorType* rhs = tensor_arg(in, 1);
  if (lhs == nullptr || rhs == nullptr || lhs->shape.size() < 2 || rhs->shape.size() < 2) return nullptr;
  MatrixShape a = matrix_shape(lhs, in.bool_keyword("a_trans"));
  MatrixShape b = matrix_shape(rhs, in.bool_keyword("b_trans"));
  std::optional<int64_t> inner_a = const_int(a.columns);
  std::optional<int64_t> inner_b = const_int(b.rows);
  if (inner_a.has_value() && inner_b.has_value() && *inner_a != *inner_b)
    return in.misfit(fmt::format("inner extents {} of `{}` and {} of `{}` do not agree", *inner_a, describe(lhs),
                                 *inner_b, describe(rhs)));
  std::optional<List<const Expr*>> batch = broadcast(in.context, a.batch, b.batch);
  if (!batch.has_value())
    return in.misfit(fmt::format("batch extents of `{}` and `{}` do not agree", describe(lhs), describe(rhs)));
  std::vector<const Expr*> shape(batch->begin(), batch->end());
  shape.push_back(a.rows);
  shape.push_back(b.columns);
  const AttrValue* out = in.keyword("out_dtype", AttrKind::DataType);
  DType dtype = out != nullptr ? out->as_dtype() : promote(lhs->dtype, rhs->dtype);
  return plain(in, dtype, in.context.list(shape));
}

}  // namespace pyptoc::ir::rules
