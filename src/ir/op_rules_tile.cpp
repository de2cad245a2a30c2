// SPDX-License-Identifier: Apache-2.0
// Type rules of tile.*, for tiles in vector memory with the layout that goes without saying; other layouts follow from
// rules of the memories that the kernel passes own, and count as not known here.
#include <fmt/format.h>

#include <algorithm>

#include "ir/describe.h"
#include "ir/equal.h"
#include "ir/op_rules.h"

namespace pyptoc::ir::rules {

namespace {

const TileType* tile_arg(const TypeRuleInput& in, size_t i) {
  return i < in.args.size() ? as_tile(in.args[i]->type) : nullptr;
}

const TileType* make_tile(TypeRuleInput& in, DType dtype, List<const Expr*> shape, MemorySpace memory,
                          const TileView* view = nullptr) {
  TileType draft;
  draft.kind = TypeKind::TileType;
  draft.dtype = dtype;
  draft.shape = shape;
  draft.view = view;
  draft.has_memory_space = true;
  draft.memory_space = memory;
  return in.context.copy(draft);
}

bool in_memory(const TileType* tile, MemorySpace memory) {
  return tile->has_memory_space && tile->memory_space == memory;
}

bool in_vec(const TileType* tile) {
  return tile != nullptr && in_memory(tile, MemorySpace::Vec);
}

// In vector memory with nothing said about its layout.
bool is_plain(const TileType* tile) {
  return in_vec(tile) && tile->view == nullptr;
}

std::optional<MemorySpace> target_memory(const TypeRuleInput& in) {
  const AttrValue* value = in.keyword("target_memory", AttrKind::MemorySpace);
  return value != nullptr ? enum_from_number<MemorySpace>(value->enum_number()) : std::nullopt;
}

const Type* from_shape(TypeRuleInput& in, size_t position) {
  const AttrValue* dtype = in.keyword("dtype", AttrKind::DataType);
  std::optional<List<const Expr*>> shape = tuple_elements(in.args[position]);
  if (dtype == nullptr || !shape.has_value()) return nullptr;
  if (!shape->empty() && is_one(shape->back())) return nullptr;  // one column: the layout is told
  return make_tile(in, dtype->as_dtype(), *shape, MemorySpace::Vec);
}

const Type* reduce(TypeRuleInput& in, size_t from_end) {
  const TileType* source = tile_arg(in, 0);
  if (!in_vec(source) || source->shape.size() != 2) return nullptr;
  if (source->view != nullptr && !source->view->valid_shape.empty()) return nullptr;
  std::vector<const Expr*> shape(source->shape.begin(), source->shape.end());
  shape[shape.size() - from_end] = in.context.const_int(1);
  return make_tile(in, source->dtype, in.context.list(shape), MemorySpace::Vec);
}

}  // namespace

const Type* tile_create(TypeRuleInput& in) {
  if (in.bool_keyword("transpose") || in.bool_keyword("flat_layout")) return nullptr;
  const AttrValue* dtype = in.keyword("dtype", AttrKind::DataType);
  std::optional<MemorySpace> memory = target_memory(in);
  std::optional<List<const Expr*>> shape = tuple_elements(in.args[0]);
  if (dtype == nullptr || !memory.has_value() || !shape.has_value()) return nullptr;
  return make_tile(in, dtype->as_dtype(), *shape, *memory);
}

const Type* tile_full0(TypeRuleInput& in) {
  return from_shape(in, 0);
}
const Type* tile_full1(TypeRuleInput& in) {
  return from_shape(in, 1);
}

const Type* tile_load(TypeRuleInput& in) {
  const TensorType* source = as_tensor(in.args[0]->type);
  std::optional<MemorySpace> memory = target_memory(in);
  std::optional<List<const Expr*>> shape = tuple_elements(in.args[2]);
  std::optional<List<const Expr*>> valid = tuple_elements(in.args[3]);
  if (source == nullptr || !memory.has_value() || !shape.has_value() || !valid.has_value()) return nullptr;
  if (source->view != nullptr || !extents_equal(*shape, *valid)) return nullptr;
  if (*memory != MemorySpace::Vec && !shape->empty() && is_one(shape->front())) return nullptr;  // likewise one row
  return make_tile(in, source->dtype, *shape, *memory);
}

// The tensor with what it held and what was written; known where all of it is valid.
const Type* tile_store(TypeRuleInput& in) {
  const TensorType* target = as_tensor(in.args[2]->type);
  return target != nullptr && is_fully_valid(target) ? target : nullptr;
}

const Type* tile_move(TypeRuleInput& in) {
  const TileType* source = tile_arg(in, 0);
  std::optional<MemorySpace> memory = target_memory(in);
  bool plain_layout =
      in.keyword("blayout", AttrKind::TileLayout) == nullptr && in.keyword("slayout", AttrKind::TileLayout) == nullptr;
  if (source == nullptr || !memory.has_value() || !plain_layout || source->view != nullptr) return nullptr;
  if (*memory == MemorySpace::Vec && !in_vec(source)) return nullptr;  // keeps the layout of the cube side
  return make_tile(in, source->dtype, source->shape, *memory);
}

const Type* tile_reshape(TypeRuleInput& in) {
  const TileType* source = tile_arg(in, 0);
  std::optional<List<const Expr*>> shape = tuple_elements(in.args[1]);
  if (!is_plain(source) || !shape.has_value()) return nullptr;
  return make_tile(in, source->dtype, *shape, MemorySpace::Vec);
}

const Type* tile_binary(TypeRuleInput& in) {
  const TileType* left = tile_arg(in, 0);
  const TileType* right = tile_arg(in, 1);
  if (!is_plain(left) || !is_plain(right) || !extents_equal(left->shape, right->shape)) return nullptr;
  return make_tile(in, promote(left->dtype, right->dtype), left->shape, MemorySpace::Vec);
}

const Type* tile_scalar(TypeRuleInput& in) {
  const TileType* left = tile_arg(in, 0);
  return in_vec(left) ? make_tile(in, left->dtype, left->shape, MemorySpace::Vec, left->view) : nullptr;
}

const Type* tile_unary(TypeRuleInput& in) {
  const TileType* source = tile_arg(in, 0);
  if (!in_vec(source) || !is_float(source->dtype)) return nullptr;
  return make_tile(in, source->dtype, source->shape, MemorySpace::Vec, source->view);
}

const Type* tile_cast(TypeRuleInput& in) {
  const TileType* source = tile_arg(in, 0);
  const AttrValue* target = in.keyword("target_type", AttrKind::DataType);
  if (!in_vec(source) || target == nullptr) return nullptr;
  return make_tile(in, target->as_dtype(), source->shape, MemorySpace::Vec, source->view);
}

const Type* tile_row_reduce(TypeRuleInput& in) {
  return reduce(in, 1);
}
const Type* tile_col_reduce(TypeRuleInput& in) {
  return reduce(in, 2);
}

const Type* tile_expand(TypeRuleInput& in) {
  const TileType* source = tile_arg(in, 0);
  const TileType* vector = tile_arg(in, 1);
  if (!is_plain(source) || !in_vec(vector)) return nullptr;
  return make_tile(in, promote(source->dtype, vector->dtype), source->shape, MemorySpace::Vec);
}

const Type* tile_matmul(TypeRuleInput& in) {
  const TileType* lhs = tile_arg(in, 0);
  const TileType* rhs = tile_arg(in, 1);
  if (lhs == nullptr || rhs == nullptr || lhs->shape.size() != 2 || rhs->shape.size() != 2) return nullptr;
  for (const TileType* side : {lhs, rhs})
    if (side->view != nullptr && !side->view->valid_shape.empty()) return nullptr;
  std::optional<int64_t> a = const_int(lhs->shape[1]);
  std::optional<int64_t> b = const_int(rhs->shape[0]);
  if (a.has_value() && b.has_value() && *a != *b)
    return in.misfit(fmt::format("inner extents of `{}` and `{}` do not agree", describe(lhs), describe(rhs)));
  bool floats = is_float(lhs->dtype) && is_float(rhs->dtype);
  return make_tile(in, floats ? DType::Fp32 : DType::Int32, in.context.list({lhs->shape[0], rhs->shape[1]}),
                   MemorySpace::Acc);
}

}  // namespace pyptoc::ir::rules
