// SPDX-License-Identifier: Apache-2.0
// OutlineIncoreScopes: parameters, directions, results, names, attributes, faults.
#include "passes/outline_incore_scopes.h"

#include "front_fixture.h"
#include "passes/convert_to_ssa.h"
#include "passes/property_checks.h"

namespace pyptoc::passes::testing {
namespace {

TEST_CASE("incore: read only is In, written only Out, both InOut, in order of first use") {
  check_pass({outline_incore_scopes}, R"(
@pl.function
def main(a: TENSOR, b: TENSOR, c: TENSOR) -> tuple[TENSOR, TENSOR]:
    with pl.at(level=pl.Level.CORE_GROUP):
        c_1 = pl.tensor.assemble(c, a, [0])
        t = pl.tensor.add(b, a)
        b_1 = pl.tensor.assemble(b, t, [0])
    return c_1, b_1
)",
             R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(a: TENSOR, b: TENSOR, c: TENSOR) -> tuple[TENSOR, TENSOR]:
    r = main_incore_0(c, a, b)
    c_1 = r[0]
    b_1 = r[1]
    return c_1, b_1

@pl.function(type=pl.FunctionType.InCore)
def main_incore_0(c: pl.Out[TENSOR], a: TENSOR, b: pl.InOut[TENSOR]) -> tuple[TENSOR, TENSOR]:
    c_1 = pl.tensor.assemble(c, a, [0])
    t = pl.tensor.add(b, a)
    b_1 = pl.tensor.assemble(b, t, [0])
    return c_1, b_1
)");
}

TEST_CASE("incore: one result is the call, none a statement; what a carry starts with comes before the body") {
  check_pass({outline_incore_scopes}, R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(a: TENSOR, n: pl.Scalar[pl.INDEX], out: pl.Out[TENSOR], log: TENSOR) -> TENSOR:
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="fill"):
        for i, (o,) in pl.range(n, init_values=(out,)):
            o_1 = pl.tensor.assemble(o, a, [i])
            out_1 = pl.yield_(o_1)
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="note"):
        log_1 = pl.tensor.write(log, [0], 1.0)
    return out_1
)",
             R"(
@pl.function(type=pl.FunctionType.InCore)
def fill(n: pl.Scalar[pl.INDEX], out: pl.Out[TENSOR], a: TENSOR) -> TENSOR:
    for i, (o,) in pl.range(n, init_values=(out,)):
        o_1 = pl.tensor.assemble(o, a, [i])
        out_1 = pl.yield_(o_1)
    return out_1

@pl.function(type=pl.FunctionType.Orchestration)
def main(a: TENSOR, n: pl.Scalar[pl.INDEX], out: pl.Out[TENSOR], log: TENSOR) -> TENSOR:
    out_1 = fill(n, out, a)
    note(log)
    return out_1

@pl.function(type=pl.FunctionType.InCore)
def note(log: pl.Out[TENSOR]):
    log_1 = pl.tensor.write(log, [0], 1.0)
)");
}

TEST_CASE("incore: names of hints used again, in another function, and without a hint") {
  PassRun run(R"(
@pl.function(type=pl.FunctionType.Orchestration)
def first(x: TENSOR) -> TENSOR:
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="k"):
        a = pl.tensor.add(x, x)
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="k"):
        b = pl.tensor.add(a, a)
    with pl.at(level=pl.Level.CORE_GROUP):
        c = pl.tensor.add(b, b)
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="k"):
        d = pl.tensor.add(c, c)
    return d

@pl.function(type=pl.FunctionType.Orchestration)
def second(x: TENSOR) -> TENSOR:
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="k"):
        a = pl.tensor.add(x, x)
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="first"):
        b = pl.tensor.add(a, a)
    return b
)",
              {outline_incore_scopes});
  CHECK(run.messages() == "");
  std::string names;
  for (const ir::Function* f : run.after()->functions) names += std::string(f->name) + " ";
  CHECK(names == "first first_incore_2 k k_0 k_1 second second_first second_k ");
}

TEST_CASE("incore: attributes of the scope go to the function, to the call, to the submit") {
  check_pass({outline_incore_scopes}, R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, cache: TENSOR, before: pl.Scalar[pl.TASK_ID]) -> TENSOR:
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="plain", no_dep_args=[cache], windowize=True):
        cache_1 = pl.tensor.assemble(cache, x, [0])
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="task", deps=[before], allow_early_resolve=True) as t:
        y = pl.tensor.add(cache_1, x)
    return y
)",
             R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, cache: TENSOR, before: pl.Scalar[pl.TASK_ID]) -> TENSOR:
    cache_1 = plain(cache, x, attrs={"arg_direction_overrides": [0]})
    r = pl.submit(task, cache_1, x, deps=[before], allow_early_resolve=True)
    y = r[0]
    t = r[1]
    return y

@pl.function(type=pl.FunctionType.InCore, attrs={"windowize": True})
def plain(cache: pl.Out[TENSOR], x: TENSOR) -> TENSOR:
    cache_1 = pl.tensor.assemble(cache, x, [0])
    return cache_1

@pl.function(type=pl.FunctionType.InCore)
def task(cache_1: TENSOR, x: TENSOR) -> TENSOR:
    y = pl.tensor.add(cache_1, x)
    return y
)");
}

TEST_CASE("incore: a branch that hands on a parameter reads it") {
  PassRun run(R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, n: pl.Scalar[pl.INDEX], out: pl.Out[TENSOR]) -> TENSOR:
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="k"):
        if n > 0:
            out_1 = pl.tensor.assemble(out, x, [0])
            out_2 = pl.yield_(out_1)
        else:
            out_2 = pl.yield_(out)
    return out_2
)",
              {outline_incore_scopes});
  CHECK(run.messages() == "");
  const ir::Function* kernel = run.after()->find("k");
  REQUIRE(kernel != nullptr);
  REQUIRE(kernel->params.size() == 3);
  CHECK(kernel->params[1]->name_hint == "out");
  CHECK(kernel->param_directions[1] == ir::ParamDirection::InOut);
}

TEST_CASE("incore: reads of parameter extents are the extents' symbols") {
  PassRun run(R"(
M = pl.dynamic("M")

@pl.function
def main(a: pl.Tensor[[M, 64], pl.FP32], b: pl.Tensor[[M, 64], pl.FP32]) -> pl.Tensor[[M, 64], pl.FP32]:
    m = pl.tensor.dim(a, 0)
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="k"):
        c = pl.tensor.slice(a, [1, 64], [m - 1, 0])
        b_1 = pl.tensor.assemble(b, c, [0, 0])
    return b_1
)",
              {outline_incore_scopes});
  CHECK(run.messages() == "");
  CHECK(run.text().find("tensor.dim") == std::string::npos);
  const ir::Function* kernel = run.after()->find("k");
  REQUIRE(kernel->params.size() == 3);
  // The symbol is handed in, and the kernel's types name that parameter.
  CHECK(ir::as_tensor(kernel->params[0]->type)->shape[0] == kernel->params[1]);
  CHECK(ir::as_tensor(kernel->params[2]->type)->shape[0] == kernel->params[1]);
}

TEST_CASE("incore: faults") {
  SECTION("a return in a scope") {
    check_error({outline_incore_scopes}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    with pl.at(level=pl.Level.CORE_GROUP):
        y = pl.tensor.add(x, x)
        return y
)",
                "E0440", 5);
  }
  SECTION("a scalar that leaves") {
    check_error({outline_incore_scopes}, R"(
@pl.function
def main(x: pl.Tensor[[64], pl.INT32]) -> pl.Tensor[[64], pl.INT32]:
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="k"):
        n = pl.tensor.read(x, [0])
    y = pl.tensor.write(x, [1], n)
    return y
)",
                "E0443", 4);
  }
  SECTION("an override of what is not used") {
    check_error({outline_incore_scopes}, R"(
@pl.function
def main(x: TENSOR, y: TENSOR) -> TENSOR:
    with pl.at(level=pl.Level.CORE_GROUP, no_dep_args=[y]):
        z = pl.tensor.add(x, x)
    return z
)",
                "E0444", 3);
  }
  SECTION("a scope in a scope") {
    check_error({outline_incore_scopes}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="outer"):
        y = pl.tensor.add(x, x)
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="inner"):
            z = pl.tensor.add(y, y)
    return z
)",
                "E0442", 5);
  }
  SECTION("a split mode and a split-AIV region") {
    check_error({outline_incore_scopes}, R"(
@pl.function
def main(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.UP_DOWN)]):
        for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
            out_1 = pl.tensor.assemble(out, x, [lane])
    return out_1
)",
                "E0445", 4);
  }
  SECTION("a scope in a HOST function") {
    check_error({outline_incore_scopes}, R"(
@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def main(x: TENSOR) -> TENSOR:
    with pl.at(level=pl.Level.CORE_GROUP):
        y = pl.tensor.add(x, x)
    return y
)",
                "E0447", 3);
  }
}

TEST_CASE("incore: an attribute that scopes do not have stays on the call, with a warning") {
  PassRun run(R"(
@pl.function
def main(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="k", attrs={"colour": 3}):
        out_1 = pl.tensor.assemble(out, x, [0])
    return out_1
)",
              {outline_incore_scopes});
  CHECK(run.messages() == "W0450 3: scopes have no attribute `colour`; it goes to the call unchanged\n");
  CHECK(run.text().find("attrs={\"colour\": 3}") != std::string::npos);
}

// Text cannot say this; `opt --verify none` can be given a file that does.
TEST_CASE("E0441: a scope uses what is defined behind it") {
  PassRun run(R"(
@pl.function
def main(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    y = pl.tensor.add(x, x)
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="k"):
        out_1 = pl.tensor.assemble(out, y, [0])
    return out_1
)",
              {});
  ir::Function turned = *run.before()->functions[0];
  ir::SeqStmts body = *ir::as<ir::SeqStmts>(turned.body);
  std::vector<const ir::Stmt*> list(body.stmts.begin(), body.stmts.end());
  std::swap(list[0], list[1]);
  body.stmts = run.ir().list(list);
  turned.body = run.ir().make(body);
  ir::Program program = *run.before();
  std::vector<const ir::Function*> functions = {run.ir().make(turned)};
  program.functions = run.ir().list(functions);
  Options options;
  PassContext context{run.ir(), run.diags(), options};
  outline_incore_scopes(run.ir().make(program), context);
  CHECK(run.messages() == "E0441 4: scope `k` uses `y` before it is defined\n");
}

TEST_CASE("incore: SplitIncoreOrch names a scope that is left") {
  PassRun run(R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="k"):
        y = pl.tensor.add(x, x)
    return y
)",
              {});
  Findings findings;
  check_SplitIncoreOrch(run.before(), findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0] == "`main`: has the InCore scope `k`");
}

TEST_CASE("incore: the slots between cores, regions of both lanes and a deferred wait go to the function") {
  PassRun run(R"(
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: TENSOR, out: TENSOR, w: pld.DistributedTensor[[64], pl.INT32]):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="slots", optimizations=[pl.cross_core_slot(slot_num=4)]):
        out_1 = pl.tensor.assemble(out, x, [0])
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="lanes"):
        for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
            y = pl.tensor.add(x, x)
            out_2 = pl.tensor.assemble(out_1, y, [0])
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="waits"):
        pld.system.defer_wait(w, [0], 1)
)",
              {outline_incore_scopes});
  CHECK(run.messages() == "");
  auto attr = [&](const char* f, const char* key) { return ir::find_attr(run.after()->find(f)->attrs, key); };
  REQUIRE(attr("slots", "slot_num") != nullptr);
  CHECK(attr("slots", "slot_num")->as_int() == 4);
  CHECK(ir::bool_attr(run.after()->find("lanes")->attrs, "split_aiv", false));
  CHECK(attr("lanes", "split") != nullptr);
  CHECK(ir::bool_attr(run.after()->find("waits")->attrs, "deferred_completion_waiter", false));
  CHECK(attr("slots", "split_aiv") == nullptr);
  CHECK(attr("lanes", "deferred_completion_waiter") == nullptr);
}

}  // namespace
}  // namespace pyptoc::passes::testing
