// SPDX-License-Identifier: Apache-2.0
// Types: extents are integers, views have one entry for each axis, memory has a base.
#include "diag/codes_verify.h"
#include "ir/depth_guard.h"
#include "ir/describe.h"
#include "ir/verifier_body.h"

namespace pyptoc::ir {

void BodyVerifier::check_type(const Type* type, const Node* at) {
  if (const ShapedType* shaped = as_shaped(type)) {
    check_shaped(shaped, at);
  } else if (const ArrayType* array = as_array(type)) {
    check_extents(array->shape, "extent", type, at, false);
    if (array->shape.size() != 1)
      engine_.report(diag::codes::view_rank, place_of(at), "shape", describe(type), array->shape.size(), 1);
  } else if (const TupleType* tuple = as_tuple(type)) {
    DepthGuard guard(depth_);
    for (const Type* member : tuple->types) check_type(member, at);
  }
}

void BodyVerifier::check_shaped(const ShapedType* type, const Node* at) {
  check_extents(type->shape, "extent", type, at, false);
  if (const TensorType* tensor = as_tensor(type)) {
    if (tensor->view != nullptr) check_view(type, tensor->view->valid_shape, tensor->view->stride, at);
    if (tensor->window_buffer != nullptr && !is<WindowBuffer>(tensor->window_buffer))
      engine_.report(diag::codes::wrong_variable_kind, place_of(at), tensor->window_buffer->name_hint, "a WindowBuffer",
                     name_of(tensor->window_buffer->kind));
  } else if (const TileType* tile = as_tile(type); tile->view != nullptr) {
    check_view(type, tile->view->valid_shape, tile->view->stride, at);
  }
  const MemRefInfo* memref = type->memref;
  if (memref == nullptr) return;
  if (memref->base_node->type->kind != TypeKind::Ptr)
    engine_.report(diag::codes::wrong_variable_kind, place_of(at), memref->base_node->name_hint, "of type Ptr",
                   describe(memref->base_node->type));
  const Expr* offset[] = {memref->byte_offset};
  check_extents(offset, "byte offset", type, at, false);
}

void BodyVerifier::check_view(const ShapedType* type, List<const Expr*> valid, List<const Expr*> strides,
                              const Node* at) {
  size_t rank = type->shape.size();
  if (!valid.empty() && valid.size() != rank)
    engine_.report(diag::codes::view_rank, place_of(at), "valid shape", describe(type), valid.size(), rank);
  if (!strides.empty() && strides.size() != rank)
    engine_.report(diag::codes::view_rank, place_of(at), "stride list", describe(type), strides.size(), rank);
  check_extents(valid, "valid extent", type, at, false);
  check_extents(strides, "stride", type, at, true);
  if (valid.size() != rank) return;
  for (size_t i = 0; i < rank; ++i) {
    std::optional<int64_t> extent = const_int(type->shape[i]);
    std::optional<int64_t> real = const_int(valid[i]);
    if (extent.has_value() && real.has_value() && *real > *extent)
      engine_.report(diag::codes::bad_extent, place_of(at), "valid extent", describe(type),
                     "at most " + std::to_string(*extent), std::to_string(*real));
  }
}

void BodyVerifier::check_extents(List<const Expr*> extents, std::string_view what, const Type* type, const Node* at,
                                 bool may_be_negative) {
  for (const Expr* extent : extents) {
    const ScalarType* scalar = as_scalar(extent->type);
    std::optional<int64_t> value = const_int(extent);
    if (scalar == nullptr || !is_integer(scalar->dtype))
      engine_.report(diag::codes::bad_extent, place_of(at), what, describe(type), "an integer scalar",
                     describe(extent->type));
    else if (!may_be_negative && value.has_value() && *value < 0)
      engine_.report(diag::codes::bad_extent, place_of(at), what, describe(type), "0 or more", std::to_string(*value));
  }
}

}  // namespace pyptoc::ir
