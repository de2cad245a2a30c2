// allreduce, ring: chunks travel round the ring, first being added to, then as they are. Arguments: target,
// signal [2 * (ranks - 1) + 1, ranks], context.
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

constexpr int64_t kStage = 16 * 1024 / static_cast<int64_t>(sizeof(Elem));

// Each row of the signal is one step, in which only neighbours meet. The cell of `source` is credited by that rank alone.
struct Ring {
    const Domain &domain;
    __gm__ int32_t *cells;
    int64_t width;
    int64_t left;
    int64_t right;

    __aicore__ inline Ring(const Domain &d, __gm__ ChipTensor *signal)
        : domain(d),
          cells(elements_of<int32_t>(signal)),
          width(static_cast<int64_t>(signal->shapes[1])),
          left(d.after_me(d.ranks - 1)),
          right(d.after_me(1)) {}

    __aicore__ inline __gm__ int32_t *cell(int64_t row, int64_t source) const { return cells + row * width + source; }

    // Both neighbours have come to the end of this step, and all that they pushed until then is in memory.
    __aicore__ inline void meet(int64_t row) const {
        settle();
        add_to(domain.on(left, cell(row, domain.me)), 1);
        add_to(domain.on(right, cell(row, domain.me)), 1);
        if (left == right) {  // two ranks: one cell, credited for both directions
            await(cell(row, left), 2);
        } else {
            await(cell(row, left), 1);
            await(cell(row, right), 1);
        }
    }

    // Takes this call's credits off again; see Lane::take_back of the other collectives.
    __aicore__ inline void take_back(int64_t rows) const {
        for (int64_t row = 0; row < rows; ++row) {
            if (left == right) {
                add_to(cell(row, left), -2);
            } else {
                add_to(cell(row, left), -1);
                add_to(cell(row, right), -1);
            }
        }
        settle();
    }

    // Sends chunk `steps` behind this rank's own to the same place on the right neighbour.
    template <pto::AtomicType kHow>
    __aicore__ inline void push(__gm__ Elem *data, int64_t total, int64_t steps) const {
        const int64_t chunk = domain.after_me(domain.ranks - steps);
        const int64_t end = total * (chunk + 1) / domain.ranks;
        for (int64_t at = total * chunk / domain.ranks; at < end; at += kStage) {
            const int64_t n = end - at < kStage ? end - at : kStage;
            RunOf<Elem> from = run_at(data + at, n);
            RunOf<Elem> to = run_at(domain.on(right, data + at), n);
            RowOf<Elem, kStage> tile(1, static_cast<int>(n));
            TASSIGN(tile, 0);
            pto::comm::TPUT<kHow>(to, from, tile);
        }
    }
};

}  // namespace

extern "C" __aicore__ void kernel_entry(__gm__ int64_t *args) {
    __gm__ ChipTensor *target = tensor_of(args[0]);
    const Domain domain(args[2]);
    if (domain.ranks == 1) return;
    const Ring ring(domain, tensor_of(args[1]));
    __gm__ Elem *data = elements_of<Elem>(target);
    const int64_t total = volume_from(target, 0);
    const int64_t ranks = domain.ranks;

    ring.meet(0);
    for (int64_t step = 1; step < ranks; ++step) {
        ring.push<pto::AtomicType::AtomicAdd>(data, total, step);
        ring.meet(step);
    }
    for (int64_t step = 0; step < ranks - 1; ++step) {
        ring.push<pto::AtomicType::AtomicNone>(data, total, step);
        ring.meet(ranks + step);
    }
    ring.take_back(2 * ranks - 1);
}
