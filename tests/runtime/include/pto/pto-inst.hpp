// SPDX-License-Identifier: Apache-2.0
// Stand-in for the tile instruction library: the part that row-wise vector kernels use, with the meaning that the
// runtime contract gives it. Instructions happen at once and in program order, so a missing flag between pipes is not
// found here.
#pragma once

#include <cstdint>

#define __gm__
#define __aicore__
#define AICORE

[[noreturn]] void standin_abort(const char* why);

using pipe_t = int;
using event_t = int;
inline constexpr pipe_t PIPE_S = 0, PIPE_V = 1, PIPE_MTE1 = 2, PIPE_MTE2 = 3, PIPE_MTE3 = 4, PIPE_M = 5, PIPE_ALL = 6;
inline constexpr event_t EVENT_ID0 = 0, EVENT_ID1 = 1, EVENT_ID2 = 2, EVENT_ID3 = 3;
inline void set_flag(pipe_t, pipe_t, event_t) {}
inline void wait_flag(pipe_t, pipe_t, event_t) {}
inline void pipe_barrier(pipe_t) {}

enum class cache_line_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum class dcci_dst_t { CACHELINE_OUT };
enum mem_dsb_t { DSB_DDR };
inline void dcci(const volatile void*, cache_line_t) {}
inline void dcci(const volatile void*, cache_line_t, dcci_dst_t) {}
inline void dsb(mem_dsb_t) {}

namespace pto {

inline constexpr int DYNAMIC = -1;
enum class Layout { ND };
enum class TileType { Vec };
enum class BLayout { RowMajor };

// Five extents or strides, those that are DYNAMIC given to the constructor in order.
template <int... kDims>
struct FiveDims {
  static_assert(sizeof...(kDims) == 5, "five dimensions");
  template <typename... Given>
  explicit FiveDims(Given... given) {
    constexpr int dynamic = (0 + ... + (kDims == DYNAMIC ? 1 : 0));
    static_assert(sizeof...(Given) == dynamic, "one value for each dynamic dimension");
    const int64_t values[] = {static_cast<int64_t>(given)..., 0};
    const int fixed[] = {kDims...};
    for (int d = 0, next = 0; d < 5; ++d) dims[d] = fixed[d] == DYNAMIC ? values[next++] : fixed[d];
  }
  int64_t dims[5];
};

template <int... kDims>
struct Shape : FiveDims<kDims...> {
  using FiveDims<kDims...>::FiveDims;
};

template <int... kDims>
struct Stride : FiveDims<kDims...> {
  using FiveDims<kDims...>::FiveDims;
};

template <typename T, typename ShapeT, typename StrideT, Layout kLayout = Layout::ND>
struct GlobalTensor {
  GlobalTensor(T* at, const ShapeT& shape_in, const StrideT& stride_in)
      : data(at), shape(shape_in), stride(stride_in) {}
  int64_t rows() const { return shape.dims[0] * shape.dims[1] * shape.dims[2] * shape.dims[3]; }
  int64_t cols() const { return shape.dims[4]; }
  T& at(int64_t row, int64_t col) const {
    int64_t offset = col * stride.dims[4];
    for (int d = 3; d >= 0; --d) {
      offset += row % shape.dims[d] * stride.dims[d];
      row /= shape.dims[d];
    }
    return data[offset];
  }
  T* data;
  ShapeT shape;
  StrideT stride;
};

// The vector unit's memory of one core (a2a3: 192 KiB); tiles are places in it.
struct OnChip {
  static constexpr int64_t kBytes = 192 * 1024;
  alignas(64) unsigned char bytes[kBytes];
};
inline thread_local OnChip on_chip;

template <TileType kType, typename T, int64_t kRows, int64_t kCols, BLayout kLayout = BLayout::RowMajor,
          int kValidRows = DYNAMIC, int kValidCols = DYNAMIC>
struct Tile {
  using Elem = T;
  static constexpr int64_t kBytes = kRows * kCols * static_cast<int64_t>(sizeof(T));
  static_assert(kCols * static_cast<int64_t>(sizeof(T)) % 32 == 0, "tile rows are 32-byte aligned");
  Tile(int64_t valid_rows, int64_t valid_cols) : rows(valid_rows), cols(valid_cols) {
    if (rows < 0 || rows > kRows || cols < 0 || cols > kCols) standin_abort("Tile: the valid shape exceeds the tile");
  }
  T& at(int64_t row, int64_t col) const {
    if (data == nullptr) standin_abort("Tile: used before TASSIGN");
    return data[row * kCols + col];
  }
  T* data = nullptr;
  int64_t rows;
  int64_t cols;
};

template <typename TileT>
inline void TASSIGN(TileT& tile, int64_t byte_offset) {
  if (byte_offset < 0 || byte_offset % 32 != 0 || byte_offset + TileT::kBytes > OnChip::kBytes) {
    standin_abort("TASSIGN: the tile does not fit on-chip memory");
  }
  tile.data = reinterpret_cast<typename TileT::Elem*>(on_chip.bytes + byte_offset);
}

template <typename TileT, typename GlobalT>
inline void TLOAD(TileT& tile, GlobalT& from) {
  if (tile.rows != from.rows() || tile.cols != from.cols()) standin_abort("TLOAD: the tile's valid shape differs");
  for (int64_t r = 0; r < tile.rows; ++r) {
    for (int64_t c = 0; c < tile.cols; ++c) tile.at(r, c) = from.at(r, c);
  }
}

template <typename GlobalT, typename TileT>
inline void TSTORE(GlobalT& to, TileT& tile) {
  if (tile.rows != to.rows() || tile.cols != to.cols()) standin_abort("TSTORE: the tile's valid shape differs");
  for (int64_t r = 0; r < tile.rows; ++r) {
    for (int64_t c = 0; c < tile.cols; ++c) to.at(r, c) = tile.at(r, c);
  }
}

template <typename TileT, typename Op>
inline void standin_each(TileT& dst, const TileT& a, const TileT& b, Op op) {
  if (dst.rows != a.rows || dst.cols != a.cols || dst.rows != b.rows || dst.cols != b.cols) {
    standin_abort("tile operands of different valid shapes");
  }
  for (int64_t r = 0; r < dst.rows; ++r) {
    for (int64_t c = 0; c < dst.cols; ++c) dst.at(r, c) = op(a.at(r, c), b.at(r, c));
  }
}

template <typename TileT>
inline void TADD(TileT& dst, TileT& a, TileT& b) {
  standin_each(dst, a, b, [](auto x, auto y) { return static_cast<typename TileT::Elem>(x + y); });
}

template <typename TileT>
inline void TMUL(TileT& dst, TileT& a, TileT& b) {
  standin_each(dst, a, b, [](auto x, auto y) { return static_cast<typename TileT::Elem>(x * y); });
}

template <typename TileT>
inline void TMULS(TileT& dst, TileT& a, typename TileT::Elem factor) {
  standin_each(dst, a, a, [factor](auto x, auto) { return static_cast<typename TileT::Elem>(x * factor); });
}

}  // namespace pto
