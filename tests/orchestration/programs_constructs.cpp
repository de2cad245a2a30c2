// SPDX-License-Identifier: Apache-2.0
#include "orchestration/programs.h"

namespace pyptoc::orchestration {

namespace {

std::vector<Case> control_flow() {
  return {
      {"a loop with carried tensors and a carried scalar",
       R"(    for i, (a, b, s) in pl.range(n, init_values=(x, y, 3)):
        a2 = scale(a, s)
        b2 = join(a2, b)
        a3, b3, s2 = pl.yield_(a2, b2, s * 2 + i)
    z2 = scale(z, s2)
    z3 = join(b3, z2)
)"},
      {"a name of two types in a loop, a branch and one after the other", R"(
kernel use_square(x: F8x8, out: Out F64) -> out
kernel change_square(x: InOut F8x8) -> x
orchestration main(x: InOut F64, y: InOut F64, z: InOut F64, n: INT)
    t = x
    for i in pl.range(n):
        z = join(t, z)
        t = pl.tensor.reshape(y, [8, 8])
        t = change_square(t)
        t = y
    if n > 2:
        t = pl.tensor.reshape(x, [8, 8])
        z = use_square(t, z)
    else:
        z = join(t, z)
)"},
      {"a while loop", R"(    for (k, a) in pl.while_(init_values=(0, x)):
        pl.cond(k * k < n * 3)
        a2 = scale(a, k)
        k2, a3 = pl.yield_(k + 1, a2)
    y2 = use(a3, y)
    y3 = scale(y2, k2)
)"},
      {"steps of more than one, and down", R"(    for i in pl.range(0, n * 2, 3):
        x = scale(x, i)
    for j in pl.range(n, 0 - 2, 0 - 2):
        y = scale(y, j)
    for k in pl.range(5, 2):
        z = change(z)
    z = join(x, z)
)"},
      {"a branch whose results are a parameter and what a task made", R"(    t = pl.tensor.create([64], dtype=pl.FP32)
    if n > 2:
        t2 = make(t)
        a = pl.yield_(t2)
    else:
        a = pl.yield_(x)
    y2 = use(a, y)
    x2 = change(x)
)"},
      {"results of branches and loops in scopes that close before they are used",
       R"(    for i, (a, b) in pl.range(n, init_values=(x, y)):
        with pl.scope():
            if i % 2 == 0:
                b2 = use(a, b)
                c = pl.yield_(b2)
            else:
                c = pl.yield_(b)
            for j, (d, k) in pl.range(2, init_values=(c, 0)):
                d2 = scale(d, k)
                e, m = pl.yield_(d2, k + 3)
        a2 = scale(a, m)
        a3, b3 = pl.yield_(a2, e)
    z = join(b3, z)
    x = change(x)
)"},
      {"a value that leaves two scopes, one after the other",
       R"(    with pl.scope():
        with pl.scope():
            if n > 0:
                x2 = change(x)
            else:
                x2 = make(x)
            y2 = use(x2, y)
        z2 = join(y2, z)
        z3 = scale(z2, n)
    z4 = join(x2, z3)
    for i in pl.range(n):
        y2 = join(x2, y2)
    x3 = change(x2)
)"},
      {"branches in branches",
       R"(    if n > 2:
        if n % 2 == 0:
            x = change(x)
        else:
            x = make(x)
        y = join(x, y)
    else:
        if n == 1:
            y = make(y)
    z = join(y, z)
    z = join(x, z)
)",
       {{64, 4, {4}}, {64, 4, {3}}, {64, 4, {1}}, {64, 4, {0}}}},
      {"break and continue", R"(    for i in pl.range(8):
        if i % 3 == 1:
            continue
        if i > n:
            break
        x = scale(x, i)
        y = join(x, y)
    z = join(y, z)
)"},
      {"a loop that is unrolled, and one in a pipeline", R"(    for i in pl.unroll(3):
        x = scale(x, i)
    for i in pl.pipeline(4, stage=2):
        o = pl.tensor.slice(out, [64], [i * 64])
        o2 = use(x, o)
)"},
      {"a function that is inlined", R"(
@pl.inline
def twice(a: F64, b: pl.InOut[F64], k: INT) -> F64:
    b = scale(b, k)
    b = join(a, b)
    return b

orchestration main(x: InOut F64, y: InOut F64, z: InOut F64, n: INT)
    y = twice(x, y, n)
    z = twice(y, z, n + 1)
    x = twice(z, x, 0)
)"},
      {"a loop that carries what it made", R"(    t = pl.tensor.create([64], dtype=pl.FP32)
    t = make(t)
    for i in pl.range(n):
        u = pl.tensor.create([64], dtype=pl.FP32)
        u = use(t, u)
        t = u
    x = join(t, x)
)"},
      {"an output becomes input and output", R"(orchestration main(x: F64, out: Out F64, n: INT)
    out = fill(out, 7)
    for i in pl.range(n):
        out = join(x, out)
    out = begin(x, out)
)"},
  };
}

std::vector<Case> values() {
  return {
      {"results that are a tuple", R"(    y, z = split(x, y, z)
    x = join(y, x)
    x = join(z, x)
)"},
      {"results in another order than the parameters", R"(    a, b = twist(x, y, z)
    x = join(a, x)
    x = scale(x, 5)
    x = join(b, x)
)"},
      {"views of views", R"(
kernel use_matrix(x: F8x16, out: Out F8x16) -> out
kernel use_row(x: F16, out: Out F16) -> out
orchestration main(x: InOut F16x8, big: InOut F4x8x16, out: Out F8x16, rows: InOut F8x16, n: INT)
    turned = pl.tensor.transpose(x, 0, 1)
    out = use_matrix(turned, out)
    page = pl.tensor.slice(big, [1, 8, 16], [n % 4, 0, 0], [1, 8, 16], [0])
    rows = use_matrix(page, rows)
    for i in pl.range(8):
        flat = pl.tensor.slice(big, [1, 1, 16], [1, i, 0], [1, 1, 16], [0, 1])
        row = pl.tensor.slice(rows, [1, 16], [i, 0], [1, 16], [0])
        row = use_row(flat, row)
)"},
      {"written through one view, read through another", R"(
kernel fill_wide(out: Out F2x32, k: INT) -> out
kernel use_square(x: F8x8, out: Out F64) -> out
kernel change_row(x: InOut F32) -> x
orchestration main(x: InOut F64, y: InOut F64, n: INT)
    wide = pl.tensor.reshape(x, [2, 32])
    wide = fill_wide(wide, n)
    square = pl.tensor.reshape(x, [8, 8])
    y = use_square(square, y)
    row = pl.tensor.slice(wide, [1, 32], [1, 0], [1, 32], [0])
    row = change_row(row)
    y = join(x, y)
)"},
      {"an extent that arguments bind",
       R"(
kernel use_rows(x: F16x64, out: Out F16x64) -> out
kernel join_rows(a: F16x64, b: InOut F16x64) -> b
orchestration main(x: FMx64, out: Out FMx64, acc: InOut F16x64)
    t = pl.tensor.create([M, 64], dtype=pl.FP32)
    rows = pl.dim(x, 0)
    for i in pl.range(rows // 16):
        a = pl.tensor.slice(x, [16, 64], [i * 16, 0])
        b = pl.tensor.slice(t, [16, 64], [i * 16, 0])
        b = use_rows(a, b)
    for i in pl.parallel(rows // 16):
        b = pl.tensor.slice(t, [16, 64], [i * 16, 0])
        c = pl.tensor.slice(out, [16, 64], [i * 16, 0])
        c = use_rows(b, c)
    for i in pl.range(rows // 16):
        b = pl.tensor.slice(t, [16, 64], [i * 16, 0])
        acc = join_rows(b, acc)
)",
       {{64, 1, {}}, {16, 1, {}}}},
      {"elements that decide", R"(    k = pl.tensor.read(flag, [1])
    for i in pl.range(pl.cast(k, pl.INDEX)):
        x = scale(x, i)
    flag = count_flag(x, flag)
    m = pl.tensor.read(flag, [2])
    if m > 2:
        y = change(y)
    else:
        y = make(y)
    first = pl.tensor.read(y, [0])
    second = pl.tensor.read(x, [7])
    if first < second:
        z = use(x, z)
)"},
      {"elements that the orchestration writes", R"(    x = pl.tensor.write(x, [3], 1.5)
    y = use(x, y)
    v = pl.tensor.read(y, [1])
    x = pl.tensor.write(x, [n], v * 2.0 + 1.0)
    z = use(x, z)
    flag = pl.tensor.write(flag, [0], pl.const(3, pl.INT32))
    z = blend(x, z, 0.5)
    flag = set_flag(flag)
    y = use_flag(flag, y)
)"},
      {"arithmetic",
       R"(orchestration main(x: InOut F64, y: InOut F64, a: INT, b: INT, f: FLOAT)
    c = (0 - a) // 3 + (0 - a) % 5
    d = min(c, b) * max(a, 2) - abs(c - 7)
    e = (a << 2 | b & 3) ^ (a >> 1)
    x = scale(x, c)
    x = scale(x, d)
    x = scale(x, e)
    if not (a < b) and c != d or a == 0:
        x = scale(x, 2 ** 3 - 1)
    g = pl.cast(a, pl.FP32) * 0.25 + f
    y = blend(x, y, g)
    if g > 1.5:
        y = scale(y, pl.cast(g, pl.INDEX))
    ok = pl.cast(a > b, pl.INDEX)
    y = scale(y, ok)
)",
       {{64, 4, {7, 3, 0.5}}, {64, 4, {0, 5, -2.25}}, {64, 4, {1, 1, 3}}}},
      {"an array of scalars", R"(    r = pl.array.create(4, pl.INT32)
    for i in pl.range(4):
        v = pl.tensor.read(flag, [i])
        r[i] = v + pl.const(1, pl.INT32)
    for i in pl.range(n):
        w = r[i % 4]
        x = scale(x, pl.cast(w, pl.INDEX))
)"},
  };
}

// An array is a C array: each of these once had one name where it needs two, or the type of a scalar.
std::vector<Case> arrays() {
  return {
      {"an array that a branch fills", R"(    with pl.manual_scope():
        ids = pl.array.create(2, pl.TASK_ID)
        for i in pl.range(n):
            x, t = pl.submit(scale, x, i, deps=[ids])
            if i % 2 == 0:
                ids[0] = t
            else:
                ids[1] = t
        if n > 2:
            y, t = pl.submit(use, x, y, deps=[ids])
            ids[0] = t
        z, u = pl.submit(join, y, z, deps=[ids])
)"},
      {"arrays that change places", R"(    a = pl.array.create(2, pl.INT32)
    b = pl.array.create(2, pl.INT32)
    a = pl.array.update_element(a, 0, pl.const(3, pl.INT32))
    b = pl.array.update_element(b, 0, pl.const(5, pl.INT32))
    for i, (p, q) in pl.range(n, init_values=(a, b)):
        v = pl.array.get_element(p, 0)
        x = scale(x, pl.cast(v, pl.INDEX))
        q2 = pl.array.update_element(q, 1, v)
        p3, q3 = pl.yield_(q2, p)
    k = 0
    while k < n:
        x = scale(x, pl.cast(p3[k % 2], pl.INDEX))
        c = p3
        p3 = q3
        q3 = c
        k = k + 1
    y = scale(y, pl.cast(p3[0] + q3[1], pl.INDEX))
)"},
      {"an array that is used behind its scope", R"(    with pl.scope():
        r = pl.array.create(4, pl.INT32)
        for i in pl.range(n):
            with pl.scope():
                for j in pl.range(i):
                    r[j] = r[j] + pl.const(2, pl.INT32)
            x = scale(x, pl.cast(r[i % 4], pl.INDEX))
        s = pl.array.create(2, pl.INT32)
        s[1] = r[0]
    y = scale(y, pl.cast(r[0] + s[1], pl.INDEX))
)"},
      {"ids that tasks of a scope leave in an array around it", R"(    ids = pl.array.create(4, pl.TASK_ID)
    with pl.manual_scope():
        for i in pl.parallel(4):
            part = pl.tensor.slice(big, [64], [i * 64])
            part, t = pl.submit(change, part)
            if i < n:
                ids[i] = t
            else:
                part, u = pl.submit(change, part, deps=[t])
                ids[i] = u
    part = pl.tensor.slice(big, [64], [64])
    z, u = pl.submit(use, part, z, deps=[ids])
)"},
  };
}

std::vector<Case> buffers() {
  return {
      {"temporaries in scopes and loops", R"(    with pl.scope():
        t = pl.tensor.create([64], dtype=pl.FP32)
        t = use(x, t)
        for i in pl.range(n):
            u = pl.tensor.create([64], dtype=pl.FP32)
            u = use(t, u)
            y = join(u, y)
            with pl.scope():
                v = pl.tensor.create([64], dtype=pl.FP32)
                v = make(v)
                v = join(y, v)
                z = join(v, z)
    x = join(z, x)
)"},
      {"a temporary with an initial value", R"(    t = pl.tensor.create([64], dtype=pl.FP32, init_value=0.0)
    u = pl.tensor.create([64], dtype=pl.FP32, init_value=7.0)
    t = join(x, t)
    u = head(u)
    y = sum(t, u, y)
)"},
      {"a temporary that becomes a part of its target", R"(    t = pl.tensor.create([64], dtype=pl.FP32)
    t = use(x, t)
    big = pl.tensor.assemble(big, t, [128])
    u = pl.tensor.create([64], dtype=pl.FP32)
    u = use(y, u)
    u = change(u)
    big = pl.tensor.assemble(big, u, [64])
    last = pl.tensor.slice(big, [64], [128])
    z = use(last, z)
)"},
      {"outputs that the runtime makes", R"(    a, t = pl.submit(use, x)
    b, c, u = pl.submit(split, a)
    y = join(b, y)
    z = join(c, z)
    x = change(x)
)"},
      {"a kernel that writes half", R"(orchestration main(x: F64, out: Out F64, part: InOut F64, n: INT)
    part = begin(x, part)
    out = use(x, out)
    out = head(out)
    part = begin(out, part)
)"},
      {"parts that do not meet, then all", R"(    for i in pl.parallel(8):
        a = pl.tensor.slice(big, [32], [i * 32])
        o = pl.tensor.slice(out, [32], [256 - 32 - i * 32])
        o = use_half(a, o)
    for i in pl.parallel(n):
        o = pl.tensor.slice(out, [64], [i * 64])
        o = change(o)
    for i in pl.range(4):
        o = pl.tensor.slice(out, [64], [i * 64])
        x = join(o, x)
)"},
      {"two orchestrations", R"(orchestration first(x: F64, out: Out F64, n: INT)
    out = fill(out, n)
    out = join(x, out)
orchestration second(out: InOut F64, y: InOut F64, n: INT)
    for i in pl.range(n):
        y = use(out, y)
        out = join(y, out)
)"},
  };
}

}  // namespace

std::vector<Case> constructs() {
  std::vector<Case> out;
  for (std::vector<Case> part : {control_flow(), values(), arrays(), buffers(), task_constructs()})
    out.insert(out.end(), part.begin(), part.end());
  return out;
}

}  // namespace pyptoc::orchestration
