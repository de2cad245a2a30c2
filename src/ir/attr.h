// SPDX-License-Identifier: Apache-2.0
// Keyword arguments and attributes: an ordered list of (key, tagged value).
#pragma once

#include "ir/enums.h"
#include "ir/node.h"
#include "support/internal_error.h"

namespace pyptoc::ir {

struct Expr;
struct Var;

// The tags after String are the `type` of a tagged map in files.
#define PYPTOC_ATTR_TAGS(X)                                                                                        \
  X(DataType)                                                                                                      \
  X(MemorySpace)                                                                                                   \
  X(TensorLayout) X(TileLayout) X(PadValue) X(ArgDirection) X(ArgDirectionVector) X(Int32Vector) X(Var) X(VarList) \
      X(Expr)

enum class AttrKind : uint8_t {
  Int,
  Bool,
  Float,
  String,
#define PYPTOC_KIND(K) K,
  PYPTOC_ATTR_TAGS(PYPTOC_KIND)
#undef PYPTOC_KIND
};
std::string_view name_of(AttrKind kind);

// A value of one of the kinds above. Enumerations are kept as their number; nodes and list entries may be null.
class AttrValue {
 public:
  AttrValue() : kind_(AttrKind::Int), bits_(0) {}
  static AttrValue of_int(int64_t value) { return number(AttrKind::Int, value); }
  static AttrValue of_bool(bool value) { return number(AttrKind::Bool, value ? 1 : 0); }
  static AttrValue of_float(double value) {
    AttrValue out;
    out.kind_ = AttrKind::Float;
    out.real_ = value;
    return out;
  }
  static AttrValue of_string(std::string_view arena_text) {
    return list(AttrKind::String, arena_text.data(), arena_text.size());
  }
  static AttrValue of_dtype(DType value) { return number(AttrKind::DataType, static_cast<int64_t>(value)); }
  // For MemorySpace, TensorLayout, TileLayout, PadValue and ArgDirection.
  static AttrValue of_enum(AttrKind kind, int64_t value) { return number(kind, value); }
  static AttrValue of_ints(AttrKind kind, List<int32_t> values) { return list(kind, values.data(), values.size()); }
  static AttrValue of_var(const Var* var) { return list(AttrKind::Var, var, 0); }
  static AttrValue of_vars(List<const Var*> vars) { return list(AttrKind::VarList, vars.data(), vars.size()); }
  static AttrValue of_expr(const Expr* expr) { return list(AttrKind::Expr, expr, 0); }

  AttrKind kind() const { return kind_; }
  int64_t as_int() const { return expect(AttrKind::Int).bits_; }
  bool as_bool() const { return expect(AttrKind::Bool).bits_ != 0; }
  double as_float() const { return expect(AttrKind::Float).real_; }
  std::string_view as_string() const { return {static_cast<const char*>(expect(AttrKind::String).data_), size_}; }
  DType as_dtype() const { return static_cast<DType>(expect(AttrKind::DataType).bits_); }
  int64_t enum_number() const { return bits_; }
  // ArgDirectionVector (numbers of ArgDirection) or Int32Vector.
  List<int32_t> as_ints() const {
    PYPTOC_ASSERT(kind_ == AttrKind::ArgDirectionVector || kind_ == AttrKind::Int32Vector, "not a list of numbers");
    return {static_cast<const int32_t*>(data_), size_};
  }
  const Var* as_var() const { return static_cast<const Var*>(expect(AttrKind::Var).data_); }
  List<const Var*> as_vars() const { return {static_cast<const Var* const*>(expect(AttrKind::VarList).data_), size_}; }
  const Expr* as_expr() const { return static_cast<const Expr*>(expect(AttrKind::Expr).data_); }

 private:
  static AttrValue number(AttrKind kind, int64_t value) {
    AttrValue out;
    out.kind_ = kind;
    out.bits_ = value;
    return out;
  }
  static AttrValue list(AttrKind kind, const void* data, size_t size) {
    AttrValue out;
    out.kind_ = kind;
    out.data_ = data;
    out.size_ = size;
    return out;
  }
  const AttrValue& expect(AttrKind kind) const {
    PYPTOC_ASSERT(kind_ == kind, "attribute value of another kind");
    return *this;
  }

  AttrKind kind_;
  union {
    int64_t bits_;
    double real_;
    const void* data_;
  };
  size_t size_ = 0;
};

struct Attr {
  std::string_view key;
  AttrValue value;
};

// The value of `key`, or null; lists are short, so the search is linear.
inline const AttrValue* find_attr(List<Attr> attrs, std::string_view key) {
  for (const Attr& attr : attrs)
    if (attr.key == key) return &attr.value;
  return nullptr;
}
// An attribute of another kind counts as absent here: the verifier has reported it.
inline bool bool_attr(List<Attr> attrs, std::string_view key, bool otherwise) {
  const AttrValue* value = find_attr(attrs, key);
  return value != nullptr && value->kind() == AttrKind::Bool ? value->as_bool() : otherwise;
}

}  // namespace pyptoc::ir
