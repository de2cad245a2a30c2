// SPDX-License-Identifier: Apache-2.0
// Reading by layouts: one function for each shape of part and of member.
#pragma once

#include "serial/graph_builder.h"

namespace pyptoc::serial {

template <class E>
constexpr std::string_view kEnumWords = "value";
template <>
inline constexpr std::string_view kEnumWords<ir::DType> = "data type";
template <>
inline constexpr std::string_view kEnumWords<ir::FunctionType> = "function type";
template <>
inline constexpr std::string_view kEnumWords<ir::Level> = "level";
template <>
inline constexpr std::string_view kEnumWords<ir::Role> = "role";
template <>
inline constexpr std::string_view kEnumWords<ir::ParamDirection> = "parameter direction";
template <>
inline constexpr std::string_view kEnumWords<ir::ArgDirection> = "argument direction";
template <>
inline constexpr std::string_view kEnumWords<ir::ForKind> = "loop kind";
template <>
inline constexpr std::string_view kEnumWords<ir::MemorySpace> = "memory space";
template <>
inline constexpr std::string_view kEnumWords<ir::SplitMode> = "split mode";
template <>
inline constexpr std::string_view kEnumWords<ir::Language> = "language";
template <>
inline constexpr std::string_view kEnumWords<ir::TensorLayout> = "tensor layout";
template <>
inline constexpr std::string_view kEnumWords<ir::TileLayout> = "tile layout";
template <>
inline constexpr std::string_view kEnumWords<ir::PadValue> = "pad value";
template <>
inline constexpr std::string_view kEnumWords<ir::Compact> = "compact mode";

template <class T>
constexpr Category category_of(std::string_view key) {
  if constexpr (std::is_same_v<T, ir::Var>) {
    if (key == "iter_args") return Category::IterArg;
    if (key == "slots" || key == "window_buffer") return Category::WindowBuffer;
    return Category::Var;
  } else if constexpr (std::is_base_of_v<ir::Expr, T>) {
    static_assert(std::is_same_v<T, ir::Expr>);
    return Category::Expr;
  } else if constexpr (std::is_base_of_v<ir::Stmt, T>) {
    static_assert(std::is_same_v<T, ir::Stmt>);
    return Category::Stmt;
  } else {
    static_assert(std::is_same_v<T, ir::Function>);
    return Category::Function;
  }
}

template <class T>
requires std::is_base_of_v<ir::Node, T>
bool GraphBuilder::read(uint32_t value, const Where& where, const T*& out) {
  out = static_cast<const T*>(node(value, category_of<T>(where.key), where));
  return out != nullptr;
}

template <ir::IrEnum E>
bool GraphBuilder::read(uint32_t value, const Where& where, E& out) {
  int64_t number = 0;
  if (!read_member(value, ir::EnumTraits<E>::kRows, kEnumWords<E>, kNamedInFiles<E>, where, number)) return false;
  out = static_cast<E>(number);
  return true;
}

template <class T>
bool GraphBuilder::read(uint32_t value, const Where& where, std::optional<T>& out) {
  return read(value, where, out.emplace());
}

template <class T>
bool GraphBuilder::read(uint32_t value, const Where& where, ir::List<T>& out) {
  const Value& list = tree_[value];
  if (list.kind != ValueKind::List) return wrong_kind(value, "a list", where);
  constexpr bool kExprs = std::is_same_v<T, const ir::Expr*>;
  bool shape = kExprs && where.key == "shape";
  std::vector<T> entries;
  entries.reserve(list.count);
  bool all = true;
  for (uint32_t entry = value + 1; entry < list.next; entry = tree_[entry].next) {
    T made{};
    if constexpr (kExprs) {
      if (shape && tree_[entry].kind == ValueKind::Int) {
        entries.push_back(extent(entry));
        all = all && entries.back() != nullptr;
        continue;
      }
    }
    all = read(entry, where.entry(), made) && all;
    entries.push_back(made);
  }
  if (all) out = context_.list(entries);
  return all;
}

template <class S, class P>
bool GraphBuilder::read_part(S& draft, const P& part, uint32_t slot, std::string_view owner, uint32_t map) {
  if (slot == kMisspelt) return false;
  if constexpr (requires { part.flag; }) {
    if (slot == kAbsent) return true;
    draft.*(part.flag) = true;
    return read(slot, {part.key, owner}, draft.*(part.member));
  } else if constexpr (requires { part.var; }) {
    // Compared with the variable once that is read; here only present and a string.
    if (slot != kAbsent) return tree_.is_text(slot) || wrong_kind(slot, "a string", {part.key, owner});
    missing(part.key, owner, map);
    return false;
  } else if constexpr (requires { part.member; }) {
    if (slot == kAbsent) {
      if (part.presence != Presence::Required) return true;
      missing(part.key, owner, map);
      return false;
    }
    if (part.nullable && tree_[slot].kind == ValueKind::Null) return true;
    return read(slot, {part.key, owner}, draft.*(part.member));
  } else {
    return true;  // the kind of a type, which chose the layout
  }
}

template <class L, std::size_t kSkip>
bool GraphBuilder::read_parts(typename L::Struct& draft, const uint32_t* slots, std::string_view owner, uint32_t map) {
  constexpr auto kParts = L::parts();
  bool all = true;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((all = read_part(draft, std::get<kSkip + I>(kParts), slots[kSkip + I], owner, map) && all), ...);
  }
  (std::make_index_sequence<kPartCount<L> - kSkip>{});
  return all;
}

}  // namespace pyptoc::serial
