// SPDX-License-Identifier: Apache-2.0
// IR into one of the encodings, by the same layouts that reading goes by.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "serial/encoders.h"
#include "serial/layout.h"
#include "serial/shuffled_text.h"

namespace pyptoc::serial {

namespace detail {

// Whether writing a value of this type may visit nodes. Entries that do not may be written in any order.
template <class M>
inline constexpr bool kBearsNodes =
    std::is_pointer_v<M> && !std::is_same_v<M, const ir::Span*> && !std::is_same_v<M, const ir::Op*>;
template <class T>
inline constexpr bool kBearsNodes<ir::List<T>> = kBearsNodes<T>;
template <>
inline constexpr bool kBearsNodes<ir::List<ir::Attr>> = true;

template <class P>
constexpr bool part_bears_nodes(const P&) {
  return false;  // the kind of a type, a name, a flagged enumeration
}
template <class S, class M>
constexpr bool part_bears_nodes(const Part<S, M>&) {
  return kBearsNodes<M>;
}

template <class L>
struct WriteOrder {
  static constexpr std::size_t kCount = kPartCount<L>;
  static constexpr auto kKeys = keys_of<L>();

  // The number, in visit order, of the k-th part by key.
  static constexpr auto kSorted = [] {
    std::array<uint8_t, kCount> order{};
    for (std::size_t i = 0; i < kCount; ++i) order[i] = static_cast<uint8_t>(i);
    std::sort(order.begin(), order.end(), [](uint8_t a, uint8_t b) { return kKeys[a] < kKeys[b]; });
    return order;
  }();

  // Whether writing by key visits nodes in visit order, supposed that the part called `without` has none.
  static consteval bool agrees(std::string_view without = {}) {
    auto bears = std::apply([](const auto&... parts) { return std::array<bool, kCount>{part_bears_nodes(parts)...}; },
                            L::parts());
    int last = -1;
    for (uint8_t number : kSorted) {
      if (!bears[number] || kKeys[number] == without) continue;
      if (number < last) return false;
      last = number;
    }
    return true;
  }
};

}  // namespace detail

// Writes one program. The order of calls is the canonical order of visits.
template <class Encoder>
class GraphWriter {
 public:
  GraphWriter() : out_(text_.text()) {}

  std::string write(const ir::Program* program) {
    write_value(static_cast<const ir::Node*>(program));
    out_.new_line();
    return text_.finish(Encoder::kSeparated ? ',' : '\0');
  }

 private:
  // Deeper IR than any reader lets in or pass makes; the stack holds this much.
  static constexpr unsigned kMaxDepth = 2000;

  // ---- Maps by layout

  template <class S, class B, class M>
  static bool is_written([[maybe_unused]] const S& object, const Part<B, M>& part) {
    if constexpr (std::is_scalar_v<M>) {  // the only ones that are ever left out
      if (part.presence == Presence::WhenNotDefault) return object.*(part.member) != S{}.*(part.member);
    }
    return true;
  }
  template <class S, class M>
  static bool is_written(const S& object, const FlaggedPart<S, M>& part) {
    return object.*(part.flag);
  }
  template <class S>
  static bool is_written(const S&, const NamePart<S>&) {
    return true;
  }
  template <class S>
  static bool is_written(const S&, const KindPart&) {
    return true;
  }

  template <class S, class P>
  bool write_part(const S& object, const P& part, bool first) {
    if (!is_written(object, part)) return false;
    out_.key(part.key, first);
    if constexpr (requires { part.var; }) {
      out_.text((object.*(part.var))->name_hint);
    } else if constexpr (requires { part.member; }) {
      using M = std::remove_cvref_t<decltype(object.*(part.member))>;
      if constexpr (std::is_same_v<M, ir::List<const ir::Stmt*>>)
        write_list(object.*(part.member), std::string_view(part.key) == "stmts");
      else
        write_value(object.*(part.member));
    } else {
      out_.text(ir::name_of(object.kind));
    }
    return true;
  }

  template <class L>
  void write_map(const typename L::Struct& object) {
    using Order = detail::WriteOrder<L>;
    constexpr auto kParts = L::parts();
    std::size_t count = std::apply(
        [&](const auto&... parts) { return (std::size_t{0} + ... + (is_written(object, parts) ? 1U : 0U)); }, kParts);
    out_.begin_map(count);
    constexpr bool kAlways = Order::agrees();
    constexpr bool kWithoutType = Order::agrees("type");
    constexpr bool kWithoutMemref = Order::agrees("memref");
    if (kAlways || (kWithoutType && has_plain_type(object)) || (kWithoutMemref && has_no_memref(object)))
      write_by_key<L>(object);
    else
      write_by_visit<L>(object);
    out_.end_map();
  }

  template <class L>
  void write_by_key(const typename L::Struct& object) {
    constexpr auto kParts = L::parts();
    bool first = true;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((first = !write_part(object, std::get<detail::WriteOrder<L>::kSorted[I]>(kParts), first) && first), ...);
    }
    (std::make_index_sequence<kPartCount<L>>{});
  }

  template <class L>
  void write_by_visit(const typename L::Struct& object) {
    constexpr auto kParts = L::parts();
    std::size_t map = text_.begin(detail::WriteOrder<L>::kSorted);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((text_.entry(map, I), write_part(object, std::get<I>(kParts), true)), ...);
    }
    (std::make_index_sequence<kPartCount<L>>{});
    text_.end(map);
  }

  template <class S>
  static bool has_plain_type(const S& object) {
    if constexpr (std::is_base_of_v<ir::Expr, S>)
      return object.type->kind == ir::TypeKind::ScalarType || object.type->kind >= ir::TypeKind::UnknownType;
    else
      return false;
  }
  template <class S>
  static bool has_no_memref(const S& object) {
    if constexpr (std::is_base_of_v<ir::ShapedType, S>)
      return object.memref == nullptr;
    else
      return false;
  }

  // ---- Nodes and types

  void write_value(const ir::Node* node) {
    if (node == nullptr) return out_.null();
    if (node->serial >= ids_.size()) ids_.resize(std::max<std::size_t>(node->serial + 1, ids_.size() * 2), 0);
    if (uint32_t number = ids_[node->serial]; number != 0) {
      out_.begin_map(1);
      out_.key("ref", true);
      out_.whole(number - 1);
      return out_.end_map();
    }
    PYPTOC_ASSERT(depth_ < kMaxDepth, "nodes contain each other too deep to be written");
    ++depth_;
    uint32_t number = next_number_++;
    ids_[node->serial] = number + 1;
    out_.begin_map(3);
    out_.key("fields", true);
    ir::dispatch(node, [&](const auto& object) { write_fields(object); });
    out_.key("id", false);
    out_.whole(number);
    out_.key("type", false);
    out_.text(ir::name_of(node->kind));
    out_.end_map();
    --depth_;
  }
  // Not inlined, to keep the frame of the recursion small.
  template <class S>
  [[gnu::noinline]] void write_fields(const S& object) {
    write_map<NodeLayout<S>>(object);
  }

  void write_value(const ir::Type* type) {
    with_type_layout(type->kind, [&]<class L>() { write_map<L>(static_cast<const typename L::Struct&>(*type)); });
  }
  void write_value(const ir::MemRefInfo* memref) { write_map<DetailLayout<ir::MemRefInfo>>(*memref); }
  void write_value(const ir::TensorView* view) { write_map<DetailLayout<ir::TensorView>>(*view); }
  void write_value(const ir::TileView* view) { write_map<DetailLayout<ir::TileView>>(*view); }
  void write_value(const ir::Span* span) { write_map<SpanLayout>(*span); }

  void write_value(const ir::Op* op) {
    out_.begin_map(2);
    out_.key("is_global_var", true);
    out_.boolean(op->is_global_var);
    out_.key("name", false);
    out_.text(op->name);
    out_.end_map();
  }

  // ---- Simple values

  void write_value(int32_t value) { out_.integer(value); }
  void write_value(int64_t value) { out_.integer(value); }
  void write_value(bool value) { out_.boolean(value); }
  void write_value(std::string_view value) { out_.text(value); }
  // The front end writes floats that are whole numbers as integers.
  void write_value(double value) {
    if (value >= 0 && value < 0x1p64 && std::trunc(value) == value)
      out_.whole(static_cast<uint64_t>(value));
    else if (value < 0 && value >= -0x1p63 && std::trunc(value) == value)
      out_.integer(static_cast<int64_t>(value));
    else
      out_.real(value);
  }
  template <ir::IrEnum E>
  void write_value(E value) {
    if constexpr (kNamedInFiles<E>)
      out_.text(ir::name_of(value));
    else
      out_.whole(static_cast<uint64_t>(value));
  }
  template <class T>
  void write_value(const std::optional<T>& value) {
    if (value)
      write_value(*value);
    else
      out_.null();
  }

  // ---- Lists

  template <class T>
  void write_value(const ir::List<T>& list) {
    write_list(list, false);
  }
  template <class T>
  void write_list(const ir::List<T>& list, bool on_lines) {
    out_.begin_list(list.size());
    bool first = true;
    for (const T& entry : list) {
      out_.entry(first);
      if (on_lines) out_.new_line();
      first = false;
      write_value(entry);
    }
    out_.end_list();
  }
  void write_value(const ir::List<const ir::Function*>& functions) {
    out_.begin_list(functions.size());
    bool first = true;
    for (const ir::Function* function : functions) {
      out_.entry(first);
      out_.new_line();
      first = false;
      out_.begin_map(2);
      out_.key("key", true);
      write_value(function->op);
      out_.key("value", false);
      write_value(static_cast<const ir::Node*>(function));
      out_.end_map();
    }
    out_.end_list();
  }

  // ---- Attributes

  void write_value(const ir::Attr& attr) {
    out_.begin_map(2);
    out_.key("key", true);
    out_.text(attr.key);
    out_.key("value", false);
    write_value(attr.value);
    out_.end_map();
  }

  template <class V>
  void write_tagged(ir::AttrKind kind, const V& value) {
    out_.begin_map(2);
    out_.key("type", true);
    out_.text(ir::name_of(kind));
    out_.key("value", false);
    write_value(value);
    out_.end_map();
  }

  void write_value(const ir::AttrValue& value) {
    switch (value.kind()) {
      case ir::AttrKind::Int:
        return out_.integer(value.as_int());
      case ir::AttrKind::Bool:
        return out_.boolean(value.as_bool());
      case ir::AttrKind::Float:
        return write_value(value.as_float());
      case ir::AttrKind::String:
        return out_.text(value.as_string());
      case ir::AttrKind::DataType:
        out_.begin_map(2);
        out_.key("code", true);
        out_.integer(value.enum_number());
        out_.key("type", false);
        out_.text(ir::name_of(value.kind()));
        return out_.end_map();
      case ir::AttrKind::MemorySpace:  // by name here, by number in types
        return write_tagged(value.kind(), ir::name_of(static_cast<ir::MemorySpace>(value.enum_number())));
      case ir::AttrKind::TensorLayout:
        return write_tagged(value.kind(), static_cast<ir::TensorLayout>(value.enum_number()));
      case ir::AttrKind::TileLayout:
        return write_tagged(value.kind(), static_cast<ir::TileLayout>(value.enum_number()));
      case ir::AttrKind::PadValue:
        return write_tagged(value.kind(), static_cast<ir::PadValue>(value.enum_number()));
      case ir::AttrKind::ArgDirection:
        return write_tagged(value.kind(), value.enum_number());
      case ir::AttrKind::ArgDirectionVector:
      case ir::AttrKind::Int32Vector:
        return write_tagged(value.kind(), value.as_ints());
      case ir::AttrKind::Var:
        return write_tagged(value.kind(), static_cast<const ir::Node*>(value.as_var()));
      case ir::AttrKind::VarList:
        return write_tagged(value.kind(), value.as_vars());
      case ir::AttrKind::Expr:
        return write_tagged(value.kind(), static_cast<const ir::Node*>(value.as_expr()));
    }
    PYPTOC_UNREACHABLE("attribute value of an unknown kind");
  }

  ShuffledText text_;
  Encoder out_;
  std::vector<uint32_t> ids_;  // by serial: the number in the file plus 1, or 0
  uint32_t next_number_ = 0;
  unsigned depth_ = 0;
};

}  // namespace pyptoc::serial
