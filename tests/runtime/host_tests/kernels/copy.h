// SPDX-License-Identifier: Apache-2.0
// Moves tensors of any element type through on-chip memory, as bytes.
#pragma once

#include <cstdint>

#include <pto/pto-inst.hpp>

#include "tensor.h"

#ifndef __gm__
#define __gm__
#endif
#ifndef __aicore__
#define __aicore__ [aicore]
#endif

namespace copying {

constexpr int64_t kStage = 8192;  // bytes
using Run = pto::Shape<1, 1, 1, 1, pto::DYNAMIC>;
using RunStride = pto::Stride<pto::DYNAMIC, pto::DYNAMIC, pto::DYNAMIC, pto::DYNAMIC, 1>;
using Bytes = pto::GlobalTensor<int8_t, Run, RunStride, pto::Layout::ND>;
using Stage = pto::Tile<pto::TileType::Vec, int8_t, 1, kStage, pto::BLayout::RowMajor, pto::DYNAMIC, pto::DYNAMIC>;

inline __aicore__ int64_t size_of(__gm__ const ChipTensor* t) {
  return static_cast<int64_t>(get_element_size(t->dtype));
}

// Rows are the runs of the last axis, whose stride is 1.
inline __aicore__ int64_t rows_of(__gm__ const ChipTensor* t) {
  int64_t rows = 1;
  for (uint32_t d = 0; d + 1 < t->ndims; ++d) rows *= static_cast<int64_t>(t->shapes[d]);
  return rows;
}

inline __aicore__ __gm__ int8_t* row_of(__gm__ const ChipTensor* t, int64_t row) {
  int64_t at = static_cast<int64_t>(t->start_offset);
  for (uint32_t d = t->ndims - 1; d-- > 0;) {
    const int64_t extent = static_cast<int64_t>(t->shapes[d]);
    at += row % extent * static_cast<int64_t>(t->strides[d]);
    row /= extent;
  }
  return reinterpret_cast<__gm__ int8_t*>(t->buffer.addr) + at * size_of(t);
}

inline __aicore__ void copy_run(__gm__ int8_t* to, __gm__ int8_t* from, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at += kStage) {
    const int n = static_cast<int>(bytes - at < kStage ? bytes - at : kStage);
    Stage stage(1, n);
    TASSIGN(stage, 0);
    Bytes a(from + at, Run(n), RunStride(n, n, n, n));
    Bytes b(to + at, Run(n), RunStride(n, n, n, n));
    TLOAD(stage, a);
    set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
    TSTORE(b, stage);
    set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
    wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
  }
}

// `shift` is added to the addresses of the source.
inline __aicore__ void copy_all(__gm__ const ChipTensor* to, __gm__ const ChipTensor* from, int64_t shift) {
  const int64_t rows = rows_of(from);
  const int64_t bytes = static_cast<int64_t>(from->shapes[from->ndims - 1]) * size_of(from);
  for (int64_t row = 0; row < rows; ++row) copy_run(row_of(to, row), row_of(from, row) + shift, bytes);
  pipe_barrier(PIPE_ALL);
}

}  // namespace copying
