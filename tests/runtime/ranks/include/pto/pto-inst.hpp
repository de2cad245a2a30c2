// SPDX-License-Identifier: Apache-2.0
// Stand-in for the tile instruction library, for kernels that run as one of many blocks on many ranks. Every
// instruction is a call into the stand-in (standin_instructions.h), which knows pipes, flags and who sees what when.
// Signatures accept what the library's accept; what the library asserts is a failure of the run.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "standin_instructions.h"

#define __gm__
#define __ubuf__
#define __aicore__
#define AICORE
#define PTO_INTERNAL inline
#define PTO_INST inline

using pipe_t = int;
using event_t = int;
inline constexpr pipe_t PIPE_S = 0, PIPE_V = 1, PIPE_MTE1 = 2, PIPE_MTE2 = 3, PIPE_MTE3 = 4, PIPE_M = 5, PIPE_ALL = 6,
                        PIPE_FIX = 7;
inline constexpr event_t EVENT_ID0 = 0, EVENT_ID1 = 1, EVENT_ID2 = 2, EVENT_ID3 = 3, EVENT_ID4 = 4, EVENT_ID5 = 5,
                         EVENT_ID6 = 6, EVENT_ID7 = 7;
inline void set_flag(pipe_t from, pipe_t to, event_t event) {
  standin_set_flag(from, to, event);
}
inline void wait_flag(pipe_t from, pipe_t to, event_t event) {
  standin_wait_flag(from, to, event);
}
inline void pipe_barrier(pipe_t pipe) {
  standin_pipe_barrier(pipe);
}

enum class cache_line_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum class dcci_dst_t { CACHELINE_OUT, CACHELINE_ALL };
enum mem_dsb_t { DSB_DDR, DSB_ALL, DSB_UB };
inline void dcci(const volatile void* at, cache_line_t which) {
  standin_cache(at, which == cache_line_t::ENTIRE_DATA_CACHE);
}
inline void dcci(const volatile void* at, cache_line_t which, dcci_dst_t) {
  dcci(at, which);
}
inline void dsb(mem_dsb_t what) {
  if (what != DSB_UB) standin_fence();
}

// Two bytes each, and different types, as on the device. Kernels move them; arithmetic is the tile instructions'.
struct half {
  uint16_t bits;
};
struct bfloat16_t {
  uint16_t bits;
};
using float16_t = half;

namespace pto {

inline constexpr int DYNAMIC = -1;
enum class Layout { ND, DN };
enum class TileType { Vec, Mat, Left, Right, Acc };
enum class BLayout { RowMajor, ColMajor };
enum class AtomicType : uint8_t { AtomicNone = 0, AtomicAdd = 1 };
enum class RoundMode : uint8_t {
  CAST_NONE = 0,
  CAST_RINT = 1,
  CAST_ROUND = 2,
  CAST_FLOOR = 3,
  CAST_CEIL = 4,
  CAST_TRUNC = 5,
  CAST_ODD = 6,
};
struct RecordEvent {};

template <typename T>
constexpr int32_t standin_type_of() {
  if constexpr (std::is_same_v<T, float>) return STANDIN_FP32;
  if constexpr (std::is_same_v<T, half>) return STANDIN_FP16;
  if constexpr (std::is_same_v<T, bfloat16_t>) return STANDIN_BF16;
  if constexpr (std::is_same_v<T, bool>) return STANDIN_BOOL;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    constexpr bool is_signed = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 1) return is_signed ? STANDIN_INT8 : STANDIN_UINT8;
    if constexpr (sizeof(T) == 2) return is_signed ? STANDIN_INT16 : STANDIN_UINT16;
    if constexpr (sizeof(T) == 4) return is_signed ? STANDIN_INT32 : STANDIN_UINT32;
    if constexpr (sizeof(T) == 8) return is_signed ? STANDIN_INT64 : STANDIN_UINT64;
  }
  static_assert(std::is_arithmetic_v<T> || sizeof(T) == 2, "an element type of the library");
  return -1;
}

// Five extents or strides; those that are DYNAMIC are given to the constructor in order.
template <int64_t... kDims>
struct FiveDims {
  static_assert(sizeof...(kDims) == 5, "five dimensions");
  static constexpr int64_t fixed[5] = {kDims...};
  static constexpr int kDynamic = (0 + ... + (kDims == DYNAMIC ? 1 : 0));
  FiveDims() {
    for (int d = 0; d < 5; ++d) dims[d] = fixed[d] == DYNAMIC ? 1 : fixed[d];
  }
  template <typename... Given, typename = std::enable_if_t<sizeof...(Given) == kDynamic && kDynamic != 0>>
  explicit FiveDims(Given... given) {
    const int64_t values[] = {static_cast<int64_t>(given)...};
    for (int d = 0, next = 0; d < 5; ++d) dims[d] = fixed[d] == DYNAMIC ? values[next++] : fixed[d];
  }
  int64_t dims[5];
};

template <int64_t kA = DYNAMIC, int64_t kB = DYNAMIC, int64_t kC = DYNAMIC, int64_t kD = DYNAMIC, int64_t kE = DYNAMIC>
struct Shape : FiveDims<kA, kB, kC, kD, kE> {
  using FiveDims<kA, kB, kC, kD, kE>::FiveDims;
};
template <int64_t kA = DYNAMIC, int64_t kB = DYNAMIC, int64_t kC = DYNAMIC, int64_t kD = DYNAMIC, int64_t kE = DYNAMIC>
struct Stride : FiveDims<kA, kB, kC, kD, kE> {
  using FiveDims<kA, kB, kC, kD, kE>::FiveDims;
};

template <typename T, typename ShapeT, typename StrideT, Layout kLayout = Layout::ND>
struct GlobalTensor {
  using Shape = ShapeT;
  using Stride = StrideT;
  using RawDType = std::remove_cv_t<T>;
  using DType = RawDType;
  static constexpr Layout layout = kLayout;
  GlobalTensor(T* at, const ShapeT& shape_in = ShapeT{}, const StrideT& stride_in = StrideT{})
      : at_(at), shape_(shape_in), stride_(stride_in) {}
  T* data() const { return at_; }
  int64_t GetShape(int d) const { return shape_.dims[d]; }
  int64_t GetStride(int d) const { return stride_.dims[d]; }
  StandinGlobal standin() const {
    StandinGlobal g{reinterpret_cast<uint64_t>(at_), {}, {}, standin_type_of<RawDType>()};
    for (int d = 0; d < 5; ++d) {
      g.shape[d] = shape_.dims[d];
      g.stride[d] = stride_.dims[d];
    }
    return g;
  }

 private:
  T* at_;
  ShapeT shape_;
  StrideT stride_;
};

template <TileType kType, typename T, int kRows, int kCols, BLayout kLayout = BLayout::RowMajor, int kValidRows = kRows,
          int kValidCols = kCols>
struct Tile {
  using DType = T;
  static constexpr int Rows = kRows;
  static constexpr int Cols = kCols;
  static_assert(kType == TileType::Vec && kLayout == BLayout::RowMajor, "the stand-in has row-major vector tiles only");
  static_assert(kCols * static_cast<int64_t>(sizeof(T)) % 32 == 0, "tile rows are 32-byte aligned");
  Tile() : Tile(kValidRows, kValidCols) {
    static_assert(kValidRows != DYNAMIC && kValidCols != DYNAMIC, "a dynamic valid shape is given");
  }
  template <typename R, typename C>
  Tile(R valid_rows, C valid_cols) : rows_(valid_rows), cols_(valid_cols) {
    check();
  }
  template <typename C, int kR = kValidRows, typename = std::enable_if_t<kR != DYNAMIC>>
  explicit Tile(C valid_cols) : rows_(kValidRows), cols_(valid_cols) {
    check();
  }
  int64_t GetValidRow() const { return rows_; }
  int64_t GetValidCol() const { return cols_; }
  void SetValidRow(int64_t rows) { SetValidShape(rows, cols_); }
  void SetValidCol(int64_t cols) { SetValidShape(rows_, cols); }
  void SetValidShape(int64_t rows, int64_t cols) {
    rows_ = rows;
    cols_ = cols;
    check();
  }
  StandinTile standin() const { return {at_, kRows, kCols, rows_, cols_, standin_type_of<T>()}; }
  void standin_assign(int64_t at) { at_ = at; }

 private:
  void check() const {
    if (rows_ < 0 || rows_ > kRows || cols_ < 0 || cols_ > kCols) {
      standin_misuse("a tile's valid shape exceeds the tile");
    }
  }
  int64_t at_ = -1;
  int64_t rows_;
  int64_t cols_;
};

template <typename TileT, typename Address>
inline void TASSIGN(TileT& tile, Address byte_offset) {
  tile.standin_assign(static_cast<int64_t>(byte_offset));
}

template <typename TileT, typename GlobalT>
inline RecordEvent TLOAD(TileT& tile, GlobalT& from) {
  static_assert(std::is_same_v<typename TileT::DType, typename GlobalT::RawDType>, "one element type");
  const StandinTile t = tile.standin();
  const StandinGlobal g = from.standin();
  standin_load(&t, &g);
  return {};
}

template <AtomicType kAtomic = AtomicType::AtomicNone, typename GlobalT, typename TileT>
inline RecordEvent TSTORE(GlobalT& to, TileT& tile) {
  static_assert(std::is_same_v<typename TileT::DType, typename GlobalT::RawDType>, "one element type");
  const StandinTile t = tile.standin();
  const StandinGlobal g = to.standin();
  standin_store(&g, &t, kAtomic == AtomicType::AtomicAdd);
  return {};
}

template <typename A, typename B, typename C>
inline RecordEvent standin_elementwise(StandinOp op, A& dst, B& a, C& b) {
  const StandinTile d = dst.standin();
  const StandinTile x = a.standin();
  const StandinTile y = b.standin();
  standin_binary(op, &d, &x, &y, 0);
  return {};
}

#define STANDIN_BINARY(name, op)                \
  template <typename A, typename B, typename C> \
  inline RecordEvent name(A& dst, B& a, C& b) { \
    return standin_elementwise(op, dst, a, b);  \
  }
STANDIN_BINARY(TADD, STANDIN_ADD)
STANDIN_BINARY(TSUB, STANDIN_SUB)
STANDIN_BINARY(TMUL, STANDIN_MUL)
STANDIN_BINARY(TMAX, STANDIN_MAX)
STANDIN_BINARY(TMIN, STANDIN_MIN)
#undef STANDIN_BINARY

#define STANDIN_SCALAR(name, op)                                     \
  template <typename A, typename B>                                  \
  inline RecordEvent name(A& dst, B& a, typename A::DType value) {   \
    const StandinTile d = dst.standin();                             \
    const StandinTile x = a.standin();                               \
    standin_binary(op, &d, &x, nullptr, static_cast<double>(value)); \
    return {};                                                       \
  }
STANDIN_SCALAR(TADDS, STANDIN_ADD)
STANDIN_SCALAR(TMULS, STANDIN_MUL)
STANDIN_SCALAR(TMAXS, STANDIN_MAX)
STANDIN_SCALAR(TMINS, STANDIN_MIN)
#undef STANDIN_SCALAR

template <typename A>
inline RecordEvent TEXPANDS(A& dst, typename A::DType value) {
  const StandinTile d = dst.standin();
  standin_fill(&d, static_cast<double>(value));
  return {};
}

template <typename A, typename B>
inline RecordEvent TCVT(A& dst, B& src, RoundMode mode) {
  const StandinTile d = dst.standin();
  const StandinTile s = src.standin();
  standin_convert(&d, &s, static_cast<int32_t>(mode));
  return {};
}

template <typename A, typename B>
inline RecordEvent TMOV(A& dst, B& src) {
  static_assert(std::is_same_v<typename A::DType, typename B::DType>, "one element type");
  const StandinTile d = dst.standin();
  const StandinTile s = src.standin();
  standin_convert(&d, &s, 0);
  return {};
}

}  // namespace pto
