// SPDX-License-Identifier: Apache-2.0
// scaled_copy(from, by) -> to: to = by * from, element by element.
//   args[0..1]  from, to (ChipTensor *), FP32, contiguous, of one size; one of them may be a window
//   args[2]     by, an FP32 in the low 32 bits
#include <cstdint>

#include <pto/pto-inst.hpp>

#include "tensor.h"

#ifndef __gm__
#define __gm__
#endif
#ifndef __aicore__
#define __aicore__ [aicore]
#endif

namespace {

constexpr int64_t kRun = 8192;  // elements that are on chip at once
using RunShape = pto::Shape<1, 1, 1, 1, pto::DYNAMIC>;
using RunStride = pto::Stride<pto::DYNAMIC, pto::DYNAMIC, pto::DYNAMIC, pto::DYNAMIC, 1>;
using Run = pto::GlobalTensor<float, RunShape, RunStride, pto::Layout::ND>;
using Stage = pto::Tile<pto::TileType::Vec, float, 1, kRun, pto::BLayout::RowMajor, -1, -1>;

__aicore__ inline __gm__ float* first_of(int64_t arg) {
  __gm__ ChipTensor* t = reinterpret_cast<__gm__ ChipTensor*>(arg);
  return reinterpret_cast<__gm__ float*>(t->buffer.addr) + t->start_offset;
}

}  // namespace

extern "C" __aicore__ void kernel_entry(__gm__ int64_t* args) {
  __gm__ float* from = first_of(args[0]);
  __gm__ float* to = first_of(args[1]);
  __gm__ ChipTensor* shape = reinterpret_cast<__gm__ ChipTensor*>(args[0]);
  int64_t count = 1;
  for (uint32_t d = 0; d < shape->ndims; ++d) {
    count *= shape->shapes[d];
  }
  union {
    int64_t bits;
    float value;
  } by;
  by.bits = args[2];
  for (int64_t at = 0; at < count; at += kRun) {
    const int n = static_cast<int>(count - at < kRun ? count - at : kRun);
    Run source(from + at, RunShape(n), RunStride(n, n, n, n));
    Run target(to + at, RunShape(n), RunStride(n, n, n, n));
    Stage stage(1, n);
    TASSIGN(stage, 0);
    TLOAD(stage, source);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    TMULS(stage, stage, by.value);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(target, stage);
    set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
    wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
  }
  pipe_barrier(PIPE_ALL);
}
