// allreduce, mesh: every rank reduces one slice of each block's part and hands it to all. Arguments: target, signal,
// context.
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

// BF16 is computed in FP32 and rounded once, on every target: a2a3 has no arithmetic for it.
template <typename T>
struct Computed {
    using type = T;
};
template <>
struct Computed<bfloat16_t> {
    using type = float;
};
using Acc = Computed<Elem>::type;

constexpr int64_t kPiece = 4096;  // elements reduced at a time
constexpr int64_t kElemBytes = kPiece * static_cast<int64_t>(sizeof(Elem));
constexpr int64_t kAccBytes = kPiece * static_cast<int64_t>(sizeof(Acc));

using ElemTile = RowOf<Elem, kPiece>;
using AccTile = RowOf<Acc, kPiece>;

// Two tiles to load into, while the vector unit works on the other one; two for results, while the other is stored.
// Events between a pair of pipes have the number of the tile that they are about.
struct Reducer {
    const Domain &domain;
    bool odd;  // which tile takes the next result

    __aicore__ inline explicit Reducer(const Domain &d) : domain(d), odd(false) {
        set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
        set_flag(PIPE_V, PIPE_MTE2, EVENT_ID1);
        set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
        set_flag(PIPE_MTE3, PIPE_V, EVENT_ID1);
    }

    // Nothing may be reduced after it.
    __aicore__ inline void finish() {
        wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
        wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID1);
        wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
        wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID1);
    }

    // Reduces elements [lo, hi) of what begins at `mine` over ranks 0, 1, ... in that order, and stores them on `count`
    // ranks from the one `first` steps behind this on. The result goes from on-chip memory to each of them, so that all
    // have the same bits. Needs two ranks or more.
    __aicore__ inline void reduce(__gm__ Elem *mine, int64_t lo, int64_t hi, int64_t first, int64_t count) {
        for (int64_t at = lo; at < hi;) {
            const int64_t n = length_at(at, hi, kPiece);
            const event_t done = odd ? EVENT_ID1 : EVENT_ID0;
            ElemTile result(1, static_cast<int>(n));
            TASSIGN(result, 2 * kElemBytes + (odd ? kElemBytes : 0));
            wait_flag(PIPE_MTE3, PIPE_V, done);
            accumulate(mine + at, n, result);
            set_flag(PIPE_V, PIPE_MTE3, done);
            wait_flag(PIPE_V, PIPE_MTE3, done);
            for (int64_t k = first; k < first + count; ++k) {
                RunOf<Elem> to = run_at(domain.on(domain.after_me(k), mine + at), n);
                TSTORE(to, result);
            }
            set_flag(PIPE_MTE3, PIPE_V, done);
            odd = !odd;
            at += n;
        }
    }

    __aicore__ inline void load(ElemTile &tile, __gm__ Elem *mine, int64_t n, int64_t rank, event_t event) {
        RunOf<Elem> from = run_at(domain.on(rank, mine), n);
        wait_flag(PIPE_V, PIPE_MTE2, event);
        TLOAD(tile, from);
        set_flag(PIPE_MTE2, PIPE_V, event);
        wait_flag(PIPE_MTE2, PIPE_V, event);
    }

    __aicore__ inline void accumulate(__gm__ Elem *mine, int64_t n, ElemTile &result) {
        ElemTile even_in(1, static_cast<int>(n));
        ElemTile odd_in(1, static_cast<int>(n));
        TASSIGN(even_in, 0);
        TASSIGN(odd_in, kElemBytes);
        if constexpr (sizeof(Acc) == sizeof(Elem)) {
            load(even_in, mine, n, 0, EVENT_ID0);
            load(odd_in, mine, n, 1, EVENT_ID1);
            TADD(result, even_in, odd_in);
            set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
            set_flag(PIPE_V, PIPE_MTE2, EVENT_ID1);
            for (int64_t rank = 2; rank < domain.ranks; ++rank) {
                const event_t event = rank % 2 == 0 ? EVENT_ID0 : EVENT_ID1;
                ElemTile &in = rank % 2 == 0 ? even_in : odd_in;
                load(in, mine, n, rank, event);
                pipe_barrier(PIPE_V);
                TADD(result, result, in);
                set_flag(PIPE_V, PIPE_MTE2, event);
            }
        } else {
            AccTile acc(1, static_cast<int>(n));
            AccTile wide(1, static_cast<int>(n));
            TASSIGN(acc, 4 * kElemBytes);
            TASSIGN(wide, 4 * kElemBytes + kAccBytes);
            for (int64_t rank = 0; rank < domain.ranks; ++rank) {
                const event_t event = rank % 2 == 0 ? EVENT_ID0 : EVENT_ID1;
                ElemTile &in = rank % 2 == 0 ? even_in : odd_in;
                load(in, mine, n, rank, event);
                pipe_barrier(PIPE_V);
                TCVT(rank == 0 ? acc : wide, in, pto::RoundMode::CAST_NONE);
                set_flag(PIPE_V, PIPE_MTE2, event);
                if (rank == 0) continue;
                pipe_barrier(PIPE_V);
                TADD(acc, acc, wide);
            }
            pipe_barrier(PIPE_V);
            TCVT(result, acc, pto::RoundMode::CAST_RINT);
        }
    }
};

}  // namespace

namespace {

struct Span {
    int64_t lo;
    int64_t hi;
};

// Piece `i` of `parts`, cut alike on every rank. Inner cuts fall on whole grains, so that no two writers share one.
__aicore__ inline Span piece_of(Span whole, int64_t parts, int64_t i) {
    const int64_t grains = (whole.hi - whole.lo + kGrain - 1) / kGrain;
    const int64_t lo = whole.lo + grains * i / parts * kGrain;
    const int64_t hi = whole.lo + grains * (i + 1) / parts * kGrain;
    return Span{lo < whole.hi ? lo : whole.hi, hi < whole.hi ? hi : whole.hi};
}

}  // namespace

extern "C" __aicore__ void kernel_entry(__gm__ int64_t *args) {
    __gm__ ChipTensor *target = tensor_of(args[0]);
    const Domain domain(args[2]);
    const int64_t block = get_block_idx(args);
    const Lane lane(domain, tensor_of(args[1]), block);
    if (domain.ranks == 1) return;

    const Span part = piece_of(Span{0, volume_from(target, 0)}, get_block_num(args), block);
    const Span slice = piece_of(part, domain.ranks, domain.me);

    lane.meet(1);
    Reducer reducer(domain);
    reducer.reduce(elements_of<Elem>(target), slice.lo, slice.hi, 1, domain.ranks);
    reducer.finish();
    settle();
    lane.meet(2);
    lane.take_back(2);
}
