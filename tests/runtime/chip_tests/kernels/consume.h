// SPDX-License-Identifier: Apache-2.0
// consume_step(data[, recv], out): data to this round's part of out. With counts, the rows that did not come are filled
// with 0x7E, and everything with 0x55 where a count is none.
extern "C" __aicore__ void kernel_entry(__gm__ int64_t *args) {
    __gm__ ChipTensor *data = tensor(args, 0);
    const int64_t bytes = bytes_of(data);
    __gm__ uint8_t *from = first_byte(data);
    forget_cached();
#ifdef COUNTED
    __gm__ ChipTensor *recv = tensor(args, 1);
    __gm__ uint8_t *to = first_byte(tensor(args, 2)) + round_of(args) * bytes;
    __gm__ int32_t *count = reinterpret_cast<__gm__ int32_t *>(first_byte(recv));
    const int64_t ranks = volume(recv);
    const int64_t block = bytes / ranks;
    const int64_t row = block / (data->shapes[0] / ranks);
    for (int64_t source = 0; source < ranks; ++source) {
        const int64_t rows = count[source];
        const bool good = rows >= 0 && rows * row <= block;
        for (int64_t i = 0; i < block; ++i) {
            uint8_t value = good ? 0x7E : 0x55;
            if (good && i < rows * row) value = from[source * block + i];
            to[source * block + i] = value;
        }
    }
    clean(to, bytes);
#else
    __gm__ uint8_t *to = first_byte(tensor(args, 1)) + round_of(args) * bytes;
#ifdef CONTEXT_ARG
    __gm__ CommContext *domain = reinterpret_cast<__gm__ CommContext *>(args[CONTEXT_ARG]);
    const uint32_t right = (domain->rankId + 1) % domain->rankNum;
    from += domain->windowsIn[right] - domain->windowsIn[domain->rankId];
#endif
    copy_run(to, from, bytes);
#endif
    settle();
}
