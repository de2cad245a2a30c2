// SPDX-License-Identifier: Apache-2.0
// Enumerations of the IR, with the numbers and names that files use; the rows are in enums.def.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/enums.def"

namespace pyptoc::ir {

// Each enumeration: its constants, and a constexpr table of (number, name) rows as files have them.
struct EnumRow {
  int64_t number;
  std::string_view name;
};
template <class E>
struct EnumTraits;  // kTypeName, kRows

#define PYPTOC_ENUM_CONSTANT(C, N, S) C = N,
#define PYPTOC_ENUM_ROW(C, N, S) EnumRow{N, S},
#define PYPTOC_DEFINE_ENUM(E)                                                        \
  enum class E : uint8_t { PYPTOC_ENUM_##E(PYPTOC_ENUM_CONSTANT) };                  \
  template <>                                                                        \
  struct EnumTraits<E> {                                                             \
    static constexpr std::string_view kTypeName = #E;                                \
    static constexpr auto kRows = std::to_array({PYPTOC_ENUM_##E(PYPTOC_ENUM_ROW)}); \
  };

PYPTOC_DEFINE_ENUM(DType)
PYPTOC_DEFINE_ENUM(FunctionType)
PYPTOC_DEFINE_ENUM(Level)
PYPTOC_DEFINE_ENUM(Role)
PYPTOC_DEFINE_ENUM(ParamDirection)
PYPTOC_DEFINE_ENUM(ArgDirection)
PYPTOC_DEFINE_ENUM(ForKind)
PYPTOC_DEFINE_ENUM(MemorySpace)
PYPTOC_DEFINE_ENUM(SplitMode)
PYPTOC_DEFINE_ENUM(Language)
PYPTOC_DEFINE_ENUM(TensorLayout)
PYPTOC_DEFINE_ENUM(TileLayout)
PYPTOC_DEFINE_ENUM(PadValue)
PYPTOC_DEFINE_ENUM(Compact)

#undef PYPTOC_DEFINE_ENUM
#undef PYPTOC_ENUM_ROW
#undef PYPTOC_ENUM_CONSTANT

template <class E>
concept IrEnum = requires {
  EnumTraits<E>::kRows;
};

// The number that a file uses is the enumerator's value.
template <IrEnum E>
constexpr std::string_view name_of(E value) {
  for (const EnumRow& row : EnumTraits<E>::kRows)
    if (row.number == static_cast<int64_t>(value)) return row.name;
  return "?";
}
template <IrEnum E>
constexpr std::optional<E> enum_from_number(int64_t number) {
  for (const EnumRow& row : EnumTraits<E>::kRows)
    if (row.number == number) return static_cast<E>(number);
  return std::nullopt;
}
template <IrEnum E>
constexpr std::optional<E> enum_from_name(std::string_view name) {
  for (const EnumRow& row : EnumTraits<E>::kRows)
    if (row.name == name) return static_cast<E>(row.number);
  return std::nullopt;
}

// Width of one element in bits; 0 for TASK_ID, which has no storage format of its own.
int bits_of(DType dtype);
bool is_float(DType dtype);
bool is_signed_int(DType dtype);    // INDEX counts as signed, 64 bits
bool is_unsigned_int(DType dtype);  // not BOOL
inline bool is_integer(DType dtype) {
  return is_signed_int(dtype) || is_unsigned_int(dtype);
}

}  // namespace pyptoc::ir
