// SPDX-License-Identifier: Apache-2.0
// A dependency orders a task behind one that it may not name. Each of these was taken to name all that it may name, so
// that the writer of x did not wait for a reader of it.
#include "orchestration/programs.h"

namespace pyptoc::orchestration {

std::vector<Case> uncertain_ids() {
  return {
      {"the id of one of two readers", R"(    y, t = pl.submit(use, x, y)
    z, u = pl.submit(use, x, z)
    v = t
    if n > 2:
        v = u
    x, w = pl.submit(change, x, deps=[v])
)"},
      {"the same behind a barrier", R"(    y, t = pl.submit(use, x, y)
    z, u = pl.submit(use, x, z)
    v = t
    if n > 2:
        v = u
    f = pl.system.task_dummy(deps=[v])
    x, w = pl.submit(change, x, deps=[f])
)"},
      {"an id that some iterations replace", R"(    z, t = pl.submit(use, x, z)
    for i in pl.range(n):
        o = pl.tensor.slice(out, [64], [i % 4 * 64])
        o, u = pl.submit(use, x, o)
        if i == 1:
            t = u
    x, w = pl.submit(change, x, deps=[t])
)"},
      {"a carried id that some iterations keep", R"(    t = pl.system.task_invalid()
    for i in pl.range(n):
        o = pl.tensor.slice(out, [64], [i % 4 * 64])
        o, u = pl.submit(use, x, o, deps=[t])
        if i % 3 == 1:
            t = u
    x = change(x)
)"},
      {"the id of the iteration before the last one", R"(    s = pl.system.task_invalid()
    t = s
    for i in pl.range(n):
        o = pl.tensor.slice(out, [64], [i % 4 * 64])
        o, u = pl.submit(use, x, o, deps=[s])
        s = t
        t = u
    x = change(x)
)"},
      {"ids of every other iteration", R"(    ids = pl.array.create(2, pl.TASK_ID)
    for i in pl.range(n):
        o = pl.tensor.slice(out, [64], [i % 4 * 64])
        o, u = pl.submit(use, x, o, deps=[ids[i % 2]])
        ids[i % 2] = u
    x = change(x)
)"},
      {"a slot of an array", R"(    ids = pl.array.create(2, pl.TASK_ID)
    y, t = pl.submit(use, x, y)
    ids[0] = t
    z, u = pl.submit(use, x, z)
    ids[1] = u
    x, w = pl.submit(change, x, deps=[ids[n % 2]])
)"},
      {"a slot that is written again", R"(    ids = pl.array.create(2, pl.TASK_ID)
    for i, (a,) in pl.parallel(2, init_values=(ids,)):
        o = pl.tensor.slice(out, [64], [i * 64])
        o, t = pl.submit(use, x, o)
        a2 = pl.array.update_element(a, i, t)
        all = pl.yield_(a2)
    y, u = pl.submit(use, z, y)
    both = pl.array.update_element(all, n % 2, u)
    x, w = pl.submit(change, x, deps=[both])
)"},
      {"one of two slots", R"(    ids = pl.array.create(2, pl.TASK_ID)
    for i, (a,) in pl.parallel(2, init_values=(ids,)):
        o = pl.tensor.slice(out, [64], [i * 64])
        o, t = pl.submit(use, x, o)
        a2 = pl.array.update_element(a, i, t)
        all = pl.yield_(a2)
    v = all[0]
    if n > 2:
        v = all[1]
    x, w = pl.submit(change, x, deps=[v])
)"},
  };
}

}  // namespace pyptoc::orchestration
