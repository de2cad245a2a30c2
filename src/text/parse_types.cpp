// SPDX-License-Identifier: Apache-2.0
// Parsing: types.
#include <fmt/format.h>

#include "support/edit_distance.h"
#include "text/parse_support.h"

namespace pyptoc::text {

using ir::NodeKind;
using ir::TypeKind;

namespace {

constexpr std::string_view kTypeNames[] = {
    "Tensor", "Tile",       "Scalar",       "Array", "Tuple",      "Ptr",
    "TaskId", "MemRefType", "AsyncSession", "Named", "AsyncEvent", "PrefetchAsyncContext",
    "Out",    "InOut",      "UnknownType",
};

}  // namespace

std::optional<ir::DType> Parser::dtype_ahead() const {
  if (!is_word(words::w_pl) || tok(1).kind != Tok::Dot || tok(2).kind != Tok::Name) return std::nullopt;
  return ir::enum_from_name<ir::DType>(text(tok(2)));
}

ir::DType Parser::dtype() {
  std::optional<ir::DType> found_dtype = dtype_ahead();
  if (found_dtype.has_value()) {
    pos_ += 3;
    return *found_dtype;
  }
  bool member = is_word(words::w_pl) && tok(1).kind == Tok::Dot && tok(2).kind == Tok::Name;
  if (!member) fail_expected("a data type such as `pl.FP32`");
  std::vector<std::string_view> known;
  for (const ir::EnumRow& row : ir::EnumTraits<ir::DType>::kRows) known.push_back(row.name);
  auto builder = report(diag::codes::unknown_attribute, pos_ + 2, pos_ + 2, "pl", text(tok(2)));
  if (std::string help = closest_help(text(tok(2)), known); !help.empty()) builder.help(std::move(help));
  throw Fault{};
}

ir::List<const ir::Expr*> Parser::extents() {
  Tok close = is(Tok::LParen) ? Tok::RParen : Tok::RBracket;
  if (!take(Tok::LParen)) expect(Tok::LBracket);
  std::vector<const ir::Expr*> out;
  while (!is(close)) {
    out.push_back(expr());
    if (!take(Tok::Comma)) break;
  }
  expect(close);
  return context_.list(out);
}

template <class E>
E Parser::enum_member(std::string_view what) {
  if (take_word(words::w_pl)) {
    expect(Tok::Dot);
    // `pl.TensorLayout.ND`, or only `pl.ND`.
    if (tok(1).kind == Tok::Dot) {
      if (text(tok()) != what && !(what == "Mem" && text(tok()) == "MemorySpace"))
        fail_expected(fmt::format("`pl.{}`", what));
      next();
      next();
    }
  } else {
    fail_expected(fmt::format("a member of `pl.{}`", what));
  }
  std::string_view name = is(Tok::Name) ? text(tok()) : std::string_view();
  if (std::optional<E> value = ir::enum_from_name<E>(name)) {
    next();
    return *value;
  }
  std::vector<std::string_view> known;
  for (const ir::EnumRow& row : ir::EnumTraits<E>::kRows) known.push_back(row.name);
  auto builder = report(diag::codes::unknown_attribute, pos_, pos_, fmt::format("pl.{}", what), text(tok()));
  if (std::string help = closest_help(name, known); !help.empty()) builder.help(std::move(help));
  throw Fault{};
}

template ir::FunctionType Parser::enum_member<ir::FunctionType>(std::string_view);
template ir::Level Parser::enum_member<ir::Level>(std::string_view);
template ir::Role Parser::enum_member<ir::Role>(std::string_view);

const ir::TensorView* Parser::tensor_view() {
  ir::TensorView view;
  expect(Tok::LParen);
  while (!is(Tok::RParen)) {
    std::string_view key = text(tok());
    uint32_t at = pos_;
    expect_name("a keyword");
    expect(Tok::Assign);
    if (key == "stride") {
      view.stride = extents();
    } else if (key == "valid_shape") {
      view.valid_shape = extents();
    } else if (key == "layout") {
      view.layout = enum_member<ir::TensorLayout>("TensorLayout");
    } else if (key == "pad") {
      view.pad = enum_member<ir::PadValue>("PadValue");
    } else {
      report(diag::codes::unknown_keyword, at, at, "pl.TensorView", key);
      throw Fault{};
    }
    if (!take(Tok::Comma)) break;
  }
  expect(Tok::RParen);
  return context_.copy(view);
}

const ir::TileView* Parser::tile_view() {
  ir::TileView view;
  expect(Tok::LParen);
  while (!is(Tok::RParen)) {
    std::string_view key = text(tok());
    uint32_t at = pos_;
    expect_name("a keyword");
    expect(Tok::Assign);
    if (key == "valid_shape") {
      view.valid_shape = extents();
    } else if (key == "stride") {
      view.stride = extents();
    } else if (key == "start_offset") {
      view.start_offset = expr();
    } else if (key == "blayout") {
      view.blayout = enum_member<ir::TileLayout>("TileLayout");
    } else if (key == "slayout") {
      view.slayout = enum_member<ir::TileLayout>("TileLayout");
    } else if (key == "fractal") {
      view.fractal = int_value();
    } else if (key == "pad") {
      view.pad = enum_member<ir::PadValue>("PadValue");
    } else if (key == "compact") {
      view.compact = enum_member<ir::Compact>("CompactMode");
    } else {
      report(diag::codes::unknown_keyword, at, at, "pl.TileView", key);
      throw Fault{};
    }
    if (!take(Tok::Comma)) break;
  }
  expect(Tok::RParen);
  return context_.copy(view);
}

// The fields of a MemRef behind its base; a plain integer offset is INT64.
template <class Info>
void Parser::memref_fields(Info& info) {
  expect(Tok::Comma);
  uint32_t at = pos_;
  bool negative = is(Tok::Minus) && tok(1).kind == Tok::Int;
  const Token& behind = tok(negative ? 2 : 1);
  if ((is(Tok::Int) || negative) && behind.kind == Tok::Comma) {
    if (negative) next();
    info.byte_offset = int_literal(negative, at, ir::DType::Int64);
  } else {
    info.byte_offset = expr();
  }
  expect(Tok::Comma);
  info.size = int_value();
  while (take(Tok::Comma)) {
    if (is(Tok::RParen)) break;
    std::string_view key = text(tok());
    uint32_t key_at = pos_;
    expect_name("a keyword");
    expect(Tok::Assign);
    if (key == "pinned") {
      info.is_pinned = bool_value();
    } else if (key == "slots") {
      info.slot_count = int_value();
    } else if (key == "slot") {
      info.slot_index = expr();
    } else if (!memref_name_field(key)) {
      report(diag::codes::unknown_keyword, key_at, key_at, "pl.MemRef", key);
      throw Fault{};
    }
  }
  expect(Tok::RParen);
}

bool Parser::memref_name_field(std::string_view key) {
  if (key == "name") {
    memref_name_ = context_.intern(string_value());
    return true;
  }
  if (key == "type") {
    memref_type_ = type();
    return true;
  }
  return false;
}

template void Parser::memref_fields<ir::MemRef>(ir::MemRef&);

const ir::MemRefInfo* Parser::memref() {
  ir::MemRefInfo info;
  expect(Tok::LParen);
  uint32_t at = pos_;
  if (is(Tok::String)) return declared_allocation(allocation_fields({}), at);
  const ir::Expr* base = expr();
  info.base_node = ir::as<ir::Var>(base);
  if (info.base_node == nullptr) {
    report(diag::codes::not_a_variable, at, pos_ - 1, "an expression");
    throw Fault{};
  }
  memref_fields(info);
  return context_.copy(info);
}

// Behind the `(` of `pl.MemRef("name", slots=2)`: an allocation that the author declares; its size and address come
// later.
Parser::Allocation Parser::allocation_fields(std::string_view name) {
  Allocation out;
  out.name = is(Tok::String) ? string_value() : std::string(name);
  take(Tok::Comma);
  if (is(Tok::Name)) {
    if (text(tok()) != "slots") fail_expected("`slots=`");
    next();
    expect(Tok::Assign);
    out.slots = int_value();
  }
  expect(Tok::RParen);
  return out;
}

// A part of it, `[i % 2]`, may follow.
const ir::MemRefInfo* Parser::declared_allocation(const Allocation& allocation, uint32_t at) {
  ir::MemRefInfo info;
  info.is_pinned = true;
  info.slot_count = allocation.slots;
  if (take(Tok::LBracket)) {
    info.slot_index = expr();
    expect(Tok::RBracket);
  }
  const ir::Var*& base = allocations_[allocation.name];
  if (base == nullptr) {
    ir::Var var = draft<ir::Var>(NodeKind::Var, at, context_.plain_type(TypeKind::Ptr));
    var.name_hint = context_.intern(allocation.name);
    base = context_.make(var);
  }
  info.base_node = base;
  info.byte_offset = context_.const_int(0, ir::DType::Int64, span(at, at));
  return context_.copy(info);
}

void Parser::tensor_part(ir::TensorType& out) {
  uint32_t at = pos_;
  bool distributed = is_word(words::w_pld);
  if (!distributed && !is_word(words::w_pl)) fail_expected("a layout, a view or a `pl.MemRef`");
  if (tok(1).kind != Tok::Dot) fail_expected("a layout, a view or a `pl.MemRef`");
  NameId word = tok(2).id;
  if (distributed && word == words::w_window_buffer) {
    pos_ += 3;
    expect(Tok::LParen);
    const ir::Expr* buffer = expr();
    if (!is_poison(buffer) && buffer->kind != NodeKind::WindowBuffer) {
      report(diag::codes::not_a_variable, at, pos_, "something other than a window buffer");
      throw Fault{};
    }
    out.window_buffer = ir::as<ir::WindowBuffer>(buffer);
    expect(Tok::RParen);
  } else if (word == words::w_TensorView) {
    pos_ += 3;
    out.view = tensor_view();
  } else if (word == words::w_MemRef) {
    pos_ += 3;
    out.memref = memref();
  } else {
    ir::TensorView view;
    view.layout = enum_member<ir::TensorLayout>("TensorLayout");
    out.view = context_.copy(view);
  }
}

const ir::Type* Parser::tensor_type(TypeKind kind) {
  ir::TensorType out;
  out.kind = kind;
  Tok close = is(Tok::LParen) ? Tok::RParen : Tok::RBracket;  // the call form is an older spelling
  if (!take(Tok::LParen)) expect(Tok::LBracket);
  out.shape = extents();
  expect(Tok::Comma);
  out.dtype = dtype();
  while (take(Tok::Comma) && !is(close)) tensor_part(out);
  expect(close);
  return context_.copy(out);
}

void Parser::tile_part(ir::TileType& out) {
  if (is_plain_name() && is_allocation(tok().id)) {
    const Allocation& allocation = declared_allocations_.at(tok().id);
    next();
    out.memref = declared_allocation(allocation, pos_ - 1);
    return;
  }
  if (!is_word(words::w_pl) || tok(1).kind != Tok::Dot) fail_expected("a memory space, a view or a `pl.MemRef`");
  NameId word = tok(2).id;
  if (word == words::w_TileView) {
    pos_ += 3;
    out.view = tile_view();
  } else if (word == words::w_MemRef) {
    pos_ += 3;
    out.memref = memref();
  } else {
    out.memory_space = enum_member<ir::MemorySpace>("Mem");
    out.has_memory_space = true;
  }
}

const ir::Type* Parser::tile_type() {
  ir::TileType out;
  out.kind = TypeKind::TileType;
  Tok close = is(Tok::LParen) ? Tok::RParen : Tok::RBracket;
  if (!take(Tok::LParen)) expect(Tok::LBracket);
  out.shape = extents();
  expect(Tok::Comma);
  out.dtype = dtype();
  while (take(Tok::Comma) && !is(close)) tile_part(out);
  expect(close);
  return context_.copy(out);
}

const ir::Type* Parser::array_type() {
  ir::ArrayType out;
  out.kind = TypeKind::ArrayType;
  expect(Tok::LBracket);
  if (is(Tok::LBracket))
    out.shape = extents();
  else
    out.shape = context_.list({expr()});
  expect(Tok::Comma);
  out.dtype = dtype();
  expect(Tok::RBracket);
  return context_.copy(out);
}

const ir::Type* Parser::tuple_type() {
  std::vector<const ir::Type*> members;
  expect(Tok::LBracket);
  if (take(Tok::LParen)) {
    expect(Tok::RParen);
  } else {
    do {
      members.push_back(type());
    } while (take(Tok::Comma) && !is(Tok::RBracket));
  }
  expect(Tok::RBracket);
  return context_.tuple_type(members);
}

const ir::Type* Parser::type_of_pl() {
  if (std::optional<ir::DType> scalar = dtype_ahead()) {  // `x: pl.FP32` for `pl.Scalar[pl.FP32]`
    pos_ += 3;
    return context_.scalar_type(*scalar);
  }
  pos_ += 2;
  uint32_t at = pos_;
  NameId word = tok().id;
  next();
  switch (word) {
    case words::w_Scalar: {
      expect(Tok::LBracket);
      ir::DType element = dtype();
      expect(Tok::RBracket);
      return context_.scalar_type(element);
    }
    case words::w_Tensor:
      return tensor_type(TypeKind::TensorType);
    case words::w_DistributedTensor:
      return tensor_type(TypeKind::DistributedTensorType);
    case words::w_Tile:
      return tile_type();
    case words::w_Array:
      return array_type();
    case words::w_Tuple:
      return tuple_type();
    case words::w_TaskId:
      return context_.scalar_type(ir::DType::TaskId);
    default:
      break;
  }
  std::string full = fmt::format("pl.{}", names_.text(word));
  for (TypeKind kind : {TypeKind::UnknownType, TypeKind::Ptr, TypeKind::MemRefType, TypeKind::PrefetchAsyncContextType,
                        TypeKind::AsyncEventType, TypeKind::AsyncSessionType})
    if (plain_type_name(kind) == full) return context_.plain_type(kind);
  std::vector<std::string_view> known(std::begin(kTypeNames), std::end(kTypeNames));
  for (const ir::EnumRow& row : ir::EnumTraits<ir::DType>::kRows) known.push_back(row.name);
  auto builder = report(diag::codes::unknown_attribute, at, at, "pl", names_.text(word));
  if (std::string help = closest_help(names_.text(word), known); !help.empty()) builder.help(std::move(help));
  throw Fault{};
}

const ir::Type* Parser::type_of_pld() {
  pos_ += 2;
  uint32_t at = pos_;
  std::string_view name = text(tok());
  next();
  if (name == "DistributedTensor") return tensor_type(TypeKind::DistributedTensorType);
  if (name == "WindowBufferType") return context_.plain_type(TypeKind::WindowBufferType);
  if (name == "CommCtxType" || name == "CommCtx") return context_.plain_type(TypeKind::CommCtxType);
  auto builder = report(diag::codes::unknown_attribute, at, at, "pld", name);
  std::vector<std::string_view> known = {"DistributedTensor", "WindowBufferType", "CommCtxType", "CommCtx"};
  if (std::string help = closest_help(name, known); !help.empty()) builder.help(std::move(help));
  throw Fault{};
}

const ir::Type* Parser::type() {
  Deeper deeper(*this);
  bool member = tok(1).kind == Tok::Dot && tok(2).kind == Tok::Name;
  if (member && is_word(words::w_pl)) return type_of_pl();
  if (member && is_word(words::w_pld)) return type_of_pld();
  if (is_word(words::w_tuple) || text(tok()) == "Tuple") {
    next();
    return tuple_type();
  }
  fail_expected("a type such as `pl.Tensor[[64, 64], pl.FP32]`");
}

}  // namespace pyptoc::text
