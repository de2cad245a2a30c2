// SPDX-License-Identifier: Apache-2.0
// SSA form: each rule of the contract before and after.
#include "passes/convert_to_ssa.h"

#include "front_fixture.h"
#include "ir/walker.h"
#include "passes/property_checks.h"

namespace pyptoc::passes::testing {
namespace {

TEST_CASE("ssa: a program in SSA form stays the same nodes") {
  check_unchanged({convert_to_ssa}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i, (a,) in pl.range(n, init_values=(x,)):
        if i > 2:
            b = pl.exp(a)
            c = pl.yield_(b)
        else:
            c = pl.yield_(a)
        d = pl.yield_(c)
    with pl.at(level=pl.Level.CORE_GROUP):
        e = pl.exp(d)
    return e
)");
}

TEST_CASE("ssa: every assignment has a variable of its own, named like the first") {
  check_pass({convert_to_ssa}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    y = n + 1
    y = y + n
    x = pl.tensor.slice(x, [64], [y])
    return x
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    y = n + 1
    y_1 = y + n
    x_1 = pl.tensor.slice(x, [64], [y_1])
    return x_1
)");
  PassRun run(R"(
@pl.function
def main(n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
    n = n + 1
    n = n * 2
    return n
)",
              {convert_to_ssa});
  const ir::Function* f = run.after()->functions[0];
  CHECK(f == run.after()->find("main"));
  for (const ir::Stmt* s : ir::as<ir::SeqStmts>(f->body)->stmts)
    if (const ir::AssignStmt* assign = ir::as<ir::AssignStmt>(s)) CHECK(assign->var->name_hint == "n");
}

TEST_CASE("ssa: branches merge what is used behind them, and nothing else") {
  check_pass({convert_to_ssa}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    k = 1
    dead = 2
    if n > 2:
        k = n
        dead = n
        local = n + 1
        x = pl.tensor.slice(x, [64], [local])
    else:
        other = n + 2
    y = pl.tensor.slice(x, [64], [k])
    return y
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    k = 1
    dead = 2
    if n > 2:
        k_1 = n
        dead_1 = n
        local = n + 1
        x_1 = pl.tensor.slice(x, [64], [local])
        k_2, x_2 = pl.yield_(k_1, x_1)
    else:
        other = n + 2
        k_2, x_2 = pl.yield_(k, x)
    y = pl.tensor.slice(x_2, [64], [k_2])
    return y
)");
}

TEST_CASE("ssa: both branches may define a variable that is new") {
  check_pass({convert_to_ssa}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    if n > 2:
        y = pl.exp(x)
    else:
        y = pl.sqrt(x)
    return y
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    if n > 2:
        y = pl.exp(x)
        y_2 = pl.yield_(y)
    else:
        y_1 = pl.sqrt(x)
        y_2 = pl.yield_(y_1)
    return y_2
)");
}

TEST_CASE("ssa: loops carry what they assign and need again, sorted by name") {
  check_pass({convert_to_ssa}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    b = 0
    a = 0
    for i in pl.range(n):
        local = i + 1
        b = b + local
        a = a + b
    y = pl.tensor.slice(x, [64], [a])
    return y
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    b = 0
    a = 0
    for i, (a_1, b_1) in pl.range(n, init_values=(a, b)):
        local = i + 1
        b_2 = b_1 + local
        a_2 = a_1 + b_2
        a_3, b_3 = pl.yield_(a_2, b_2)
    y = pl.tensor.slice(x, [64], [a_3])
    return y
)");
}

TEST_CASE("ssa: a name that each iteration assigns anew is not carried") {
  check_pass({convert_to_ssa}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    k = n + 1
    x = pl.tensor.slice(x, [64], [k])
    for i in pl.range(n):
        k = i * 2
        x = pl.tensor.slice(x, [64], [k])
    return x
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    k = n + 1
    x_1 = pl.tensor.slice(x, [64], [k])
    for i, (x_2,) in pl.range(n, init_values=(x_1,)):
        k_1 = i * 2
        x_3 = pl.tensor.slice(x_2, [64], [k_1])
        x_4 = pl.yield_(x_3)
    return x_4
)");
}

TEST_CASE("ssa: while loops, with what their condition needs") {
  check_pass({convert_to_ssa}, R"(
@pl.function
def main(n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
    k = 0
    while n > 0:
        n = n - 1
        if n > 5:
            k = k + n
    return k
)",
             R"(
@pl.function
def main(n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
    k = 0
    for (k_1, n_1) in pl.while_(init_values=(k, n)):
        pl.cond(n_1 > 0)
        n_2 = n_1 - 1
        if n_2 > 5:
            k_2 = k_1 + n_2
            k_3 = pl.yield_(k_2)
        else:
            k_3 = pl.yield_(k_1)
        k_4, n_3 = pl.yield_(k_3, n_2)
    return k_4
)");
}

TEST_CASE("ssa: existing carries come first") {
  check_pass({convert_to_ssa}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    a = 0
    for i, (y,) in pl.range(n, init_values=(x,)):
        a = a + i
        z = pl.tensor.slice(y, [64], [a])
        w = pl.yield_(z)
    return w
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    a = 0
    for i, (y, a_1) in pl.range(n, init_values=(x, a)):
        a_2 = a_1 + i
        z = pl.tensor.slice(y, [64], [a_2])
        w, a_3 = pl.yield_(z, a_2)
    return w
)");
}

TEST_CASE("ssa: scopes are transparent, and their attributes are those of the beginning") {
  check_pass({convert_to_ssa}, R"(
@pl.function
def main(x: TENSOR, t: pl.Scalar[pl.TASK_ID]) -> TENSOR:
    t = pl.system.task_dummy(deps=[t])
    with pl.at(level=pl.Level.CORE_GROUP, deps=[t], no_dep_args=[x]):
        x = pl.exp(x)
        t = pl.system.task_invalid()
    with pl.at(level=pl.Level.CORE_GROUP, deps=[t]):
        y = pl.exp(x)
    return y
)",
             R"(
@pl.function
def main(x: TENSOR, t: pl.Scalar[pl.TASK_ID]) -> TENSOR:
    t_1 = pl.system.task_dummy(deps=[t])
    with pl.at(level=pl.Level.CORE_GROUP, deps=[t_1], no_dep_args=[x]):
        x_1 = pl.exp(x)
        t_2 = pl.system.task_invalid()
    with pl.at(level=pl.Level.CORE_GROUP, deps=[t_2]):
        y = pl.exp(x_1)
    return y
)");
}

TEST_CASE("ssa: the width of a launch and the yields of a scope") {
  check_pass({convert_to_ssa}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    n = n + 1
    with pl.spmd(n):
        with pl.at(level=pl.Level.CORE_GROUP):
            n = n + 2
            x = pl.tensor.slice(x, [64], [n])
    for i in pl.range(4):
        with pl.scope():
            x = pl.exp(x)
    return x
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    n_1 = n + 1
    with pl.spmd(n_1):
        with pl.at(level=pl.Level.CORE_GROUP):
            n_2 = n_1 + 2
            x_1 = pl.tensor.slice(x, [64], [n_2])
    for i, (x_2,) in pl.range(4, init_values=(x_1,)):
        with pl.scope():
            x_3 = pl.exp(x_2)
            x_4 = pl.yield_(x_3)
    return x_4
)");
}

TEST_CASE("ssa: calls, submits and their attributes use the current versions") {
  check_pass({convert_to_ssa}, R"(
@pl.function(type=pl.FunctionType.InCore)
def kernel(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    return out
@pl.function
def main(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    t = pl.system.task_invalid()
    for i in pl.range(4):
        out, t = pl.submit(kernel, x, out, deps=[t])
    return out
)",
             R"(
@pl.function(type=pl.FunctionType.InCore)
def kernel(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    return out
@pl.function
def main(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    t = pl.system.task_invalid()
    for i, (out_1, t_1) in pl.range(4, init_values=(out, t)):
        out_2, t_2 = pl.submit(kernel, x, out_1, deps=[t_1])
        out_3, t_3 = pl.yield_(out_2, t_2)
    return out_3
)");
}

TEST_CASE("ssa: types follow the variables that they mention") {
  PassRun run(R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    n = n + 1
    y = pl.tensor.slice(x, [n], [0])
    n = n + 1
    z = pl.exp(y)
    return x
)",
              {convert_to_ssa});
  CHECK(run.messages() == "");
  std::string text = run.text();
  CHECK(text.find("y: pl.Tensor[[n_1], pl.FP32]") != std::string::npos);
  CHECK(text.find("z: pl.Tensor[[n_1], pl.FP32]") != std::string::npos);
}

TEST_CASE("ssa: a version has the type of what is assigned") {
  PassRun run(R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    y = pl.tensor.slice(x, [32], [0])
    y = pl.tensor.slice(x, [16], [0])
    z = pl.exp(y)
    return x
)",
              {convert_to_ssa});
  CHECK(run.messages() == "");
  CHECK(run.text().find("pl.Tensor[[16], pl.FP32] = pl.tensor.slice(x, [16], [0])") != std::string::npos);
}

TEST_CASE("ssa: first assigned in a loop, used behind it: what the loop writes") {
  check_pass({convert_to_ssa}, R"(
@pl.function(type=pl.FunctionType.InCore)
def kernel(x: TENSOR, c: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        t = pl.load(x, [i], [16])
        out = pl.store(t, [i], c)
    return out
)",
             R"(
@pl.function(type=pl.FunctionType.InCore)
def kernel(x: TENSOR, c: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i, (out,) in pl.range(n, init_values=(c,)):
        t = pl.load(x, [i], [16])
        out_1 = pl.store(t, [i], c)
        out_2 = pl.yield_(out_1)
    return out_2
)");
  check_pass({convert_to_ssa}, R"(
@pl.function(type=pl.FunctionType.InCore)
def kernel(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    return out
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    buffer = pl.create_tensor([64], dtype=pl.FP32)
    for i in pl.range(n):
        y = kernel(x, buffer)
    return y
)",
             R"(
@pl.function(type=pl.FunctionType.InCore)
def kernel(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    return out
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    buffer = pl.create_tensor([64], dtype=pl.FP32)
    for i, (y,) in pl.range(n, init_values=(buffer,)):
        y_1 = kernel(x, buffer)
        y_2 = pl.yield_(y_1)
    return y_2
)");
}

TEST_CASE("ssa: first assigned in a loop, used behind it: an Out parameter, or a value that is never read") {
  check_pass({convert_to_ssa}, R"(
@pl.function
def main(x: TENSOR, c: pl.Out[TENSOR]) -> TENSOR:
    for i in pl.range(4):
        out = pl.add(x, x)
        k = i + 1
        t = pl.system.task_invalid()
    y = pl.tensor.slice(out, [64], [k])
    with pl.at(level=pl.Level.CORE_GROUP, deps=[t]):
        z = pl.exp(y)
    return z
)",
             R"(
@pl.function
def main(x: TENSOR, c: pl.Out[TENSOR]) -> TENSOR:
    t_0 = pl.system.task_invalid()
    for i, (k_0, out_0, t_1) in pl.range(4, init_values=(0, c, t_0)):
        out = pl.add(x, x)
        k = i + 1
        t = pl.system.task_invalid()
        k_1, out_1, t_2 = pl.yield_(k, out, t)
    y = pl.tensor.slice(out_1, [64], [k_1])
    with pl.at(level=pl.Level.CORE_GROUP, deps=[t_2]):
        z = pl.exp(y)
    return z
)");
  PassRun run(R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    for i in pl.range(4):
        out = pl.add(x, x)
    return out
)",
              {convert_to_ssa});
  CHECK(run.messages() == "");
  CHECK(run.text().find("pl.tensor.create([64], dtype=pl.FP32") != std::string::npos);
}

TEST_CASE("ssa: a loop whose bound is a constant variable surely runs") {
  PassRun run(R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    n = 4
    for i in pl.range(n):
        for j in pl.range(n):
            y = pl.add(x, x)
        z = pl.exp(y)
    return z
)",
              {convert_to_ssa});
  CHECK(run.messages() == "");
}

TEST_CASE("ssa: one definition for each variable in deep nests") {
  PassRun run(R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    a = 0
    for i in pl.range(n):
        b = a
        while b < 10:
            if b > n:
                for j in pl.range(3):
                    a = a + b
                    b = b + j
            else:
                b = b + 1
        a = a + b
    y = pl.tensor.slice(x, [64], [a])
    return y
)",
              {convert_to_ssa});
  CHECK(run.messages() == "");
  Findings findings;
  check_SSAForm(run.after(), findings);
  CHECK(findings.empty());
}

}  // namespace
}  // namespace pyptoc::passes::testing
