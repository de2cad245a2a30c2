// SPDX-License-Identifier: Apache-2.0
// Equality of expressions and types inside one program.
#include <algorithm>
#include <bit>
#include <type_traits>

#include "ir/equal.h"
#include "ir/reflect.h"

namespace pyptoc::ir {

namespace {

// Extents and offsets are small; what exceeds these bounds is not worth the time to compare.
constexpr int kMaxDepth = 64;
constexpr int kMaxSteps = 4096;

class ExprComparer {
 public:
  explicit ExprComparer(bool constants_by_value) : constants_by_value_(constants_by_value) {}

  bool equal(const Expr* a, const Expr* b) {
    if (a == b) return true;
    if (a == nullptr || b == nullptr) return false;
    if (constants_by_value_ && is<ConstInt>(a) && is<ConstInt>(b)) return *const_int(a) == *const_int(b);
    if (a->kind != b->kind || is_var(a->kind) || depth_ >= kMaxDepth || ++steps_ > kMaxSteps) return false;
    if (!same_scalar_or_kind(a->type, b->type)) return false;
    ++depth_;
    bool same = dispatch(a, [&](const auto& left) {
      using S = std::remove_cvref_t<decltype(left)>;
      const auto& right = static_cast<const S&>(static_cast<const Node&>(*b));
      bool all = true;
      for_each_field<S>([&](const auto& described) {
        all = all && value_equal(left.*(described.member), right.*(described.member));
      });
      return all;
    });
    --depth_;
    return same;
  }

 private:
  // The kind is enough for other types: the same operator on the same operands gives the same type.
  static bool same_scalar_or_kind(const Type* a, const Type* b) {
    return a->kind == b->kind && (as_scalar(a) == nullptr || as_scalar(a)->dtype == as_scalar(b)->dtype);
  }

  template <class V>
  bool value_equal(const V& a, const V& b) {
    if constexpr (std::is_same_v<V, double>) {
      return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
    } else if constexpr (std::is_convertible_v<V, const Expr*>) {
      return equal(a, b);
    } else if constexpr (std::is_same_v<V, List<const Expr*>>) {
      return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                        [this](const Expr* x, const Expr* y) { return equal(x, y); });
    } else if constexpr (std::is_same_v<V, List<Attr>>) {
      return std::equal(a.begin(), a.end(), b.begin(), b.end(), [this](const Attr& x, const Attr& y) {
        return x.key == y.key && attr_equal(x.value, y.value);
      });
    } else if constexpr (requires { a == b; }) {
      return a == b;
    } else {
      return a.data() == b.data() && a.size() == b.size();  // lists that no expression has
    }
  }

  bool attr_equal(const AttrValue& a, const AttrValue& b) {
    if (a.kind() != b.kind()) return false;
    switch (a.kind()) {
      case AttrKind::String:
        return a.as_string() == b.as_string();
      case AttrKind::Float:
        return value_equal(a.as_float(), b.as_float());
      case AttrKind::ArgDirectionVector:
      case AttrKind::Int32Vector:
        return std::equal(a.as_ints().begin(), a.as_ints().end(), b.as_ints().begin(), b.as_ints().end());
      case AttrKind::Var:
        return a.as_var() == b.as_var();
      case AttrKind::VarList:
        return std::equal(a.as_vars().begin(), a.as_vars().end(), b.as_vars().begin(), b.as_vars().end());
      case AttrKind::Expr:
        return equal(a.as_expr(), b.as_expr());
      default:
        return a.enum_number() == b.enum_number();
    }
  }

  bool constants_by_value_;
  int depth_ = 0;
  int steps_ = 0;
};

List<const Expr*> or_shape(List<const Expr*> valid_shape, const ShapedType* type) {
  return valid_shape.empty() ? type->shape : valid_shape;
}

bool views_equal(const TensorType* a, const TensorType* b) {
  static const TensorView kNone;
  const TensorView& x = a->view != nullptr ? *a->view : kNone;
  const TensorView& y = b->view != nullptr ? *b->view : kNone;
  return x.layout == y.layout && x.pad == y.pad && extents_equal(x.stride, y.stride) &&
         extents_equal(or_shape(x.valid_shape, a), or_shape(y.valid_shape, b));
}

// A missing tile view stands for one that depends on shape and memory, so it is not the same as an explicit one.
bool views_equal(const TileType* a, const TileType* b) {
  if (a->view == nullptr || b->view == nullptr) return a->view == b->view;
  const TileView& x = *a->view;
  const TileView& y = *b->view;
  bool offsets = x.start_offset == y.start_offset || extent_equal(x.start_offset, y.start_offset);
  return x.blayout == y.blayout && x.slayout == y.slayout && x.fractal == y.fractal && x.pad == y.pad &&
         x.compact == y.compact && offsets && extents_equal(x.stride, y.stride) &&
         extents_equal(or_shape(x.valid_shape, a), or_shape(y.valid_shape, b));
}

bool memrefs_equal(const MemRefInfo* a, const MemRefInfo* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->base_node == b->base_node && extent_equal(a->byte_offset, b->byte_offset) && a->size == b->size &&
         a->is_pinned == b->is_pinned && a->slot_count == b->slot_count && extent_equal(a->slot_index, b->slot_index);
}

bool shaped_equal(const ShapedType* a, const ShapedType* b, const TypeEqualOptions& options) {
  if (a->dtype != b->dtype || !extents_equal(a->shape, b->shape)) return false;
  if (options.memref && !memrefs_equal(a->memref, b->memref)) return false;
  if (const TensorType* tensor = as_tensor(a)) {
    const TensorType* other = as_tensor(b);
    if (options.window_buffer && tensor->window_buffer != other->window_buffer) return false;
    return !options.views || views_equal(tensor, other);
  }
  const TileType* tile = as_tile(a);
  const TileType* other = as_tile(b);
  bool same_memory = tile->has_memory_space == other->has_memory_space &&
                     (!tile->has_memory_space || tile->memory_space == other->memory_space);
  if (options.memory_space && !same_memory) return false;
  return !options.views || views_equal(tile, other);
}

bool types_equal(const Type* a, const Type* b, const TypeEqualOptions& options, int depth) {
  if (a == b) return true;
  if (a->kind != b->kind || depth > kMaxDepth) return false;
  if (const ScalarType* scalar = as_scalar(a)) return scalar->dtype == as_scalar(b)->dtype;
  if (const ShapedType* shaped = as_shaped(a)) return shaped_equal(shaped, as_shaped(b), options);
  if (const ArrayType* array = as_array(a))
    return array->dtype == as_array(b)->dtype && extents_equal(array->shape, as_array(b)->shape);
  if (const TupleType* tuple = as_tuple(a)) {
    List<const Type*> others = as_tuple(b)->types;
    return std::equal(tuple->types.begin(), tuple->types.end(), others.begin(), others.end(),
                      [&](const Type* x, const Type* y) { return types_equal(x, y, options, depth + 1); });
  }
  return true;
}

}  // namespace

bool expr_equal(const Expr* a, const Expr* b) {
  return ExprComparer(false).equal(a, b);
}

bool extent_equal(const Expr* a, const Expr* b) {
  return ExprComparer(true).equal(a, b);
}

bool extents_equal(List<const Expr*> a, List<const Expr*> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), extent_equal);
}

bool type_equal(const Type* a, const Type* b, const TypeEqualOptions& options) {
  return types_equal(a, b, options, 0);
}

}  // namespace pyptoc::ir
