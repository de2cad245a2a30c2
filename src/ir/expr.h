// SPDX-License-Identifier: Apache-2.0
// Expression nodes. Field meanings and file keys: ir-format.md, "Expressions".
#pragma once

#include "ir/attr.h"
#include "ir/op.h"
#include "ir/type.h"

namespace pyptoc::ir {

struct Expr : Node {
  const Type* type = nullptr;
  static constexpr bool holds(NodeKind kind) { return is_expr(kind); }
};

// A variable. Two variables are the same exactly when they are the same node; names are hints.
struct Var : Expr {
  std::string_view name_hint;
  static constexpr bool holds(NodeKind kind) { return is_var(kind); }
  static constexpr auto fields() { return std::make_tuple(field("name_hint", &Var::name_hint)); }
};

struct IterArg : Var {
  const Expr* init_value = nullptr;
  static constexpr bool holds(NodeKind kind) { return kind == NodeKind::IterArg; }
  static constexpr auto fields() {
    return std::make_tuple(field("name_hint", &IterArg::name_hint), field("initValue", &IterArg::init_value));
  }
};

// One allocation of a comm domain; `size` in bytes.
struct WindowBuffer : Var {
  const Var* base = nullptr;
  const Expr* size = nullptr;
  bool load_from_host = false;
  bool store_to_host = false;
  static constexpr bool holds(NodeKind kind) { return kind == NodeKind::WindowBuffer; }
  static constexpr auto fields() {
    return std::make_tuple(field("name_hint", &WindowBuffer::name_hint), field("base", &WindowBuffer::base),
                           field("size", &WindowBuffer::size), field("load_from_host", &WindowBuffer::load_from_host),
                           field("store_to_host", &WindowBuffer::store_to_host));
  }
};

struct MemRef : Var {
  const Var* base = nullptr;
  const Expr* byte_offset = nullptr;
  int64_t size = 0;  // bytes
  bool is_pinned = false;
  int64_t slot_count = 1;
  const Expr* slot_index = nullptr;
  static constexpr bool holds(NodeKind kind) { return kind == NodeKind::MemRef; }
  static constexpr auto fields() {
    return std::make_tuple(field("name_hint", &MemRef::name_hint), field("base", &MemRef::base),
                           field("byte_offset", &MemRef::byte_offset), field("size", &MemRef::size),
                           field("is_pinned", &MemRef::is_pinned), field("slot_count", &MemRef::slot_count),
                           nullable("slot_index", &MemRef::slot_index));
  }
};

struct ConstInt : Expr {
  int64_t value = 0;
  static constexpr bool holds(NodeKind kind) { return kind == NodeKind::ConstInt; }
  static constexpr auto fields() { return std::make_tuple(field("value", &ConstInt::value)); }
};
struct ConstFloat : Expr {
  double value = 0;
  static constexpr bool holds(NodeKind kind) { return kind == NodeKind::ConstFloat; }
  static constexpr auto fields() { return std::make_tuple(field("value", &ConstFloat::value)); }
};
struct ConstBool : Expr {
  bool value = false;
  static constexpr bool holds(NodeKind kind) { return kind == NodeKind::ConstBool; }
  static constexpr auto fields() { return std::make_tuple(field("value", &ConstBool::value)); }
};

struct BinaryExpr : Expr {
  const Expr* left = nullptr;
  const Expr* right = nullptr;
  static constexpr bool holds(NodeKind kind) { return is_binary(kind); }
  static constexpr auto fields() {
    return std::make_tuple(field("left", &BinaryExpr::left), field("right", &BinaryExpr::right));
  }
};
struct UnaryExpr : Expr {
  const Expr* operand = nullptr;
  static constexpr bool holds(NodeKind kind) { return is_unary(kind); }
  static constexpr auto fields() { return std::make_tuple(field("operand", &UnaryExpr::operand)); }
};

// An operator applied, or a function of the program called.
struct Call : Expr {
  const Op* op = nullptr;
  List<const Expr*> args;
  List<Attr> attrs;
  List<Attr> kwargs;
  static constexpr bool holds(NodeKind kind) { return kind == NodeKind::Call; }
  static constexpr auto fields() {
    return std::make_tuple(field("op", &Call::op), field("args", &Call::args), field("attrs", &Call::attrs),
                           field("kwargs", &Call::kwargs));
  }
};

// A task submitted explicitly: its result is a tuple whose last element is the TaskId.
struct Submit : Expr {
  const Op* op = nullptr;
  List<const Expr*> args;
  List<const Expr*> deps;
  const Expr* core_num = nullptr;  // blocks; null = 1
  bool sync_start = false;
  bool allow_early_resolve = false;
  const Expr* predicate = nullptr;
  List<Attr> attrs;
  List<Attr> kwargs;
  static constexpr bool holds(NodeKind kind) { return kind == NodeKind::Submit; }
  static constexpr auto fields() {
    return std::make_tuple(field("op", &Submit::op), field("args", &Submit::args), field("deps", &Submit::deps),
                           nullable("core_num", &Submit::core_num), field("sync_start", &Submit::sync_start),
                           field("allow_early_resolve", &Submit::allow_early_resolve),
                           nullable("predicate", &Submit::predicate), field("attrs", &Submit::attrs),
                           field("kwargs", &Submit::kwargs));
  }
};

struct MakeTuple : Expr {
  List<const Expr*> elements;
  static constexpr bool holds(NodeKind kind) { return kind == NodeKind::MakeTuple; }
  static constexpr auto fields() { return std::make_tuple(field("elements", &MakeTuple::elements)); }
};
struct TupleGetItemExpr : Expr {
  const Expr* tuple = nullptr;
  int64_t index = 0;
  static constexpr bool holds(NodeKind kind) { return kind == NodeKind::TupleGetItemExpr; }
  static constexpr auto fields() {
    return std::make_tuple(field("tuple", &TupleGetItemExpr::tuple), field("index", &TupleGetItemExpr::index));
  }
};

inline std::optional<int64_t> const_int(const Expr* expr) {
  const ConstInt* value = as<ConstInt>(expr);
  return value != nullptr ? std::optional<int64_t>(value->value) : std::nullopt;
}

}  // namespace pyptoc::ir
