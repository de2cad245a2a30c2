// SPDX-License-Identifier: Apache-2.0
#include "passes/contiguous_types.h"

#include <fmt/format.h>

#include "ir/op_rules.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

bool constant(List<const Expr*> list) {
  for (const Expr* e : list)
    if (!const_int(e)) return false;
  return true;
}

bool same_constants(List<const Expr*> a, List<const Expr*> b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!const_int(a[i]) || const_int(a[i]) != const_int(b[i])) return false;
  return true;
}

bool is_packed_stride(List<const Expr*> stride, List<const Expr*> shape) {
  if (stride.size() != shape.size() || !constant(shape)) return false;
  int64_t packed = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (const_int(stride[i]) != packed) return false;
    if (__builtin_mul_overflow(packed, *const_int(shape[i]), &packed)) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> layout_fault(const TensorType* type) {
  if (type == nullptr || type->view == nullptr) return std::nullopt;
  const TensorView& view = *type->view;
  if (view.layout != TensorLayout::Nd) return fmt::format("has layout `{}`", name_of(view.layout));
  if (!view.valid_shape.empty() && !same_constants(view.valid_shape, type->shape))
    return "has a valid shape that is not its shape";
  if (!view.stride.empty() && !is_packed_stride(view.stride, type->shape))
    return "has strides that are not the packed ones of a constant shape";
  return std::nullopt;
}

std::optional<std::string> slice_fault(const Call* slice) {
  const TensorType* source = as_tensor(slice->args[0]->type);
  std::optional<List<const Expr*>> shape = tuple_elements(slice->args[1]);
  std::optional<List<const Expr*>> offsets = tuple_elements(slice->args[2]);
  if (source == nullptr || !shape || !offsets || shape->size() != source->shape.size() ||
      offsets->size() != shape->size())
    return "it is a slice of another rank, or without literal extents";
  if (!constant(source->shape) || !constant(*shape)) return "it is a slice with extents that are not constant";
  if (!constant(*offsets)) return "it is a slice with offsets that are not constant";
  for (size_t i = 0; i < shape->size(); ++i) {
    const int64_t whole = *const_int(source->shape[i]);
    const int64_t part = *const_int((*shape)[i]);
    const int64_t offset = *const_int((*offsets)[i]);
    if (offset < 0 || part < 0 || part > whole || offset > whole - part) return "it is a slice that leaves its source";
    if (i > 0 && part != whole) return fmt::format("it is a slice that narrows dimension {}", i);
  }
  return std::nullopt;
}

}  // namespace pyptoc::passes
