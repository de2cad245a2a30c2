// SPDX-License-Identifier: Apache-2.0
// Reads the operand and keyword columns of ops.def while compiling, so that a mistake in a row does not build.
//
// Operands: `name:kind`, then `/n`, `/w`, `/rw` for an effect other than reading, `?` where it may be missing, `*`
// where it repeats. Keywords: `name:Kind`, then `!` where it must be given.
#pragma once

#include "ir/op_table.h"

namespace pyptoc::ir::detail {

// Cuts `text` at the first `separator`; the rest stays in `text`.
constexpr std::string_view cut(std::string_view& text, char separator) {
  size_t at = text.find(separator);
  std::string_view head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return head;
}

constexpr OperandKind operand_kind(std::string_view name) {
  if (name == "any") return OperandKind::Any;
  if (name == "tensor") return OperandKind::Tensor;
  if (name == "window") return OperandKind::Window;
  if (name == "tile") return OperandKind::Tile;
  if (name == "scalar") return OperandKind::Scalar;
  if (name == "int") return OperandKind::Int;
  if (name == "ints") return OperandKind::Ints;
  if (name == "array") return OperandKind::Array;
  if (name == "ptr") return OperandKind::Ptr;
  if (name == "ctx") return OperandKind::CommCtx;
  if (name == "task") return OperandKind::Task;
  throw "unknown kind of operand in ops.def";
}

constexpr KeywordKind keyword_kind(std::string_view name) {
  if (name == "Int") return KeywordKind::Int;
  if (name == "Bool") return KeywordKind::Bool;
  if (name == "Float") return KeywordKind::Float;
  if (name == "String") return KeywordKind::String;
  if (name == "DataType") return KeywordKind::DataType;
  if (name == "MemorySpace") return KeywordKind::MemorySpace;
  if (name == "TensorLayout") return KeywordKind::TensorLayout;
  if (name == "TileLayout") return KeywordKind::TileLayout;
  if (name == "PadValue") return KeywordKind::PadValue;
  if (name == "ReduceOp") return KeywordKind::ReduceOp;
  if (name == "NotifyOp") return KeywordKind::NotifyOp;
  if (name == "WaitCmp") return KeywordKind::WaitCmp;
  if (name == "Atomic") return KeywordKind::Atomic;
  if (name == "RoundMode") return KeywordKind::RoundMode;
  if (name == "CmpType") return KeywordKind::CmpType;
  if (name == "Coalesce") return KeywordKind::Coalesce;
  throw "unknown kind of keyword in ops.def";
}

constexpr bool take_suffix(std::string_view& text, char mark) {
  if (text.empty() || text.back() != mark) return false;
  text.remove_suffix(1);
  return true;
}

constexpr Effect default_effect(OperandKind kind) {
  bool has_storage = kind == OperandKind::Tensor || kind == OperandKind::Window || kind == OperandKind::Tile ||
                     kind == OperandKind::Array || kind == OperandKind::Any;
  return has_storage ? Effect::Read : Effect::None;
}

consteval FixedList<Operand, 9> operands(std::string_view text) {
  FixedList<Operand, 9> out;
  while (!text.empty()) {
    std::string_view word = cut(text, ' ');
    Operand operand;
    operand.name = cut(word, ':');
    operand.variadic = take_suffix(word, '*');
    operand.optional = take_suffix(word, '?') || operand.variadic;
    operand.kind = operand_kind(cut(word, '/'));
    operand.effect = default_effect(operand.kind);
    if (word == "n") {
      operand.effect = Effect::None;
    } else if (word == "w") {
      operand.effect = Effect::Write;
    } else if (word == "rw") {
      operand.effect = Effect::ReadWrite;
    } else if (!word.empty()) {
      throw "unknown effect in ops.def";
    }
    if (out.count > 0 && out.items[out.count - 1u].optional && !operand.optional)
      throw "an operand that must be given stands behind one that may be missing";
    out.items[out.count++] = operand;
  }
  return out;
}

consteval FixedList<Keyword, 9> keywords(std::string_view text) {
  FixedList<Keyword, 9> out;
  while (!text.empty()) {
    std::string_view word = cut(text, ' ');
    Keyword keyword;
    keyword.name = cut(word, ':');
    keyword.required = take_suffix(word, '!');
    keyword.kind = keyword_kind(word);
    out.items[out.count++] = keyword;
  }
  return out;
}

}  // namespace pyptoc::ir::detail
