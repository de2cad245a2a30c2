// SPDX-License-Identifier: Apache-2.0
// Submits, dependencies, launches, groups, predicates, names.
#include "orchestration/groups.h"
#include "orchestration/programs.h"

namespace pyptoc::orchestration {

std::vector<Case> task_constructs() {
  return {
      {"submits that wait for one another", R"(    a, t = pl.submit(use, x, y)
    b, u = pl.submit(use, x, z, deps=[t])
    x2, v = pl.submit(change, x, deps=[t, u])
    y2, w = pl.submit(join, x2, a, deps=[v], allow_early_resolve=True)
)"},
      {"a manual scope", R"(    with pl.manual_scope():
        a, t = pl.submit(use, x, y)
        b, u = pl.submit(use, a, z, deps=[t])
        x2, v = pl.submit(change, x, deps=[t])
        a2, w = pl.submit(join, x2, a, deps=[u, v])
        b2, s = pl.submit(join, a2, b, deps=[w])
    x3 = join(b2, x2)
)"},
      {"a manual scope that makes its buffers", R"(    with pl.manual_scope():
        t = pl.tensor.create([64], dtype=pl.FP32)
        t2, a = pl.submit(use, x, t)
        y2, b = pl.submit(join, t2, y, deps=[a])
    z2 = join(y2, z)
)"},
      {"ids in an array", R"(    ids = pl.array.create(4, pl.TASK_ID)
    with pl.manual_scope():
        for i, (a,) in pl.parallel(4, init_values=(ids,)):
            part = pl.tensor.slice(big, [64], [i * 64])
            part2, t = pl.submit(change, part)
            a2 = pl.array.update_element(a, i, t)
            all = pl.yield_(a2)
        for j in pl.range(4):
            part = pl.tensor.slice(big, [64], [j * 64])
            o = pl.tensor.slice(out, [64], [j * 64])
            t = all[j]
            o2, u = pl.submit(use, part, o, deps=[t])
    pl.submit(change, x)
)"},
      {"phases", R"(    with pl.manual_scope():
        ids = pl.array.create(4, pl.TASK_ID)
        for i, (a,) in pl.parallel(4, init_values=(ids,)):
            part = pl.tensor.slice(big, [64], [i * 64])
            part2, t = pl.submit(change, part)
            a2 = pl.array.update_element(a, i, t)
            first = pl.yield_(a2)
        more = pl.array.create(4, pl.TASK_ID)
        for i, (a,) in pl.parallel(4, init_values=(more,)):
            part = pl.tensor.slice(big, [64], [(i + 1) % 4 * 64])
            o = pl.tensor.slice(out, [64], [i * 64])
            o2, t = pl.submit(use, part, o, deps=[first])
            a2 = pl.array.update_element(a, i, t)
            second = pl.yield_(a2)
        for i in pl.parallel(4):
            part = pl.tensor.slice(big, [64], [i * 64])
            o = pl.tensor.slice(out, [64], [(i + 1) % 4 * 64])
            p2, t = pl.submit(join, o, part, deps=[second])
)"},
      {"an id that a loop carries", R"(    with pl.manual_scope():
        none = pl.system.task_invalid()
        for i, (a, t) in pl.range(n, init_values=(x, none)):
            a2, t2 = pl.submit(scale, a, i, deps=[t])
            a3, t3 = pl.yield_(a2, t2)
        pl.submit(use, a3, y, deps=[t3])
)"},
      {"barriers", R"(    with pl.manual_scope():
        a, t = pl.submit(use, x, y)
        b, u = pl.submit(use, x, z)
        f = pl.system.task_dummy(deps=[t, u])
        x2, v = pl.submit(change, x, deps=[f])
        a2, w = pl.submit(join, x2, a, deps=[v])
        b2, s = pl.submit(join, x2, b, deps=[v])
)"},
      {"an id from a branch", R"(    with pl.manual_scope():
        if n > 2:
            a, t = pl.submit(use, x, y)
            a2, t2 = pl.yield_(a, t)
        else:
            none = pl.system.task_invalid()
            a2, t2 = pl.yield_(y, none)
        x2, v = pl.submit(change, x, deps=[t2])
        b, w = pl.submit(join, a2, z, deps=[t2])
)"},
      // The outer loop kept the ids of its last iteration only.
      {"ids of a parallel loop in a parallel loop", R"(    with pl.manual_scope():
        none = pl.system.task_invalid()
        for i, (a,) in pl.parallel(2, init_values=(none,)):
            for j, (b,) in pl.parallel(2, init_values=(a,)):
                part = pl.tensor.slice(big, [64], [(i * 2 + j) * 64])
                part, t = pl.submit(change, part, deps=[b])
                inner = pl.yield_(t)
            outer = pl.yield_(inner)
        for k in pl.parallel(4):
            part = pl.tensor.slice(big, [64], [k * 64])
            o = pl.tensor.slice(out, [64], [k * 64])
            o, u = pl.submit(use, part, o, deps=[outer])
)"},
      {"ids of a parallel loop that leave a branch and other loops", R"(    with pl.manual_scope():
        t = pl.system.task_invalid()
        for k in pl.range(n):
            if k % 2 == 0:
                for i, (a,) in pl.parallel(4, init_values=(t,)):
                    part = pl.tensor.slice(big, [64], [i * 64])
                    part, u = pl.submit(change, part, deps=[a])
                    first = pl.yield_(u)
                t = first
            elif k == 3:
                part = pl.tensor.slice(big, [64], [0])
                part, t = pl.submit(scale, part, k, deps=[t])
        m = 0
        while m < n:
            for i, (a,) in pl.parallel(3, init_values=(t,)):
                part = pl.tensor.slice(big, [64], [i * 64])
                part, u = pl.submit(scale, part, m, deps=[a])
                ids = pl.yield_(u)
            last = t
            t = ids
            m = m + 1
        if pl.system.task_is_valid(t):
            part = pl.tensor.slice(big, [64], [128])
            x, v = pl.submit(join, part, x, deps=[t])
)"},
      {"a task that may not run", R"(    flag = set_flag(flag)
    a, t = pl.submit(change, x, predicate=(pl.tensor.read(flag, [1]) > 3))
    b, u = pl.submit(change, y, predicate=(pl.tensor.read(flag, [0]) > 3))
    z = sum(a, b, z)
    flag = set_flag(flag)
)"},
      {"an argument without dependencies", R"(    a, t = pl.submit(make, x)
    y2, u = pl.submit(use, pl.no_dep(a), y, deps=[t])
    z2 = join(y2, z)
)"},
      {"dependencies on what tasks handed back", R"(    y2 = use(x, y)
    z2 = use(pl.no_dep(y2), z, attrs={"compiler_manual_dep_edges": [y2]})
    for i in pl.range(n):
        o = pl.tensor.slice(out, [64], [i % 4 * 64])
        o2 = use(pl.no_dep(z2), o, attrs={"compiler_manual_dep_edges": [z2, x]})
        x = use(pl.no_dep(o2), x, attrs={"compiler_manual_dep_edges": [o2]})
)"},
      {"launches of several blocks",
       R"(    y2, t = pl.spmd_submit(use, x, y, core_num=4)
    z2 = use(y2, z, attrs={"core_num": 8, "sync_start": True})
    with pl.spmd(n):
        z3 = join(y2, z2)
    x2 = join(z3, x)
)",
       {{64, 4, {4}}, {64, 4, {1}}, {64, 4, {0}}}},
      {"as many blocks as the device has", R"(    k = pl.cast(pl.system.available_aiv_count(), pl.INDEX)
    y2, t = pl.spmd_submit(use, x, y, core_num=k)
    c = pl.cast(pl.system.available_cluster_count(), pl.INDEX)
    z2, u = pl.spmd_submit(product, y2, z, core_num=c - 1)
    x2 = join(z2, x)
)"},
      {"a cube kernel among vector ones", R"(    y2 = product(x, y)
    y3 = change(y2)
    z2 = product(y3, z)
    x2 = join(z2, x)
)"},
      {"a mixed kernel", std::string(kClusterKernels) + kBoth + R"(
orchestration main(x: InOut F64, y: InOut F64, z: InOut F64, n: INT)
    t = pl.tensor.create([64], dtype=pl.FP32)
    for i in pl.range(n):
        y = both(x, t, y)
        x = change(x)
    z = join(y, z)
    z = both(z, t, y, attrs={"core_num": 4})
    x = join(y, x)
)"},
      {"a cluster",
       std::string(kClusterKernels) + R"(orchestration main(x: InOut F64, y: InOut F64, z: InOut F64, n: INT)
    with pl.cluster():
        product_first(x, y, z)
        z = add_last(x, y, z)
    x = join(y, x)
    x = join(z, x)
)"},
      {"both lanes of a vector core", std::string(kPair) + R"(
orchestration main(x: InOut F64, y: InOut F64, z: InOut F64, n: INT)
    y = pair(x, y)
    x = change(x)
    y = pair(x, y, attrs={"core_num": 4})
    z = join(y, z)
)"},
      {"kernels that are scopes", R"(
orchestration main(x: InOut F16x64, y: InOut F16x64, z: InOut F16x64, n: INT)
    with pl.at(level=pl.Level.CORE_GROUP):
        a = pl.load(x, [0, 0], [16, 64])
        b = pl.load(y, [0, 0], [16, 64])
        y = pl.store(pl.add(a, b), [0, 0], y)
    for i in pl.range(n):
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="more"):
            a = pl.load(y, [i, 0], [1, 64])
            b = pl.load(x, [i, 0], [1, 64])
            x = pl.store(pl.sub(a, b), [i, 0], x)
    with pl.at(level=pl.Level.CORE_GROUP):
        s = pl.tensor.sub(x, y)
        z = pl.tensor.assemble(z, s, [0, 0])
)"},
      {"a scope that several blocks run",
       R"(
orchestration main(x: InOut F16x64, y: InOut F16x64, z: InOut F16x64, n: INT)
    for i in pl.spmd(4, name_hint="copy"):
        a = pl.load(x, [i * 4, 0], [4, 64])
        y = pl.store(pl.add(a, a), [i * 4, 0], y)
    for i in pl.spmd(n):
        a = pl.load(y, [i, 0], [1, 64])
        b = pl.load(x, [i, 0], [1, 64])
        x = pl.store(pl.sub(a, b), [i, 0], x)
    with pl.at(level=pl.Level.CORE_GROUP):
        s = pl.tensor.sub(x, y)
        z = pl.tensor.assemble(z, s, [0, 0])
)",
       {{64, 4, {4}}, {64, 4, {1}}}},
      {"names of C++ and of the emitter",
       R"(orchestration main(new: InOut F64, int_: InOut F64, ext_x: InOut F64, args0: InOut F64, orch_args: InOut F64, n: INT)
    params_t0 = pl.tensor.create([64], dtype=pl.FP32)
    params_t0 = use(new, params_t0)
    x_ci = pl.tensor.create([64], dtype=pl.FP32)
    x_ci, x_tid = pl.submit(use, params_t0, x_ci)
    outs0 = pl.tensor.create([64], dtype=pl.FP32)
    outs0 = use(x_ci, outs0)
    alloc0 = join(outs0, args0)
    deps = scale(int_, n)
    new = join(deps, new)
    for class_ in pl.range(n):
        ext_x = scale(ext_x, class_)
    no_task = join(ext_x, orch_args)
)"},
  };
}

}  // namespace pyptoc::orchestration
