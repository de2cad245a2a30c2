// SPDX-License-Identifier: Apache-2.0
// How the DSL spells things: names, keywords, infix operators. The printer and the parser both go by these tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ir/attr.h"
#include "ir/enums.h"
#include "ir/node.h"
#include "ir/type.h"

namespace pyptoc::text {

// Binding strength, weakest first.
enum class Prec : uint8_t {
  Lowest,
  Or,
  And,
  Not,
  Compare,
  BitOr,
  BitXor,
  BitAnd,
  Shift,
  Arith,
  Term,
  Unary,
  Power,
  Atom
};

struct BinarySpelling {
  std::string_view text;   // ` + `, or the name of a function: `min`
  Prec prec = Prec::Atom;  // Atom: a function
};
// `^` stands for Xor of BOOLs and for BitXor of anything else; `bools` says which it is. Where it is neither, a
// function is spelled.
BinarySpelling spelling_of(ir::NodeKind kind, bool bools);

// The name of an ArgDirection behind `pl.adir.`.
std::string_view adir_name(ir::ArgDirection direction);
std::optional<ir::ArgDirection> adir_from_name(std::string_view name);
// The name of a SplitMode behind `pl.SplitMode.`.
std::string_view split_mode_name(ir::SplitMode mode);
std::optional<ir::SplitMode> split_mode_from_name(std::string_view name);

// `pl.Ptr`, for the kinds of type without parts; empty for the others.
std::string_view plain_type_name(ir::TypeKind kind);

// A name in the sense of Python that is no keyword. Letters beyond ASCII are those of the common scripts.
bool is_identifier(std::string_view text);
bool is_keyword(std::string_view word);
// Names that the text itself gives a meaning: `pl`, `self`, `min`. Variables do not get them.
bool is_taken_name(std::string_view name);
// An identifier that is neither keyword nor taken, made from any text; the same for the same text.
std::string identifier_from(std::string_view text);

// Whether a bare operator name can stand behind `pl.` or `pld.` with its dots; others are spelled `pl.op("name")`.
bool is_dotted_op_name(std::string_view name);

// What a bare name or number means as the value of a keyword argument or attribute: an expression node for the keys
// listed here, else a Var or an Int.
bool key_takes_expr(std::string_view key);

// The level and role that a function type implies; empty when it implies none.
struct Placement {
  std::optional<ir::Level> level;
  std::optional<ir::Role> role;
};
Placement implied_placement(ir::FunctionType type);

}  // namespace pyptoc::text
