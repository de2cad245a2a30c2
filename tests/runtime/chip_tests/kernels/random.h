// SPDX-License-Identifier: Apache-2.0
// Kernels of the random programs. Whoever builds one defines TASK before the text, for tensors of whole numbers in any type. MIX keeps floats
// below 61:
//   COPY   (a, b)       b = a
//   MIX    (a, b, k)    b = 3 b + a + k
//   COUNT  (a, b)       b[d] = a[d, 0] modulo 4, less 1
//   MASK   (a, b)       rows of block d of b that a[d] does not count become 0
//   NEAR   (a, b)       b = what the next rank has in window a
// The first two may be launched in several blocks. The shapes of a and b may differ where their volumes do not.
#include "intrinsic.h"

namespace {

// Halves and bfloat16 as bits: whole numbers below 256 are exact in both, and a float with 16 bits less in the latter.
__aicore__ inline uint32_t half_of(uint32_t value) {
    if (value == 0) return 0;
    uint32_t power = 0;
    while (value >> (power + 1) != 0) ++power;
    return (power + 15) << 10 | ((value << (10 - power)) & 0x3ff);
}
__aicore__ inline uint32_t of_half(uint32_t bits) {
    return bits == 0 ? 0 : (0x400 | (bits & 0x3ff)) >> (25 - (bits >> 10));
}
__aicore__ inline uint32_t bits_of(float value) {
    uint32_t bits;
    __builtin_memcpy(&bits, &value, 4);
    return bits;
}
__aicore__ inline float of_bits(uint32_t bits) {
    float value;
    __builtin_memcpy(&value, &bits, 4);
    return value;
}

__aicore__ inline bool is_float(__gm__ ChipTensor *t) {
    return t->dtype == DataType::FLOAT32 || t->dtype == DataType::FLOAT16 || t->dtype == DataType::BFLOAT16;
}
__aicore__ inline uint64_t element(__gm__ ChipTensor *t, int64_t i) {
    int64_t at = static_cast<int64_t>(t->start_offset);
    for (uint32_t d = t->ndims; d-- > 0;) {
        const int64_t extent = static_cast<int64_t>(t->shapes[d]);
        at += i % extent * static_cast<int64_t>(t->strides[d]);
        i /= extent;
    }
    return t->buffer.addr + static_cast<uint64_t>(at) * get_element_size(t->dtype);
}
template <class T>
__aicore__ inline __gm__ T &word(uint64_t address) {
    return *reinterpret_cast<__gm__ T *>(address);
}
__aicore__ inline void store_at(DataType type, uint64_t at, uint32_t value) {
    switch (type) {
        case DataType::INT8: word<int8_t>(at) = static_cast<int8_t>(value); return;
        case DataType::INT16: word<int16_t>(at) = static_cast<int16_t>(value); return;
        case DataType::FLOAT16: word<uint16_t>(at) = static_cast<uint16_t>(half_of(value)); return;
        case DataType::BFLOAT16:
            word<uint16_t>(at) = static_cast<uint16_t>(bits_of(static_cast<float>(value)) >> 16);
            return;
        case DataType::FLOAT32: word<float>(at) = static_cast<float>(value); return;
        default: word<int32_t>(at) = static_cast<int32_t>(value);
    }
}
__aicore__ inline uint32_t load_at(DataType type, uint64_t at) {
    switch (type) {
        case DataType::INT8: return static_cast<uint32_t>(word<int8_t>(at));
        case DataType::INT16: return static_cast<uint32_t>(word<int16_t>(at));
        case DataType::FLOAT16: return of_half(word<uint16_t>(at));
        case DataType::BFLOAT16: return static_cast<uint32_t>(of_bits(static_cast<uint32_t>(word<uint16_t>(at)) << 16));
        case DataType::FLOAT32: return static_cast<uint32_t>(word<float>(at));
        default: return static_cast<uint32_t>(word<int32_t>(at));
    }
}
__aicore__ inline void store(__gm__ ChipTensor *t, int64_t i, uint32_t value) { store_at(t->dtype, element(t, i), value); }
__aicore__ inline uint32_t load(__gm__ ChipTensor *t, int64_t i) { return load_at(t->dtype, element(t, i)); }

}  // namespace

extern "C" __aicore__ void kernel_entry(__gm__ int64_t *args) {
    __gm__ ChipTensor *a = tensor(args, 0);
    __gm__ ChipTensor *b = tensor(args, 1);
    const int64_t n = volume(b);
    // A block does whole cache lines: what it writes back holds no word of another one.
    const int64_t size = static_cast<int64_t>(get_element_size(b->dtype));
    const int64_t line = 64 / size;
    const int64_t lines = (n + line - 1) / line;
    const int64_t first = lines * get_block_idx(args) / get_block_num(args) * line;
    const int64_t next = lines * (get_block_idx(args) + 1) / get_block_num(args) * line;
    const int64_t end = next < n ? next : n;
    forget_cached();
#if TASK == COPY
    for (int64_t i = first; i < end; ++i) store(b, i, load(a, i));
#elif TASK == MIX
    const auto k = static_cast<uint32_t>(args[2]);
    for (int64_t i = first; i < end; ++i) {
        const uint32_t mixed = 3 * load(b, i) + load(a, i) + k;
        store(b, i, is_float(b) ? mixed % 61 : mixed);
    }
#elif TASK == COUNT
    const int64_t row = volume(a) / n;
    for (int64_t i = 0; i < n; ++i) store(b, i, load(a, i * row) % 4 - 1);
#elif TASK == MASK
    const int64_t block = n / volume(a);
    const int64_t row = n / b->shapes[0];
    for (int64_t i = 0; i < n; ++i) {
        if (i % block / row >= static_cast<int32_t>(load(a, i / block))) store(b, i, 0);
    }
#elif TASK == NEAR
    __gm__ CommContext *domain = reinterpret_cast<__gm__ CommContext *>(args[2]);
    const uint32_t other = (domain->rankId + 1) % domain->rankNum;
    const uint64_t shift = domain->windowsIn[other] - domain->windowsIn[domain->rankId];
    for (int64_t i = 0; i < n; ++i) {
        store(b, i, load_at(a->dtype, element(a, i) + shift));
    }
#endif
    for (int64_t i = first; i < end; ++i) clean(reinterpret_cast<__gm__ uint8_t *>(element(b, i)), size);
    settle();
}
