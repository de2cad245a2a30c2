// SPDX-License-Identifier: Apache-2.0
// Kernels of the random programs. Whoever builds one defines TASK before the text, for tensors of INT32:
//   COPY   (a, b)       b = a
//   MIX    (a, b, k)    b = 3 b + a + k
//   COUNT  (a, b)       b[d] = a[d, 0] modulo 4, less 1
//   MASK   (a, b)       rows of block d of b that a[d] does not count become 0
//   NEAR   (a, b)       b = what the next rank has in window a
// The first two may be launched in several blocks. The shapes of a and b may differ where their volumes do not.
#include "intrinsic.h"

namespace {

constexpr int64_t kLine = 16;

__aicore__ inline __gm__ int32_t *element(__gm__ ChipTensor *t, int64_t i) {
    int64_t at = static_cast<int64_t>(t->start_offset);
    for (uint32_t d = t->ndims; d-- > 0;) {
        const int64_t extent = static_cast<int64_t>(t->shapes[d]);
        at += i % extent * static_cast<int64_t>(t->strides[d]);
        i /= extent;
    }
    return reinterpret_cast<__gm__ int32_t *>(t->buffer.addr) + at;
}
__aicore__ inline void store(__gm__ ChipTensor *t, int64_t i, uint32_t value) {
    *element(t, i) = static_cast<int32_t>(value);
}
__aicore__ inline uint32_t load(__gm__ ChipTensor *t, int64_t i) { return static_cast<uint32_t>(*element(t, i)); }

}  // namespace

extern "C" __aicore__ void kernel_entry(__gm__ int64_t *args) {
    __gm__ ChipTensor *a = tensor(args, 0);
    __gm__ ChipTensor *b = tensor(args, 1);
    const int64_t n = volume(b);
    // A block does whole cache lines: what it writes back holds no word of another one.
    const int64_t lines = (n + kLine - 1) / kLine;
    const int64_t first = lines * get_block_idx(args) / get_block_num(args) * kLine;
    const int64_t next = lines * (get_block_idx(args) + 1) / get_block_num(args) * kLine;
    const int64_t end = next < n ? next : n;
    forget_cached();
#if TASK == COPY
    for (int64_t i = first; i < end; ++i) store(b, i, load(a, i));
#elif TASK == MIX
    const auto k = static_cast<uint32_t>(args[2]);
    for (int64_t i = first; i < end; ++i) store(b, i, 3 * load(b, i) + load(a, i) + k);
#elif TASK == COUNT
    const int64_t row = volume(a) / n;
    for (int64_t i = 0; i < n; ++i) store(b, i, load(a, i * row) % 4 - 1);
#elif TASK == MASK
    const int64_t block = n / volume(a);
    const int64_t row = n / b->shapes[0];
    for (int64_t i = 0; i < n; ++i) {
        if (i % block / row >= *element(a, i / block)) store(b, i, 0);
    }
#elif TASK == NEAR
    __gm__ CommContext *domain = reinterpret_cast<__gm__ CommContext *>(args[2]);
    const uint32_t other = (domain->rankId + 1) % domain->rankNum;
    const uint64_t shift = domain->windowsIn[other] - domain->windowsIn[domain->rankId];
    for (int64_t i = 0; i < n; ++i) {
        store(b, i, static_cast<uint32_t>(*reinterpret_cast<__gm__ int32_t *>(reinterpret_cast<uint64_t>(element(a, i)) + shift)));
    }
#endif
    for (int64_t i = first; i < end; ++i) clean(reinterpret_cast<__gm__ uint8_t *>(element(b, i)), 4);
    settle();
}
