// all_to_all_v: block s of the target of rank r begins with the rows that rank s counts for r. Arguments: input, target,
// signal, send_counts, recv_counts, context; more contexts may follow.
#include <cstdint>

#include <pto/pto-inst.hpp>

#ifndef __gm__
#define __gm__
#endif
#ifndef __aicore__
#define __aicore__ [aicore]
#endif

#include "intrinsic.h"
#include "platform_comm/comm_context.h"
#include "pto/comm/comm_types.hpp"
#include "pto/comm/pto_comm_inst.hpp"
#include "tensor.h"

namespace {

// The ranks that take part, seen from this one. A window lies at another address on each rank.
struct Domain {
    __gm__ CommContext *context;
    int64_t me;
    int64_t ranks;

    __aicore__ inline explicit Domain(int64_t arg)
        : context(reinterpret_cast<__gm__ CommContext *>(arg)), me(context->rankId), ranks(context->rankNum) {}

    // The place in the window of `rank` that corresponds to `mine` in this rank's.
    template <typename T>
    __aicore__ inline __gm__ T *on(int64_t rank, __gm__ T *mine) const {
        const uint64_t inside = reinterpret_cast<uint64_t>(mine) - context->windowsIn[me];
        return reinterpret_cast<__gm__ T *>(context->windowsIn[rank] + inside);
    }

    // The rank `steps` behind this one, in a circle.
    __aicore__ inline int64_t after_me(int64_t steps) const { return (me + steps) % ranks; }
};

__aicore__ inline __gm__ ChipTensor *tensor_of(int64_t arg) {
    return reinterpret_cast<__gm__ ChipTensor *>(arg);
}

template <typename T>
__aicore__ inline __gm__ T *elements_of(__gm__ ChipTensor *tensor) {
    return reinterpret_cast<__gm__ T *>(tensor->buffer.addr) + tensor->start_offset;
}

// The product of the extents from `axis` on: the elements of the tensor for 0, of one row for 1.
__aicore__ inline int64_t volume_from(__gm__ ChipTensor *tensor, uint32_t axis) {
    int64_t count = 1;
    for (uint32_t d = axis; d < tensor->ndims; ++d) count *= static_cast<int64_t>(tensor->shapes[d]);
    return count;
}

// All that this block wrote is in memory before anything that comes after.
__aicore__ inline void settle() {
    pipe_barrier(PIPE_ALL);
    dsb(DSB_DDR);
}

// Words that several ranks write are only ever added to: a store writes a whole cache line back, and with it loses what
// others did to its neighbours in the meantime.
__aicore__ inline void add_to(__gm__ int32_t *word, int32_t value) {
    pto::comm::Signal signal(word);
    pto::comm::TNOTIFY(signal, value, pto::comm::NotifyOp::AtomicAdd);
}

__aicore__ inline void await(__gm__ int32_t *word, int32_t least) {
    pto::comm::Signal signal(word);
    pto::comm::TWAIT(signal, least, pto::comm::WaitCmp::GE);
}

}  // namespace

namespace {

// Blocks of one number on all ranks meet on one lane of the signal. The cell of `source` is credited by that rank alone.
struct Lane {
    const Domain &domain;
    __gm__ int32_t *cells;
    int64_t stride;
    int64_t lane;

    __aicore__ inline Lane(const Domain &d, __gm__ ChipTensor *signal, int64_t number)
        : domain(d),
          cells(elements_of<int32_t>(signal)),
          stride(signal->ndims > 1 ? static_cast<int64_t>(signal->shapes[1]) : 1),
          lane(number) {}

    __aicore__ inline __gm__ int32_t *cell(int64_t source) const { return cells + source * stride + lane; }

    // Tells every peer that this rank has come to `round`, and waits until all of them have.
    __aicore__ inline void meet(int32_t round) const {
        for (int64_t k = 1; k < domain.ranks; ++k) {
            add_to(domain.on(domain.after_me(k), cell(domain.me)), 1);
        }
        for (int64_t k = 1; k < domain.ranks; ++k) await(cell(domain.after_me(k)), round);
    }

    // Takes this call's credits off again. A peer's first credit of the next call may be among them already and stays.
    // In memory before the kernel returns, since the next call may run on another core.
    __aicore__ inline void take_back(int32_t rounds) const {
        for (int64_t k = 1; k < domain.ranks; ++k) add_to(cell(domain.after_me(k)), -rounds);
        settle();
    }
};

}  // namespace

namespace {

using Elem = float;

constexpr int64_t kGrain = 32 / static_cast<int64_t>(sizeof(Elem));  // elements that memory writes at once

using RunShape = pto::Shape<1, 1, 1, 1, pto::DYNAMIC>;
using RunStride = pto::Stride<pto::DYNAMIC, pto::DYNAMIC, pto::DYNAMIC, pto::DYNAMIC, 1>;
template <typename T>
using RunOf = pto::GlobalTensor<T, RunShape, RunStride, pto::Layout::ND>;
template <typename T, int64_t kLength>
using RowOf = pto::Tile<pto::TileType::Vec, T, 1, kLength, pto::BLayout::RowMajor, pto::DYNAMIC, pto::DYNAMIC>;

template <typename T>
__aicore__ inline RunOf<T> run_at(__gm__ T *place, int64_t length) {
    const int n = static_cast<int>(length);
    return RunOf<T>(place, RunShape(n), RunStride(n, n, n, n));
}

// The next piece of [at, end): at most `most` elements, the first one shorter where that lets the others begin on whole
// grains.
__aicore__ inline int64_t length_at(int64_t at, int64_t end, int64_t most) {
    const int64_t room = most - at % kGrain;
    return room < end - at ? room : end - at;
}

}  // namespace

namespace {

// Payload moves as unsigned words of the element's size: only its bytes matter, and BOOL or BF16 need no instruction of
// their own. Elements of 8 bytes are two words.
template <uint64_t kBytes>
struct WordOf {
    using type = uint32_t;
};
template <>
struct WordOf<2> {
    using type = uint16_t;
};
template <>
struct WordOf<1> {
    using type = uint8_t;
};
using Word = WordOf<sizeof(Elem)>::type;
constexpr int64_t kWordsPerElem = static_cast<int64_t>(sizeof(Elem) / sizeof(Word));

constexpr int64_t kStageBytes = 16 * 1024;
constexpr int64_t kStageElems = kStageBytes / static_cast<int64_t>(sizeof(Elem));

// On-chip memory as two stages: while one is stored, the other is loaded.
struct Mover {
    bool odd;

    __aicore__ inline Mover() : odd(false) {
        set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
        set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID1);
    }

    // Nothing may be pushed after it.
    __aicore__ inline void finish() {
        wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
        wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID1);
    }

    // Copies elements [lo, hi) of what begins at `from` to the same elements of what corresponds to `to` on `count` ranks
    // from the one `first` steps behind this on.
    __aicore__ inline void push(const Domain &domain, __gm__ Elem *from, __gm__ Elem *to, int64_t lo, int64_t hi,
                                int64_t first, int64_t count) {
        for (int64_t at = lo; at < hi;) {
            const int64_t n = length_at(at, hi, kStageElems);
            piece(domain, from + at, to + at, n, first, count);
            at += n;
        }
    }

    __aicore__ inline void piece(const Domain &domain, __gm__ Elem *from, __gm__ Elem *to, int64_t n, int64_t first,
                                 int64_t count) {
        const int64_t words = n * kWordsPerElem;
        const event_t stage = odd ? EVENT_ID1 : EVENT_ID0;
        RowOf<Word, kStageElems * kWordsPerElem> tile(1, static_cast<int>(words));
        TASSIGN(tile, odd ? kStageBytes : 0);
        RunOf<Word> in = run_at(reinterpret_cast<__gm__ Word *>(from), words);
        wait_flag(PIPE_MTE3, PIPE_MTE2, stage);
        TLOAD(tile, in);
        set_flag(PIPE_MTE2, PIPE_MTE3, stage);
        wait_flag(PIPE_MTE2, PIPE_MTE3, stage);
        for (int64_t k = first; k < first + count; ++k) {
            RunOf<Word> out = run_at(reinterpret_cast<__gm__ Word *>(domain.on(domain.after_me(k), to)), words);
            TSTORE(out, tile);
        }
        set_flag(PIPE_MTE3, PIPE_MTE2, stage);
        odd = !odd;
    }
};

}  // namespace

namespace {

// Counts are scalars that other cores or ranks wrote: what the cache holds of them is worth nothing.
__aicore__ inline void forget_cached() {
    dcci(reinterpret_cast<__gm__ void *>(0), cache_line_t::ENTIRE_DATA_CACHE);
    dsb(DSB_DDR);
}

__aicore__ inline int32_t count_at(__gm__ int32_t *counts, int64_t i) {
    return *reinterpret_cast<volatile __gm__ int32_t *>(counts + i);
}

// The rows that a count asks for: none for a negative one, no more than there is room for.
__aicore__ inline int64_t counted(__gm__ int32_t *counts, int64_t i, int64_t capacity) {
    const int64_t asked = count_at(counts, i);
    return asked < 0 ? 0 : asked > capacity ? capacity : asked;
}

// Where part `part` of `parts` begins in a run of `n` elements from `begin` on; inner cuts fall on grains.
__aicore__ inline int64_t cut(int64_t begin, int64_t n, int64_t part, int64_t parts) {
    if (part <= 0) return begin;
    if (part >= parts) return begin + n;
    const int64_t at = (begin + n * part / parts + kGrain - 1) / kGrain * kGrain;
    return at < begin + n ? at : begin + n;
}

}  // namespace

namespace {

// How the blocks of one rank share the destinations: with enough of them each destination has as many blocks of its own,
// else each block has several destinations.
struct Shares {
    int64_t blocks;
    int64_t ranks;
    int64_t lanes;  // blocks of one destination

    __aicore__ inline Shares(int64_t b, int64_t p) : blocks(b), ranks(p), lanes(b >= p ? b / p : 1) {}

    __aicore__ inline int64_t first_of(int64_t block) const { return blocks >= ranks ? block / lanes : block; }
    __aicore__ inline int64_t step() const { return blocks >= ranks ? ranks : blocks; }
    __aicore__ inline int64_t lane_of(int64_t block) const { return blocks >= ranks ? block % lanes : 0; }
    // The one block of each rank that tells `rank` a count.
    __aicore__ inline int64_t publisher_to(int64_t rank) const {
        return blocks >= ranks ? rank * lanes : rank % blocks;
    }
};

}  // namespace

extern "C" __aicore__ void kernel_entry(__gm__ int64_t *args) {
    forget_cached();
    __gm__ Elem *input = elements_of<Elem>(tensor_of(args[0]));
    __gm__ ChipTensor *target = tensor_of(args[1]);
    __gm__ int32_t *send_counts = elements_of<int32_t>(tensor_of(args[3]));
    __gm__ int32_t *recv_counts = elements_of<int32_t>(tensor_of(args[4]));
    const Domain domain(args[5]);
    const int64_t block = get_block_idx(args);
    const Lane lane(domain, tensor_of(args[2]), block);
    const Shares shares(get_block_num(args), domain.ranks);
    const int64_t row = volume_from(target, 1);
    const int64_t capacity = static_cast<int64_t>(target->shapes[0]) / domain.ranks;  // rows from one rank

    // The counts of the last call go before anybody can know that this rank has come: only the blocks that meet on this
    // lane publish to this rank.
    if (block == shares.publisher_to(domain.me)) {
        for (int64_t source = 0; source < domain.ranks; ++source) {
            const int32_t old = count_at(recv_counts, source);
            if (old != 0) add_to(recv_counts + source, static_cast<int32_t>(0u - static_cast<uint32_t>(old)));
        }
        settle();
    }

    lane.meet(1);
    forget_cached();
    Mover mover;
    for (int64_t rank = shares.first_of(block); rank < domain.ranks; rank += shares.step()) {
        const int64_t rows = counted(send_counts, rank, capacity);
        const int64_t begin = domain.me * capacity * row;
        const int64_t lo = cut(begin, rows * row, shares.lane_of(block), shares.lanes);
        const int64_t hi = cut(begin, rows * row, shares.lane_of(block) + 1, shares.lanes);
        mover.push(domain, input + rank * capacity * row - begin, elements_of<Elem>(target), lo, hi,
                   rank - domain.me + domain.ranks, 1);
        if (rows != 0 && block == shares.publisher_to(rank)) {
            add_to(domain.on(rank, recv_counts + domain.me), static_cast<int32_t>(rows));
        }
    }
    mover.finish();
    settle();
    lane.meet(2);
    lane.take_back(2);
}
