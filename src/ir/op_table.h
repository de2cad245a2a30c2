// SPDX-License-Identifier: Apache-2.0
// What is known of each operator: operands with their effects, keywords, the storage of the result, the type rule, and
// the core that runs it. The rows are in ops.def.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/expr.h"

namespace pyptoc::ir {

// What an operand may be. `Ints` is a tuple of integer scalars (a shape, offsets, indices).
enum class OperandKind : uint8_t { Any, Tensor, Window, Tile, Scalar, Int, Ints, Array, Ptr, CommCtx, Task };
std::string_view text_of(OperandKind kind);  // `a tensor`

// What the operator does to the storage behind an operand. None: it only looks at the shape, or makes a view.
enum class Effect : uint8_t { None, Read, Write, ReadWrite };
constexpr bool reads(Effect effect) {
  return effect == Effect::Read || effect == Effect::ReadWrite;
}
constexpr bool writes(Effect effect) {
  return effect == Effect::Write || effect == Effect::ReadWrite;
}

struct Operand {
  std::string_view name;
  OperandKind kind = OperandKind::Any;
  Effect effect = Effect::Read;
  bool optional = false;
  bool variadic = false;  // the last one only: none or more of it
};

// Kinds of keyword values. Those after PadValue are integers in files, with a known range and known names.
enum class KeywordKind : uint8_t {
  Int,
  Bool,
  Float,
  String,
  DataType,
  MemorySpace,
  TensorLayout,
  TileLayout,
  PadValue,
  ReduceOp,
  NotifyOp,
  WaitCmp,
  Atomic,
  RoundMode,
  CmpType,
  Coalesce,
};
AttrKind attr_kind_of(KeywordKind kind);
std::string_view text_of(KeywordKind kind);  // `an integer`, `a ReduceOp`
// The names of an enumeration in order of its numbers (`Sum`, `Max`, ...); empty for the other kinds.
List<std::string_view> enumerators(KeywordKind kind);

struct Keyword {
  std::string_view name;
  KeywordKind kind = KeywordKind::Int;
  bool required = false;
};

// The storage of the result. Alias: it is operand `operand` after the operator ran, under a new name. View: it shows
// all or a part of that operand's storage in another shape.
struct ResultStorage {
  enum class Kind : uint8_t { Nothing, Fresh, Alias, View };
  Kind kind = Kind::Fresh;
  uint8_t operand = 0;

  constexpr bool shares_operand() const { return kind == Kind::Alias || kind == Kind::View; }
};

// Which core of a cluster runs the operator. Cube memory is everything but DDR and Vec.
enum class AffinityRule : uint8_t {
  None,          // no operator of kernels: orchestration or host only
  Neutral,       // runs wherever its neighbours do
  Shared,        // each side needs its own (declarations, block indices)
  Vector,        //
  Cube,          //
  TargetMemory,  // by the memory space that the keyword names; Vec when it is absent
  FirstTile,     // by the memory of the first tile operand
  Move,          // like FirstTile, but on both sides when source and target lie on different sides
  Boundary,      // on both sides: hands data across
  CoreType,      // by the keyword core_type; on both sides when it names none
};

// A list of fixed capacity, so that the table needs no allocation.
template <class T, size_t N>
struct FixedList {
  std::array<T, N> items{};
  uint8_t count = 0;

  constexpr const T* begin() const { return items.data(); }
  constexpr const T* end() const { return items.data() + count; }
  constexpr size_t size() const { return count; }
  constexpr const T& operator[](size_t i) const { return items[i]; }
};

struct TypeRuleInput;
using TypeRule = const Type* (*)(TypeRuleInput&);

struct OpInfo {
  std::string_view name;
  AffinityRule affinity = AffinityRule::None;
  ResultStorage result;
  TypeRule type_rule = nullptr;  // null: not known
  FixedList<Operand, 9> operands;
  FixedList<Keyword, 9> keywords;

  size_t min_args() const;
  size_t max_args() const;  // SIZE_MAX when the last operand repeats
  // The operand at a position of the argument list, or null; a repeated one stands for all positions behind it.
  const Operand* operand_at(size_t position) const;
  const Keyword* keyword(std::string_view key) const;  // null when it has none of that name
};

// For Unknown: a row without a name, operands and keywords.
const OpInfo& op_info(OpId id);
inline std::string_view op_name(OpId id) {
  return op_info(id).name;
}
List<OpId> all_ops();
// Null when no operator name is near; for `help:` lines.
std::optional<std::string_view> closest_op(std::string_view name);

// Internal forms of the collectives, which a fresh program must not contain.
bool is_builtin(OpId id);
// The user's collectives: pld.tensor.allreduce and its like.
bool is_collective(OpId id);
// A second core that runs it as well would change the meaning of the program.
bool must_run_once(OpId id);

// The operand's effect in this call: the table's, but a write that accumulates (`atomic`, a notify that adds) also
// reads.
Effect effect_of(const Call* call, size_t position);

enum class CoreAffinity : uint8_t { Neutral, Shared, Vector, Cube, Mixed };
// For an operator call; a call of a function is Neutral. The attribute core_placement `aiv`, which marks what stood in
// a split-AIV region, moves calls to the vector side whose side would otherwise only be inferred.
CoreAffinity core_affinity(const Call* call);
// Of two parts of one body.
CoreAffinity combine(CoreAffinity a, CoreAffinity b);
constexpr bool is_cube_memory(MemorySpace space) {
  return space != MemorySpace::Ddr && space != MemorySpace::Vec;
}

}  // namespace pyptoc::ir
