// SPDX-License-Identifier: Apache-2.0
// stage_step(inp, stage[, counts]): this round's part of inp to stage. The count for rank d is the first element of
// block d, or of row d where rows have no blocks.
namespace {

__aicore__ inline int32_t number(__gm__ uint8_t *at, DataType dtype) {
    if (dtype == DataType::INT8) return *reinterpret_cast<__gm__ int8_t *>(at);
    return static_cast<int32_t>(*reinterpret_cast<__gm__ float *>(at));
}

}  // namespace

extern "C" __aicore__ void kernel_entry(__gm__ int64_t *args) {
    __gm__ ChipTensor *inp = tensor(args, 0);
    __gm__ ChipTensor *stage = tensor(args, 1);
    const int64_t bytes = bytes_of(stage);
    __gm__ uint8_t *from = first_byte(inp) + round_of(args) * bytes;
    forget_cached();
    copy_run(first_byte(stage), from, bytes);
#ifdef COUNTED
    __gm__ ChipTensor *counts = tensor(args, 2);
    __gm__ int32_t *count = reinterpret_cast<__gm__ int32_t *>(first_byte(counts));
    const int64_t ranks = volume(counts);
#ifdef INDEXED
    const int64_t apart = bytes / stage->shapes[0];
#else
    const int64_t apart = bytes / ranks;
#endif
    for (int64_t d = 0; d < ranks; ++d) count[d] = number(from + d * apart, inp->dtype);
    clean(first_byte(counts), ranks * 4);
#endif
    settle();
}
