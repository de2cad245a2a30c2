// SPDX-License-Identifier: Apache-2.0
// Exact equality of types and of the expressions inside them.
#include "text/type_match.h"

#include "ir/depth_guard.h"
#include "ir/reflect.h"

namespace pyptoc::text {

namespace {

// One comparison; `budget` bounds the work on shared expressions.
class Match {
 public:
  bool types(const ir::Type* a, const ir::Type* b, bool storage);
  bool exprs(const ir::Expr* a, const ir::Expr* b);

 private:
  template <class T>
  bool field(const T& a, const T& b);
  template <class T>
  bool list(const ir::List<T>& a, const ir::List<T>& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
      if (!field(a[i], b[i])) return false;
    return true;
  }
  bool attr(const ir::Attr& a, const ir::Attr& b);
  bool memrefs(const ir::MemRefInfo* a, const ir::MemRefInfo* b);
  bool tensors(const ir::TensorType& a, const ir::TensorType& b, bool storage);
  bool tiles(const ir::TileType& a, const ir::TileType& b);

  int depth_ = 0;
  int budget_ = 100000;
};

bool Match::exprs(const ir::Expr* a, const ir::Expr* b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr || a->kind != b->kind || ir::is_var(a->kind)) return false;
  if (depth_ > ir::kMaxNesting || --budget_ < 0) return false;
  ++depth_;
  bool equal = types(a->type, b->type, true) && ir::dispatch(a, [&](const auto& first) {
                 using S = std::remove_cvref_t<decltype(first)>;
                 const S& second = *static_cast<const S*>(static_cast<const ir::Node*>(b));
                 bool all = true;
                 ir::for_each_field<S>([&](const auto& described) {
                   all = all && field(first.*(described.member), second.*(described.member));
                 });
                 return all;
               });
  --depth_;
  return equal;
}

template <class T>
bool Match::field(const T& a, const T& b) {
  if constexpr (std::is_pointer_v<T> && std::is_base_of_v<ir::Expr, std::remove_cv_t<std::remove_pointer_t<T>>>) {
    return exprs(a, b);
  } else if constexpr (std::is_same_v<T, const ir::Type*>) {
    return types(a, b, true);
  } else if constexpr (std::is_same_v<T, ir::Attr>) {
    return attr(a, b);
  } else if constexpr (requires { typename T::element_type; } && !std::is_same_v<T, std::string_view>) {
    return list(a, b);
  } else if constexpr (std::is_same_v<T, const ir::Stmt*> || std::is_same_v<T, const ir::Function*>) {
    return a == b;  // no part of expressions
  } else {
    return a == b;
  }
}

bool Match::attr(const ir::Attr& a, const ir::Attr& b) {
  using ir::AttrKind;
  if (a.key != b.key || a.value.kind() != b.value.kind()) return false;
  switch (a.value.kind()) {
    case AttrKind::Float:
      return a.value.as_float() == b.value.as_float();
    case AttrKind::String:
      return a.value.as_string() == b.value.as_string();
    case AttrKind::ArgDirectionVector:
    case AttrKind::Int32Vector:
      return list(a.value.as_ints(), b.value.as_ints());
    case AttrKind::Var:
      return a.value.as_var() == b.value.as_var();
    case AttrKind::VarList:
      return list(a.value.as_vars(), b.value.as_vars());
    case AttrKind::Expr:
      return exprs(a.value.as_expr(), b.value.as_expr());
    default:
      return a.value.enum_number() == b.value.enum_number();
  }
}

bool Match::memrefs(const ir::MemRefInfo* a, const ir::MemRefInfo* b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr) return false;
  return a->base_node == b->base_node && exprs(a->byte_offset, b->byte_offset) && a->size == b->size &&
         a->is_pinned == b->is_pinned && a->slot_count == b->slot_count && exprs(a->slot_index, b->slot_index);
}

bool Match::tensors(const ir::TensorType& a, const ir::TensorType& b, bool storage) {
  if (storage ? a.window_buffer != b.window_buffer : a.window_buffer != nullptr) return false;
  if (a.view == b.view) return true;
  if (a.view == nullptr || b.view == nullptr) return false;
  return a.view->layout == b.view->layout && a.view->pad == b.view->pad && list(a.view->stride, b.view->stride) &&
         list(a.view->valid_shape, b.view->valid_shape);
}

bool Match::tiles(const ir::TileType& a, const ir::TileType& b) {
  if (a.has_memory_space != b.has_memory_space || (a.has_memory_space && a.memory_space != b.memory_space))
    return false;
  if (a.view == b.view) return true;
  if (a.view == nullptr || b.view == nullptr) return false;
  const ir::TileView& u = *a.view;
  const ir::TileView& v = *b.view;
  return u.blayout == v.blayout && u.slayout == v.slayout && u.fractal == v.fractal && u.pad == v.pad &&
         u.compact == v.compact && list(u.valid_shape, v.valid_shape) && list(u.stride, v.stride) &&
         exprs(u.start_offset, v.start_offset);
}

bool Match::types(const ir::Type* a, const ir::Type* b, bool storage) {
  if (a == b && storage) return true;
  if (a->kind != b->kind || depth_ > ir::kMaxNesting || --budget_ < 0) return false;
  if (const ir::ScalarType* scalar = ir::as_scalar(a)) return scalar->dtype == ir::as_scalar(b)->dtype;
  ++depth_;
  bool equal = true;
  if (const ir::ShapedType* shaped = ir::as_shaped(a)) {
    const ir::ShapedType* other = ir::as_shaped(b);
    equal = shaped->dtype == other->dtype && list(shaped->shape, other->shape) &&
            (storage ? memrefs(shaped->memref, other->memref) : shaped->memref == nullptr);
    if (equal && ir::as_tensor(a) != nullptr)
      equal = tensors(*ir::as_tensor(a), *ir::as_tensor(b), storage);
    else if (equal)
      equal = tiles(*ir::as_tile(a), *ir::as_tile(b));
  } else if (const ir::ArrayType* array = ir::as_array(a)) {
    equal = array->dtype == ir::as_array(b)->dtype && list(array->shape, ir::as_array(b)->shape);
  } else if (const ir::TupleType* tuple = ir::as_tuple(a)) {
    equal = list(tuple->types, ir::as_tuple(b)->types);
  }
  --depth_;
  return equal;
}

}  // namespace

bool same_type(const ir::Type* a, const ir::Type* b) {
  return Match().types(a, b, true);
}
bool same_expr(const ir::Expr* a, const ir::Expr* b) {
  return Match().exprs(a, b);
}
bool same_but_for_storage(const ir::Type* a, const ir::Type* b) {
  return Match().types(a, b, false);
}

}  // namespace pyptoc::text
