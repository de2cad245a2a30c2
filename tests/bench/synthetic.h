// SPDX-License-Identifier: Apache-2.0
// Programs of a chosen size for benchmarks.
#pragma once

#include "ir/context.h"

namespace pyptoc::bench {

// A chip orchestration of `calls` straight-line calls of one external AIV kernel: out = k(k(k(a, t0), t1) ...), with a
// new temporary for every call.
const ir::Program* straight_line(ir::Context& context, size_t calls);

// A chip orchestration of `count` InCore scopes without names, each of which reads what the one before made.
const ir::Program* scopes(ir::Context& context, size_t count);

}  // namespace pyptoc::bench
