// barrier: returns when every rank has entered. Arguments: signal, context.
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

extern "C" __aicore__ void kernel_entry(__gm__ int64_t *args) {
    const Domain domain(args[1]);
    const Lane lane(domain, tensor_of(args[0]), 0);
    settle();
    lane.meet(1);
    lane.take_back(1);
}
