// SPDX-License-Identifier: Apache-2.0
// Buffers that a scope allocates and that are used behind it, under another name. The compiler once allocated them in
// the scope: the runtime was free to reuse their memory for the next temporary.
#include "orchestration/programs.h"

namespace pyptoc::orchestration {

namespace {

// A temporary that takes over memory that is free.
const std::string kReuse = R"(    with pl.scope():
        again = pl.tensor.create([64], dtype=pl.FP32)
        again = make(again)
        again = change(again)
        out_part = pl.tensor.slice(out, [64], [192])
        out_part = use(again, out_part)
)";

std::vector<Case> straight() {
  return {
      {"behind its scope, a task's result", R"(    with pl.scope():
        t = pl.tensor.create([64], dtype=pl.FP32)
        made, id = pl.submit(use, x, t)
)" + kReuse + "    z = join(made, z)\n"},
      {"behind its scope, a call's result", R"(    with pl.scope():
        t = pl.tensor.create([64], dtype=pl.FP32)
        u = pl.tensor.create([64], dtype=pl.FP32)
        made = use(x, t)
        more = use(y, u)
        more = join(made, more)
)" + kReuse + "    z = join(more, z)\n"},
      {"behind its scope, results that are a tuple", R"(    with pl.scope():
        t = pl.tensor.create([64], dtype=pl.FP32)
        u = pl.tensor.create([64], dtype=pl.FP32)
        a, b = twist(x, t, u)
)" + kReuse + "    z = join(b, z)\n    y = join(a, y)\n"},
      {"behind its scope, members of a tuple", R"(    with pl.scope():
        t = pl.tensor.create([64], dtype=pl.FP32)
        r = pl.submit(use, x, t)
        with pl.scope():
            s = pl.submit(use, y)
        more = join(s[0], r[0])
)" + kReuse + "    z = join(r[0], z)\n    z = join(s[0], z)\n"},
      {"behind its scope, a view of a view", R"(    with pl.scope():
        t = pl.tensor.create([2, 64], dtype=pl.FP32)
        flat = pl.tensor.reshape(t, [128])
        lo = pl.tensor.slice(flat, [64], [64])
        lo = use(x, lo)
        wide = pl.tensor.reshape(lo, [2, 32])
        narrow = pl.tensor.reshape(wide, [64])
)" + kReuse + "    z = join(narrow, z)\n"},
      {"behind two scopes", R"(    with pl.scope():
        with pl.scope():
            t = pl.tensor.create([64], dtype=pl.FP32)
            u = pl.tensor.create([64], dtype=pl.FP32)
            a = use(x, t)
            b = use(x, u)
        y = join(a, y)
)" + kReuse + "    z = join(b, z)\n"},
      {"behind its scope, and its extent is computed there", R"(    with pl.scope():
        rows = n + 2
        t = pl.tensor.create([rows * 64], dtype=pl.FP32)
        part = pl.tensor.slice(t, [64], [n * 64 + 64])
        part = use(x, part)
)" + kReuse + "    z = join(part, z)\n"},
      {"behind its scope, an output that the runtime makes", R"(    with pl.scope():
        a, t = pl.submit(use, x)
        b, c, u = pl.submit(split, a)
)" + kReuse + "    y = join(b, y)\n    z = join(a, z)\n    z = join(c, z)\n"},
  };
}

// In a manual scope the runtime ties no task to the maker of a buffer, so that its memory was free for others when the
// scope around had closed, before the tasks that use it were done.
std::vector<Case> manual() {
  return {
      {"made in a manual scope of a scope", R"(    with pl.scope():
        with pl.manual_scope():
            t = pl.tensor.create([2, 64], dtype=pl.FP32)
            u = pl.tensor.create([64], dtype=pl.FP32)
            part = pl.tensor.slice(t, [1, 64], [1, 0], [1, 64], [0])
            part, a = pl.submit(use, x, part)
            u, b = pl.submit(use, part, u, deps=[a])
            y, c = pl.submit(join, u, y, deps=[b])
            y, d = pl.submit(join, part, y, deps=[c])
)" + kReuse},
      {"made by the tasks of a manual scope", R"(    with pl.manual_scope():
        m, a = pl.submit(use, x)
        y, b = pl.submit(change, y, deps=[a])
        z, c = pl.submit(join, m, z, deps=[b])
        with pl.manual_scope():
            lo, hi, d = pl.submit(split, m, deps=[c])
            y, e = pl.submit(join, lo, y, deps=[d])
            z, f = pl.submit(join, hi, z, deps=[e])
)" + kReuse},
      {"made around a manual scope, in a loop", R"(    for i in pl.range(n):
        t = pl.tensor.create([64], dtype=pl.FP32)
        t, a = pl.submit(use, x, t)
        with pl.manual_scope():
            t, b = pl.submit(change, t, deps=[a])
            if i > 1:
                m, c = pl.submit(use, t, deps=[b])
                kept, d = pl.yield_(m, c)
            else:
                kept, d = pl.yield_(t, b)
            y, e = pl.submit(change, y, deps=[d])
            y, f = pl.submit(join, kept, y, deps=[e])
            z, g = pl.submit(scale, z, i, deps=[f])
            x, h = pl.submit(join, z, x, deps=[g])
)" + kReuse},
  };
}

std::vector<Case> structured() {
  return {
      {"behind its scope, through a branch", R"(    with pl.scope():
        t = pl.tensor.create([64], dtype=pl.FP32)
        if n > 2:
            t2 = use(x, t)
            a = pl.yield_(t2)
        else:
            a = pl.yield_(y)
)" + kReuse + "    z = join(a, z)\n    y = change(y)\n"},
      {"behind its scope, made in a branch", R"(    with pl.scope():
        if n > 2:
            rows = n * 32
            t = pl.tensor.create([rows], dtype=pl.FP32)
            part = pl.tensor.slice(t, [64], [0])
            t2 = use(x, part)
            a = pl.yield_(t2)
        else:
            u = pl.tensor.create([64], dtype=pl.FP32)
            u2 = make(u)
            a = pl.yield_(u2)
)" + kReuse + "    z = join(a, z)\n"},
      {"behind its scope, carried by a loop of it", R"(    with pl.scope():
        t = pl.tensor.create([64], dtype=pl.FP32)
        t = make(t)
        for i, (a,) in pl.range(n, init_values=(t,)):
            a2 = join(x, a)
            b = pl.yield_(a2)
)" + kReuse + "    z = join(b, z)\n"},
      {"behind its scope, in the next iteration", R"(    for i, (a,) in pl.range(n, init_values=(x,)):
        with pl.scope():
            t = pl.tensor.create([64], dtype=pl.FP32)
            t2 = use(a, t)
            y = join(t2, y)
        with pl.scope():
            u = pl.tensor.create([64], dtype=pl.FP32)
            u = make(u)
            y = join(u, y)
        b = pl.yield_(t2)
    z = join(b, z)
)"},
      {"behind its scope, in the next iteration of a while loop", R"(    for (k, a) in pl.while_(init_values=(0, x)):
        pl.cond(k < n)
        with pl.scope():
            t = pl.tensor.create([64], dtype=pl.FP32)
            t2 = use(a, t)
            y = join(t2, y)
        k2, b = pl.yield_(k + 1, t2)
    z = join(b, z)
)"},
      {"behind its scope, in a scope of a scope of a loop", R"(    for i in pl.range(n):
        with pl.scope():
            with pl.scope():
                t = pl.tensor.create([64], dtype=pl.FP32)
                t = make(t)
                t = scale(t, i)
            with pl.scope():
                u = pl.tensor.create([64], dtype=pl.FP32)
                u = make(u)
                y = join(u, y)
            z = join(t, z)
)"},
      {"behind a manual scope", R"(    with pl.manual_scope():
        t = pl.tensor.create([64], dtype=pl.FP32)
        made, a = pl.submit(use, x, t)
        y2, b = pl.submit(join, made, y, deps=[a])
)" + kReuse + "    z = join(made, z)\n"},
      {"behind a manual scope, an output that the runtime makes", R"(    with pl.manual_scope():
        made, a = pl.submit(use, x)
        y2, b = pl.submit(join, made, y, deps=[a])
)" + kReuse + "    z = join(made, z)\n"},
      {"behind a manual scope, made in a branch", R"(    with pl.manual_scope():
        if n > 2:
            t = pl.tensor.create([64], dtype=pl.FP32)
            made, a = pl.submit(use, x, t)
            m, id = pl.yield_(made, a)
        else:
            none = pl.system.task_invalid()
            m, id = pl.yield_(y, none)
        z2, b = pl.submit(join, m, z, deps=[id])
)" + kReuse + "    z = join(m, z)\n"},
  };
}

}  // namespace

std::vector<Case> scope_escapes() {
  std::vector<Case> out = straight();
  for (const std::vector<Case>& more : {structured(), manual()}) out.insert(out.end(), more.begin(), more.end());
  return out;
}

}  // namespace pyptoc::orchestration
