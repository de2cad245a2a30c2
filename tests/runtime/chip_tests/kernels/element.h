// SPDX-License-Identifier: Apache-2.0
// What the kernels around a collective share. Whoever builds a kernel of them defines, before the text:
//   ROUND_ARG    the argument with the number of the round, where the program has rounds
//   COUNTED      the exchange has counts
//   INDEXED      its input is rows that an index names
//   CONTEXT_ARG  the communication context, where a kernel looks at a neighbour
#include <cstdint>

#include <pto/pto-inst.hpp>

#include "platform_comm/comm_context.h"
#include "tensor.h"

#ifndef __gm__
#define __gm__
#endif
#ifndef __aicore__
#define __aicore__ [aicore]
#endif

namespace {

constexpr int64_t kChunk = 4096;
using RunShape = pto::Shape<1, 1, 1, 1, pto::DYNAMIC>;
using RunStride = pto::Stride<pto::DYNAMIC, pto::DYNAMIC, pto::DYNAMIC, pto::DYNAMIC, 1>;
using Run = pto::GlobalTensor<uint8_t, RunShape, RunStride, pto::Layout::ND>;
using Piece = pto::Tile<pto::TileType::Vec, uint8_t, 1, kChunk, pto::BLayout::RowMajor, -1, -1>;

__aicore__ inline __gm__ ChipTensor *tensor(__gm__ int64_t *args, int at) {
    return reinterpret_cast<__gm__ ChipTensor *>(args[at]);
}
__aicore__ inline int64_t volume(__gm__ ChipTensor *t) {
    int64_t n = 1;
    for (uint32_t d = 0; d < t->ndims; ++d) n *= t->shapes[d];
    return n;
}
__aicore__ inline int64_t bytes_of(__gm__ ChipTensor *t) {
    return volume(t) * static_cast<int64_t>(get_element_size(t->dtype));
}
__aicore__ inline __gm__ uint8_t *first_byte(__gm__ ChipTensor *t) {
    return reinterpret_cast<__gm__ uint8_t *>(t->buffer.addr) + t->start_offset * get_element_size(t->dtype);
}
__aicore__ inline int64_t round_of(__gm__ int64_t *args) {
#ifdef ROUND_ARG
    return args[ROUND_ARG];
#else
    (void)args;
    return 0;
#endif
}

__aicore__ inline void forget_cached() {
    dcci(reinterpret_cast<__gm__ void *>(0), cache_line_t::ENTIRE_DATA_CACHE);
    dsb(DSB_DDR);
}
// Scalar stores of these bytes become visible.
__aicore__ inline void clean(__gm__ uint8_t *from, int64_t bytes) {
    for (int64_t i = 0; i < bytes; i += 64) dcci(from + i, cache_line_t::SINGLE_CACHE_LINE, dcci_dst_t::CACHELINE_OUT);
    if (bytes > 0) dcci(from + bytes - 1, cache_line_t::SINGLE_CACHE_LINE, dcci_dst_t::CACHELINE_OUT);
}
__aicore__ inline void settle() {
    pipe_barrier(PIPE_ALL);
    dsb(DSB_DDR);
}

__aicore__ inline void copy_run(__gm__ uint8_t *to, __gm__ uint8_t *from, int64_t bytes) {
    for (int64_t at = 0; at < bytes; at += kChunk) {
        const int64_t n = bytes - at < kChunk ? bytes - at : kChunk;
        Run source(from + at, RunShape(n), RunStride(n, n, n, n));
        Run target(to + at, RunShape(n), RunStride(n, n, n, n));
        Piece piece(1, n);
        TASSIGN(piece, 0);
        TLOAD(piece, source);
        set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
        wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
        TSTORE(target, piece);
        set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
        wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
    }
}

}  // namespace
