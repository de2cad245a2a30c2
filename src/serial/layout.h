// SPDX-License-Identifier: Apache-2.0
// What the maps of a file hold, as tables that reading and writing share, so that the two cannot drift apart.
//
// A layout is a struct with `parts()`: a tuple of parts in canonical visit order, by which nodes are numbered. Nodes
// take theirs from the field descriptions of the IR; types and their parts have none there, so theirs stand here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "ir/reflect.h"

namespace pyptoc::serial {

enum class Presence : uint8_t {
  Required,
  MayBeAbsent,     // absent means the value that the struct has by default; always written
  WhenNotDefault,  // likewise, and not written when it has that value
};

// An entry of a map that is a member of a struct.
template <class S, class M>
struct Part {
  const char* key;
  M S::*member;
  Presence presence = Presence::Required;
  bool nullable = false;
};
// The `type_kind` of a type.
struct KindPart {
  const char* key = "type_kind";
};
// An entry that is there exactly when the flag is set.
template <class S, class M>
struct FlaggedPart {
  const char* key;
  M S::*member;
  bool S::*flag;
};
// The name hint of a variable that another entry holds.
template <class S>
struct NamePart {
  const char* key;
  const ir::Var* S::*var;
};

template <class S, class M>
constexpr Part<S, M> part(const char* key, M S::*member, Presence presence = Presence::Required,
                          bool nullable = false) {
  return {key, member, presence, nullable};
}

// ---- Nodes

constexpr bool may_be_left_out(std::string_view key, bool of_function) {
  for (std::string_view name : {"span", "leading_comments", "kwargs", "attrs", "return_vars", "iter_args"})
    if (key == name) return true;
  return of_function && (key == "level" || key == "role");  // where the function type implies them
}

template <class S>
struct NodeLayout {
  using Struct = S;

  static constexpr auto parts() {
    return std::tuple_cat(
        heads(), std::apply([](const auto&... fields) { return std::make_tuple(from(fields)...); }, S::fields()));
  }

 private:
  static constexpr auto heads() {
    constexpr auto kSpan = part("span", &ir::Node::span, Presence::MayBeAbsent);
    if constexpr (std::is_base_of_v<ir::Expr, S>) {
      return std::make_tuple(kSpan, part("type", &ir::Expr::type));
    } else if constexpr (std::is_base_of_v<ir::Stmt, S>) {
      return std::make_tuple(kSpan, part("leading_comments", &ir::Stmt::leading_comments, Presence::MayBeAbsent));
    } else {
      return std::make_tuple(kSpan);
    }
  }
  template <class T, class M>
  static constexpr Part<T, M> from(const ir::Field<T, M>& field) {
    bool optional = may_be_left_out(field.key, std::is_same_v<S, ir::Function>);
    return {field.key, field.member, optional ? Presence::MayBeAbsent : Presence::Required, field.nullable};
  }
};

struct SpanLayout {
  using Struct = ir::Span;
  static constexpr auto parts() {
    return std::make_tuple(part("begin_column", &ir::Span::begin_column), part("begin_line", &ir::Span::begin_line),
                           part("end_column", &ir::Span::end_column), part("end_line", &ir::Span::end_line),
                           part("filename", &ir::Span::filename));
  }
};

// ---- Parts of types

template <class S>
struct DetailLayout;

template <>
struct DetailLayout<ir::MemRefInfo> {
  using Struct = ir::MemRefInfo;
  static constexpr std::string_view kName = "memref";
  static constexpr auto parts() {
    return std::make_tuple(NamePart<Struct>{"base", &Struct::base_node}, part("base_node", &Struct::base_node),
                           part("byte_offset", &Struct::byte_offset), part("size", &Struct::size),
                           part("is_pinned", &Struct::is_pinned, Presence::WhenNotDefault),
                           part("slot_count", &Struct::slot_count, Presence::WhenNotDefault),
                           part("slot_index", &Struct::slot_index, Presence::WhenNotDefault));
  }
};

template <>
struct DetailLayout<ir::TensorView> {
  using Struct = ir::TensorView;
  static constexpr std::string_view kName = "tensor_view";
  static constexpr auto parts() {
    return std::make_tuple(part("stride", &Struct::stride), part("layout", &Struct::layout),
                           part("valid_shape", &Struct::valid_shape), part("pad", &Struct::pad));
  }
};

template <>
struct DetailLayout<ir::TileView> {
  using Struct = ir::TileView;
  static constexpr std::string_view kName = "tile_view";
  static constexpr auto parts() {
    return std::make_tuple(part("valid_shape", &Struct::valid_shape), part("stride", &Struct::stride),
                           part("start_offset", &Struct::start_offset, Presence::Required, true),
                           part("blayout", &Struct::blayout), part("slayout", &Struct::slayout),
                           part("fractal", &Struct::fractal), part("pad", &Struct::pad),
                           part("compact", &Struct::compact, Presence::MayBeAbsent));
  }
};

// ---- Types

template <ir::TypeKind K>
struct TypeLayout {  // the kinds without parts
  using Struct = ir::Type;
  static constexpr auto parts() { return std::make_tuple(KindPart{}); }
};

template <>
struct TypeLayout<ir::TypeKind::ScalarType> {
  using Struct = ir::ScalarType;
  static constexpr auto parts() { return std::make_tuple(KindPart{}, part("dtype", &Struct::dtype)); }
};

template <>
struct TypeLayout<ir::TypeKind::TensorType> {
  using Struct = ir::TensorType;
  static constexpr auto parts() {
    return std::make_tuple(KindPart{}, part("dtype", &ir::ShapedType::dtype), part("shape", &ir::ShapedType::shape),
                           part("memref", &ir::ShapedType::memref, Presence::WhenNotDefault),
                           part("tensor_view", &Struct::view, Presence::WhenNotDefault));
  }
};

template <>
struct TypeLayout<ir::TypeKind::DistributedTensorType> {
  using Struct = ir::TensorType;
  static constexpr auto parts() {
    return std::tuple_cat(TypeLayout<ir::TypeKind::TensorType>::parts(),
                          std::make_tuple(part("window_buffer", &Struct::window_buffer, Presence::WhenNotDefault)));
  }
};

template <>
struct TypeLayout<ir::TypeKind::TileType> {
  using Struct = ir::TileType;
  static constexpr auto parts() {
    return std::make_tuple(
        KindPart{}, part("dtype", &ir::ShapedType::dtype), part("shape", &ir::ShapedType::shape),
        part("memref", &ir::ShapedType::memref, Presence::WhenNotDefault),
        part("tile_view", &Struct::view, Presence::WhenNotDefault),
        FlaggedPart<Struct, ir::MemorySpace>{"memory_space", &Struct::memory_space, &Struct::has_memory_space});
  }
};

template <>
struct TypeLayout<ir::TypeKind::ArrayType> {
  using Struct = ir::ArrayType;
  static constexpr auto parts() {
    return std::make_tuple(KindPart{}, part("dtype", &Struct::dtype), part("shape", &Struct::shape));
  }
};

template <>
struct TypeLayout<ir::TypeKind::TupleType> {
  using Struct = ir::TupleType;
  static constexpr auto parts() { return std::make_tuple(KindPart{}, part("types", &Struct::types)); }
};

// Calls f.template operator()<TypeLayout<K>>() for the kind.
template <class F>
decltype(auto) with_type_layout(ir::TypeKind kind, F&& f) {
  switch (kind) {
#define PYPTOC_KIND(K)  \
  case ir::TypeKind::K: \
    return f.template operator()<TypeLayout<ir::TypeKind::K>>();
    PYPTOC_TYPE_KINDS(PYPTOC_KIND)
#undef PYPTOC_KIND
  }
  PYPTOC_UNREACHABLE("type of an unknown kind");
}

// ---- Facts about layouts

// The least number that an integer field can have.
constexpr int64_t minimum_of(std::string_view key) {
  if (key == "slot_count") return 1;
  for (std::string_view counted : {"size", "index", "count", "devices", "fractal"})
    if (key == counted) return 0;
  return std::numeric_limits<int64_t>::min();
}

template <class L>
inline constexpr std::size_t kPartCount = std::tuple_size_v<decltype(L::parts())>;

template <class L>
constexpr std::array<std::string_view, kPartCount<L>> keys_of() {
  return std::apply([](const auto&... parts) { return std::array<std::string_view, kPartCount<L>>{parts.key...}; },
                    L::parts());
}

// Enumerations that stand in files by name; the others by number.
template <class E>
inline constexpr bool kNamedInFiles = std::is_same_v<E, ir::TensorLayout> || std::is_same_v<E, ir::TileLayout> ||
                                      std::is_same_v<E, ir::PadValue> || std::is_same_v<E, ir::Compact>;

}  // namespace pyptoc::serial
