// SPDX-License-Identifier: Apache-2.0
#include "orchestration/programs.h"

namespace pyptoc::orchestration {

std::vector<Case> hazards() {
  return {
      {"straight line", R"(    y2 = use(x, y)
    z2 = use(x, z)
    x2 = change(x)
    z3 = join(x2, z2)
)"},
      {"a chain of temporaries", R"(    t = pl.tensor.create([64], dtype=pl.FP32)
    t2 = use(x, t)
    y2 = join(t2, y)
    t3 = use(y2, t2)
    z2 = join(t3, z)
    t4 = make(t3)
    z3 = join(t4, z2)
)"},
      {"through another view", R"(    wide = pl.tensor.reshape(x, [2, 32])
    row = pl.tensor.slice(wide, [1, 32], [1, 0])
    part = pl.tensor.reshape(row, [32])
    o = pl.tensor.slice(out, [32], [0])
    o2 = use_half(part, o)
    x2 = change(x)
)"},
      {"the reader in a branch", R"(    if n > 2:
        y2 = use(x, y)
        y3 = pl.yield_(y2)
    else:
        y3 = pl.yield_(y)
    x2 = change(x)
)"},
      {"the writer in a branch", R"(    y2 = use(x, y)
    if n > 2:
        x2 = change(x)
        x3 = pl.yield_(x2)
    else:
        x3 = pl.yield_(x)
    z2 = join(x3, z)
    x4 = make(x3)
)"},
      {"across iterations", R"(    for i, (a, b) in pl.range(5, init_values=(x, y)):
        a2 = change(a)
        b2 = use(a2, b)
        a3, b3 = pl.yield_(a2, b2)
    z2 = join(b3, z)
)"},
      {"a temporary of a parallel loop", R"(    t = pl.tensor.create([64], dtype=pl.FP32)
    for i, (a, b) in pl.parallel(4, init_values=(t, z)):
        a2 = make(a)
        b2 = join(a2, b)
        a3, b3 = pl.yield_(a2, b2)
)"},
      {"readers of moving parts, the writer behind the loop", R"(    for i in pl.parallel(n):
        part = pl.tensor.slice(big, [32], [i * 32])
        o = pl.tensor.slice(out, [32], [i * 32])
        o2 = use_half(part, o)
    last = pl.tensor.slice(big, [32], [n * 16 - 16])
    last2 = change_half(last)
)"},
      {"readers of one buffer in a loop, the writer behind it", R"(    for i in pl.range(n):
        o = pl.tensor.slice(out, [64], [i * 64])
        o2 = use(x, o)
    x2 = change(x)
)"},
      {"the next iteration writes what this one reads", R"(    for i in pl.range(4):
        part = pl.tensor.slice(big, [32], [i * 32])
        part2 = change_half(part)
        ahead = pl.tensor.slice(big, [32], [i * 32 + 32])
        o = pl.tensor.slice(out, [32], [i * 32])
        o2 = use_half(ahead, o)
)"},
      {"writer and reader in turns of a branch", R"(    for i, (a, b) in pl.range(6, init_values=(x, y)):
        if i == 2 or i == 5:
            a2 = change(a)
            a3, b3 = pl.yield_(a2, b)
        else:
            o = pl.tensor.slice(out, [64], [i % 4 * 64])
            o2 = use(a, o)
            a3, b3 = pl.yield_(a, b)
        a4, b4 = pl.yield_(a3, b3)
)"},
      {"nested loops", R"(    for i, (a, b) in pl.range(3, init_values=(x, y)):
        a2 = change(a)
        for j, (c,) in pl.range(n, init_values=(b,)):
            c2 = join(a2, c)
            c3 = pl.yield_(c2)
        a3, b3 = pl.yield_(a2, c3)
    x2 = make(a3)
)"},
      {"scopes", R"(    with pl.scope():
        y2 = use(x, y)
        with pl.scope():
            z2 = use(x, z)
    with pl.scope():
        x2 = change(x)
)"},
      {"one of two buffers", R"(    if n > 2:
        a = pl.yield_(x)
    else:
        a = pl.yield_(y)
    z2 = use(a, z)
    x2 = change(x)
    y2 = change(y)
)"},
      {"a task that waits for an element",
       R"(    y2, t = pl.submit(use, x, y, predicate=(pl.tensor.read(flag, [0]) > 0))
    flag2 = set_flag(flag)
)"},
      {"the orchestration writes an element", R"(    y2 = use(x, y)
    x2 = pl.tensor.write(x, [3], 1.5)
    z2 = join(x2, z)
)"},
      {"the orchestration waits in between", R"(    y2 = use_flag(flag, y)
    v = pl.tensor.read(y2, [0])
    flag2 = set_flag(flag)
    if v != 0.0:
        z2 = use_flag(flag2, z)
        z3 = pl.yield_(z2)
    else:
        z3 = pl.yield_(z)
    flag3 = set_flag(flag2)
)"},
      {"an element that nobody needs", R"(    y2 = use_flag(flag, y)
    v = pl.tensor.read(y2, [0])
    flag2 = set_flag(flag)
)"},
      {"behind a manual scope", R"(    with pl.manual_scope():
        y2, a = pl.submit(use, x, y)
        z2, b = pl.submit(join, y2, z, deps=[a])
    x2 = change(x)
    z3 = join(x2, z2)
)"},
      {"two carries change places", R"(    for i, (a, b) in pl.range(n, init_values=(x, y)):
        b2 = use(a, b)
        a3, b3 = pl.yield_(b2, a)
    z2 = join(a3, z)
    z3 = join(b3, z2)
)"},
      {"a reader of all, writers of halves", R"(    y2 = use(x, y)
    lo = pl.tensor.slice(x, [32], [0])
    hi = pl.tensor.slice(x, [32], [32])
    lo2 = change_half(lo)
    hi2 = make_half(hi)
    z2 = use(x, z)
)"},
      {"readers of halves, a writer of all", R"(    lo = pl.tensor.slice(x, [32], [0])
    hi = pl.tensor.slice(x, [32], [32])
    o = pl.tensor.slice(out, [32], [0])
    o2 = use_half(lo, o)
    p = pl.tensor.slice(out, [32], [64])
    p2 = use_half(hi, p)
    x2 = make(x)
    y2 = use(x2, y)
)"},
      {"a reader of each iteration, a writer that the first one leaves out",
       R"(    for i in pl.range(4):
        part = pl.tensor.slice(big, [32], [(n + 1) % 8 * 32])
        o = pl.tensor.slice(out, [32], [i * 32])
        o = use_half(part, o)
        for j in pl.range(i):
            whole = pl.tensor.slice(big, [64], [0])
            whole = join(x, whole)
)",
       {{64, 4, {4}}, {64, 4, {0}}}},
      {"a reader of each iteration, a writer in a branch that the first one does not take", R"(    for i in pl.range(5):
        o = pl.tensor.slice(out, [32], [i * 32])
        part = pl.tensor.slice(big, [32], [32])
        o = use_half(part, o)
        if i > 2:
            whole = pl.tensor.slice(big, [64], [0])
            whole = change(whole)
)"},
      {"a loop that carries what it made, under another name", R"(    t = pl.tensor.create([64], dtype=pl.FP32)
    t = make(t)
    for i in pl.range(n):
        u = pl.tensor.create([64], dtype=pl.FP32)
        u = use(t, u)
        t = u
    x = join(t, x)
)"},
      {"a buffer that an iteration makes beside that of the one before",
       R"(    if n > 2:
        p = x
    else:
        p = z
    for i in pl.range(4):
        t = pl.tensor.create([64], dtype=pl.FP32)
        t = use(p, t)
        for j, (q,) in pl.range(i % 2, init_values=(x,)):
            x = use_flag(flag, x)
            r = pl.yield_(q)
        y = join(r, t)
    z = use(y, z)
)",
       {{64, 4, {4}}, {64, 4, {0}}}},
      // Its maker was taken for the one of the iteration in which it is used.
      {"a loop that carries what a submit made, under two names", R"(    p = x
    q = y
    for i in pl.range(n):
        m, id = pl.submit(use, p)
        q = scale(q, i)
        p = m
        q = m
    z = join(q, z)
)"},
      // Its maker was taken for what the value is ordered behind, whichever buffer it is.
      {"the output of a reader, or another buffer", R"(    p = x
    m, id = pl.submit(use, z)
    if n > 2:
        p = m
    z = join(p, z)
)"},
      {"an output of the iteration before that this one's task reads", R"(    p = x
    for i in pl.range(n):
        m, o, id = pl.submit(split, p)
        last = p
        p = m
        y = join(o, y)
        if i > 1:
            last = change(last)
    z = join(p, z)
)"},
      // Both copies of the inner loop shared the call that makes `t`: the first was taken to use one buffer for all its
      // iterations, which the runtime would order, and the writer of x waited for the last reader only.
      {"two copies of a loop that makes a buffer in each iteration", R"(    for r in pl.unroll(2):
        for i in pl.range(n):
            t = pl.tensor.create([64], dtype=pl.FP32)
            t = use(x, t)
            y = join(t, y)
        x = change(x)
)"},
      {"a while loop that reads what the next one writes", R"(    for (k, a) in pl.while_(init_values=(0, x)):
        pl.cond(k < n)
        o = pl.tensor.slice(out, [64], [k % 4 * 64])
        o2 = use(a, o)
        a2 = change(a)
        k2, a3 = pl.yield_(k + 1, a2)
    y2 = use(a3, y)
)"},
  };
}

}  // namespace pyptoc::orchestration
