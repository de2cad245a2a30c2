// SPDX-License-Identifier: Apache-2.0
// What the kernels of this example share: a contiguous FP32 tensor walked in runs that fit into on-chip memory.
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

namespace vec {

constexpr int64_t kRun = 8192;  // elements that are on chip at once, per operand

using RunShape = pto::Shape<1, 1, 1, 1, pto::DYNAMIC>;
using RunStride = pto::Stride<pto::DYNAMIC, pto::DYNAMIC, pto::DYNAMIC, pto::DYNAMIC, 1>;
using Run = pto::GlobalTensor<float, RunShape, RunStride, pto::Layout::ND>;
using Stage = pto::Tile<pto::TileType::Vec, float, 1, kRun, pto::BLayout::RowMajor, -1, -1>;

constexpr int64_t kStageBytes = kRun * static_cast<int64_t>(sizeof(float));

struct Tensor {
  __gm__ float* first;
  int64_t count;

  __aicore__ inline explicit Tensor(int64_t arg) {
    __gm__ ChipTensor* t = reinterpret_cast<__gm__ ChipTensor*>(arg);
    first = reinterpret_cast<__gm__ float*>(t->buffer.addr) + t->start_offset;
    count = 1;
    for (uint32_t d = 0; d < t->ndims; ++d) {
      count *= t->shapes[d];
    }
  }

  __aicore__ inline Run run(int64_t at, int64_t n) const {
    const int k = static_cast<int>(n);
    return Run(first + at, RunShape(k), RunStride(k, k, k, k));
  }
};

__aicore__ inline int64_t run_length(int64_t left) {
  return left < kRun ? left : kRun;
}

// The vector unit starts when both loads are done, the store when the vector unit is done, and the next run's loads
// when the store is done: one run's tiles are the next one's.
__aicore__ inline void loaded() {
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
}

__aicore__ inline void computed() {
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
}

__aicore__ inline void stored() {
  set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
  wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
}

}  // namespace vec
