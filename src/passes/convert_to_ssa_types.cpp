// SPDX-License-Identifier: Apache-2.0
// Chooses between the declared type of a variable and the type of what is assigned.
#include "passes/convert_to_ssa_types.h"

#include "ir/equal.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

bool has_better_type(const Expr* value) {
  TypeKind kind = value->type->kind;
  return kind != TypeKind::UnknownType &&
         (is_var(value->kind) || as_shaped(value->type) != nullptr || kind == TypeKind::TupleType);
}

// Same element type and rank, no extent less known, and one that only the declaration knows as a constant.
bool says_more(const ShapedType* declared, const ShapedType* assigned) {
  if (declared == nullptr || assigned == nullptr || declared->kind != assigned->kind ||
      declared->dtype != assigned->dtype || declared->shape.size() != assigned->shape.size())
    return false;
  bool more = false;
  for (size_t i = 0; i < declared->shape.size(); ++i) {
    bool known = is<ConstInt>(declared->shape[i]);
    if (is<ConstInt>(assigned->shape[i]) && !extent_equal(declared->shape[i], assigned->shape[i])) return false;
    more |= known && !is<ConstInt>(assigned->shape[i]);
  }
  return more;
}

template <class T>
const Type* with_storage(Context& context, const T* type, const ShapedType* from) {
  T draft = *type;
  if (draft.memref == nullptr) draft.memref = from->memref;
  if constexpr (std::is_same_v<T, TensorType>)
    if (draft.window_buffer == nullptr && as_tensor(from) != nullptr)
      draft.window_buffer = as_tensor(from)->window_buffer;
  return context.copy(draft);
}

bool lacks_storage(const Type* type, const ShapedType* from) {
  const ShapedType* shaped = as_shaped(type);
  if (shaped == nullptr || from == nullptr || shaped->kind != from->kind) return false;
  if (shaped->memref == nullptr && from->memref != nullptr) return true;
  return as_tensor(type) != nullptr && as_tensor(type)->window_buffer == nullptr &&
         as_tensor(from)->window_buffer != nullptr;
}

}  // namespace

const Type* type_of_version(Context& context, const Type* declared, const Expr* value, bool single_definition) {
  const ShapedType* shaped = as_shaped(declared);
  if (!has_better_type(value)) return declared;
  if (single_definition && says_more(shaped, as_shaped(value->type))) return declared;
  const Type* chosen = value->type;
  if (lacks_storage(chosen, shaped)) {
    if (const TensorType* tensor = as_tensor(chosen))
      chosen = with_storage(context, tensor, shaped);
    else
      chosen = with_storage(context, as_tile(chosen), shaped);
  }
  TypeEqualOptions everything;
  everything.memref = true;
  everything.window_buffer = true;
  return type_equal(chosen, declared, everything) ? declared : chosen;
}

bool has_dynamic_extent(const Type* type) {
  if (as_shaped(type) == nullptr) return false;
  bool found = false;
  for_each_node_in_type(type, [&](const Node* node) { found |= !is_const(node->kind); });
  return found;
}

}  // namespace pyptoc::passes
