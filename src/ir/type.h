// SPDX-License-Identifier: Apache-2.0
// Types of IR values. Types are values, not nodes: two types are the same when their parts are; see type_equal.
#pragma once

#include "ir/enums.h"
#include "ir/node.h"

namespace pyptoc::ir {

struct Expr;
struct Var;

// X(Kind): the name is the `type_kind` of files.
#define PYPTOC_TYPE_KINDS(X)                                                                         \
  X(ScalarType)                                                                                      \
  X(TensorType)                                                                                      \
  X(DistributedTensorType) X(TileType) X(ArrayType) X(TupleType) X(UnknownType) X(Ptr) X(MemRefType) \
      X(WindowBufferType) X(CommCtxType) X(PrefetchAsyncContextType) X(AsyncEventType) X(AsyncSessionType)

enum class TypeKind : uint8_t {
#define PYPTOC_KIND(K) K,
  PYPTOC_TYPE_KINDS(PYPTOC_KIND)
#undef PYPTOC_KIND
};
std::string_view name_of(TypeKind kind);

struct Type {
  TypeKind kind = TypeKind::UnknownType;
  Contents contents = {};  // of a value of the type; Context::copy computes it
};

struct ScalarType : Type {
  DType dtype = DType::Index;
};

// Storage of a tensor or tile that memory planning has placed. `base_node` is a Var of type Ptr.
struct MemRefInfo {
  const Var* base_node = nullptr;
  const Expr* byte_offset = nullptr;
  int64_t size = 0;  // bytes
  bool is_pinned = false;
  int64_t slot_count = 1;
  const Expr* slot_index = nullptr;  // may be null
};

struct TensorView {
  List<const Expr*> stride;  // elements; empty = packed
  TensorLayout layout = TensorLayout::Nd;
  List<const Expr*> valid_shape;  // empty = shape
  PadValue pad = PadValue::Null;
};

struct TileView {
  List<const Expr*> valid_shape;
  List<const Expr*> stride;
  const Expr* start_offset = nullptr;  // may be null
  TileLayout blayout = TileLayout::RowMajor;
  TileLayout slayout = TileLayout::NoneBox;
  int64_t fractal = 512;
  PadValue pad = PadValue::Null;
  Compact compact = Compact::Null;
};

// TensorType, DistributedTensorType and TileType: an element type and extents in elements, outermost first.
struct ShapedType : Type {
  DType dtype = DType::Fp32;
  List<const Expr*> shape;
  const MemRefInfo* memref = nullptr;  // may be null
};
struct TensorType : ShapedType {       // also holds DistributedTensorType
  const TensorView* view = nullptr;    // may be null
  const Var* window_buffer = nullptr;  // a WindowBuffer, DistributedTensorType only; may be null
};
struct TileType : ShapedType {
  const TileView* view = nullptr;  // may be null
  bool has_memory_space = false;
  MemorySpace memory_space = MemorySpace::Ddr;
};
struct ArrayType : Type {
  DType dtype = DType::Index;
  List<const Expr*> shape;  // one extent
};
struct TupleType : Type {
  List<const Type*> types;
};

inline const ScalarType* as_scalar(const Type* t) {
  return t->kind == TypeKind::ScalarType ? static_cast<const ScalarType*>(t) : nullptr;
}
// TensorType or DistributedTensorType.
inline const TensorType* as_tensor(const Type* t) {
  return t->kind == TypeKind::TensorType || t->kind == TypeKind::DistributedTensorType
             ? static_cast<const TensorType*>(t)
             : nullptr;
}
inline const TileType* as_tile(const Type* t) {
  return t->kind == TypeKind::TileType ? static_cast<const TileType*>(t) : nullptr;
}
inline const ShapedType* as_shaped(const Type* t) {
  return as_tensor(t) != nullptr || as_tile(t) != nullptr ? static_cast<const ShapedType*>(t) : nullptr;
}
inline const ArrayType* as_array(const Type* t) {
  return t->kind == TypeKind::ArrayType ? static_cast<const ArrayType*>(t) : nullptr;
}
inline const TupleType* as_tuple(const Type* t) {
  return t->kind == TypeKind::TupleType ? static_cast<const TupleType*>(t) : nullptr;
}
inline bool is_distributed(const Type* t) {
  return t->kind == TypeKind::DistributedTensorType;
}
inline bool is_scalar_of(const Type* t, DType dtype) {
  const ScalarType* scalar = as_scalar(t);
  return scalar != nullptr && scalar->dtype == dtype;
}

}  // namespace pyptoc::ir
