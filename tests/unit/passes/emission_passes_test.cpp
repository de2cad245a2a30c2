// SPDX-License-Identifier: Apache-2.0
// MaterializeRuntimeScopes, ClassifyIterArgCarry and MaterializeValidShapeSymbols: each rule of their contracts.
#include "front_fixture.h"
#include "ir/depth_guard.h"
#include "passes/classify_iter_arg_carry.h"
#include "passes/materialize_runtime_scopes.h"
#include "passes/materialize_valid_shape_symbols.h"
#include "passes/pipeline.h"

namespace pyptoc::passes {
namespace {

using testing::PassRun;

constexpr std::string_view kKernels = R"(
@pl.function(type=pl.FunctionType.AIV)
def copy(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    return out

)";

PassRun run(std::string_view parameters, std::string_view body, PassFunction pass) {
  std::string source(kKernels);
  source += "@pl.function(type=pl.FunctionType.Orchestration)\ndef main(" + std::string(parameters) + "):\n" +
            std::string(body);
  return PassRun(source, {pass});
}

size_t count(const std::string& text, std::string_view what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

TEST_CASE("the body and each for and if body get a scope, a while body none") {
  PassRun loops =
      run("a: TENSOR, b: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]",
          "    for i in pl.range(4):\n        if n > 0:\n            c = copy(a, b)\n", materialize_runtime_scopes);
  REQUIRE(loops.after() != nullptr);
  CHECK(count(loops.text(), "with pl.scope()") == 3);
}

TEST_CASE("nothing inside a manual scope gets a scope, and an opt-out is kept") {
  PassRun manual = run("a: TENSOR, b: pl.Out[TENSOR]",
                       "    with pl.manual_scope():\n        for i in pl.range(4):\n            c = copy(a, b)\n",
                       materialize_runtime_scopes);
  REQUIRE(manual.after() != nullptr);
  CHECK(count(manual.text(), "with pl.scope()") == 1);
  PassRun out(std::string(kKernels) +
                  "@pl.function(type=pl.FunctionType.Orchestration, attrs={\"auto_scope\": False})\n"
                  "def main(a: TENSOR, b: pl.Out[TENSOR]):\n    c = copy(a, b)\n",
              {materialize_runtime_scopes});
  CHECK(out.after() == out.before());
}

TEST_CASE("what is a scope already is not wrapped again; the function is marked") {
  PassRun one = run("a: TENSOR, b: pl.Out[TENSOR]",
                    "    for i in pl.range(4):\n        with pl.scope():\n            c = copy(a, b)\n",
                    materialize_runtime_scopes);
  REQUIRE(one.after() != nullptr);
  CHECK(count(one.text(), "with pl.scope()") == 2);
  CHECK_FALSE(ir::bool_attr(one.after()->find("main")->attrs, "auto_scope", true));
  Options options;
  PassContext context{one.ir(), one.diags(), options};
  CHECK(materialize_runtime_scopes(one.after(), context) == one.after());
}

// It was taken for a fault of pyptoc.
TEST_CASE("E0564: an AUTO scope inside a manual one") {
  const std::string body =
      "    with pl.manual_scope():\n        if n > 0:\n            with pl.scope():\n                c = copy(a, b)\n";
  PassRun nested = run("a: TENSOR, b: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]", body, materialize_runtime_scopes);
  CHECK(nested.has("E0564"));
  CHECK(nested.messages().find("inside a manual scope of `main`") != std::string::npos);
  PassRun opted_out(std::string(kKernels) +
                        "@pl.function(type=pl.FunctionType.Orchestration, attrs={\"auto_scope\": False})\n"
                        "def main(a: TENSOR, b: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]):\n" +
                        body,
                    {materialize_runtime_scopes});
  CHECK(opted_out.has("E0564"));
  PassRun manual = run("a: TENSOR, b: pl.Out[TENSOR]",
                       "    with pl.manual_scope():\n        with pl.manual_scope():\n            c = copy(a, b)\n",
                       materialize_runtime_scopes);
  CHECK(manual.messages() == "");
}

TEST_CASE("HOST functions get no scope") {
  PassRun host(
      "@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\ndef host(a: TENSOR):\n"
      "    for i in pl.range(4):\n        pass\n",
      {materialize_runtime_scopes});
  CHECK(host.after() == host.before());
}

// The Python compiler closes the scope of an iteration whose buffer the next one reads.
TEST_CASE("a body that yields a buffer of its own gets no scope") {
  PassRun carried = run("a: TENSOR, b: pl.Out[TENSOR]",
                        "    for i, (last,) in pl.range(4, init_values=(a,)):\n"
                        "        fresh = pl.tensor.create([64], dtype=pl.FP32)\n"
                        "        made = copy(last, fresh)\n"
                        "        (end,) = pl.yield_(made)\n"
                        "    c = copy(end, b)\n",
                        materialize_runtime_scopes);
  REQUIRE(carried.after() != nullptr);
  INFO(carried.text());
  CHECK(count(carried.text(), "with pl.scope()") == 1);
}

TEST_CASE("a carry that every iteration writes in place is an alias") {
  PassRun in_place = run("a: TENSOR, b: pl.Out[TENSOR]",
                         "    for i, (acc,) in pl.range(4, init_values=(b,)):\n"
                         "        made = copy(a, acc)\n"
                         "        (end,) = pl.yield_(made)\n"
                         "    c = copy(a, end)\n",
                         classify_iter_arg_carry);
  REQUIRE(in_place.after() != nullptr);
  CHECK(count(in_place.text(), "\"iter_arg_rebind_0\": False") == 1);
}

TEST_CASE("a carry that gets another buffer, and a counter, are rebound") {
  PassRun other = run("a: TENSOR, b: pl.Out[TENSOR]",
                      "    for i, (last,) in pl.range(4, init_values=(a,)):\n"
                      "        fresh = pl.tensor.create([64], dtype=pl.FP32)\n"
                      "        made = copy(last, fresh)\n"
                      "        (end,) = pl.yield_(made)\n"
                      "    c = copy(end, b)\n",
                      classify_iter_arg_carry);
  REQUIRE(other.after() != nullptr);
  CHECK(count(other.text(), "\"iter_arg_rebind_0\": True") == 1);
}

TEST_CASE("a task id is rebound, a sequential loop takes over the array of the parallel one inside") {
  PassRun one = run("a: TENSOR, b: pl.Out[TENSOR]",
                    "    with pl.manual_scope():\n"
                    "        none = pl.system.task_invalid()\n"
                    "        for i, (outer,) in pl.range(3, init_values=(none,)):\n"
                    "            for j, (id,) in pl.parallel(4, init_values=(outer,)):\n"
                    "                c, t = pl.submit(copy, a, b, deps=[id])\n"
                    "                inner = pl.yield_(t)\n"
                    "            last = pl.yield_(inner)\n",
                    classify_iter_arg_carry);
  REQUIRE(one.after() != nullptr);
  INFO(one.text() + one.messages());
  CHECK(count(one.text(), "\"iter_arg_rebind_0\": True") == 2);
  CHECK(count(one.text(), "\"iter_arg_array_size_0\": 4") == 2);
}

TEST_CASE("a task id outside of a manual scope is one id; a while loop has no attributes") {
  PassRun one = run("a: TENSOR, b: pl.Out[TENSOR]",
                    "    none = pl.system.task_invalid()\n"
                    "    for j, (id,) in pl.range(4, init_values=(none,)):\n"
                    "        c, t = pl.submit(copy, a, b, deps=[id])\n"
                    "        last = pl.yield_(t)\n",
                    classify_iter_arg_carry);
  REQUIRE(one.after() != nullptr);
  CHECK(count(one.text(), "\"iter_arg_rebind_0\": True") == 1);
  CHECK(count(one.text(), "iter_arg_array_size") == 0);
  PassRun loop = run("a: TENSOR, b: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]",
                     "    for (k,) in pl.while_(init_values=(0,)):\n        pl.cond(k < n)\n        c = copy(a, b)\n"
                     "        m = pl.yield_(k + 1)\n",
                     classify_iter_arg_carry);
  CHECK(loop.after() == loop.before());
}

TEST_CASE("every slot is written: an alias beside a counter") {
  PassRun one = run("a: TENSOR, b: pl.Out[TENSOR]",
                    "    for i, (acc, k) in pl.range(4, init_values=(b, 0)):\n"
                    "        made = copy(a, acc)\n"
                    "        end, last = pl.yield_(made, k + i)\n",
                    classify_iter_arg_carry);
  REQUIRE(one.after() != nullptr);
  CHECK(count(one.text(), "\"iter_arg_rebind_0\": False") == 1);
  CHECK(count(one.text(), "\"iter_arg_rebind_1\": True") == 1);
}

// Old and new name of an array stand for one C array: a read of the old one gave the new element.
TEST_CASE("E0565: an array behind a store") {
  auto refused = [](std::string_view body) {
    PassRun one = run("a: TENSOR, b: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]",
                      "    r = pl.array.create(4, pl.INT32)\n" + std::string(body), classify_iter_arg_carry);
    INFO(one.messages());
    CHECK((one.messages().empty() || one.has("E0565")));
    return one.has("E0565");
  };
  const std::string store = "pl.array.update_element(r, 0, pl.const(7, pl.INT32))\n";
  CHECK(refused("    s = " + store + "    v = pl.array.get_element(r, 0)\n"));
  CHECK_FALSE(refused("    s = " + store + "    v = pl.array.get_element(s, 0)\n"));
  CHECK_FALSE(refused("    v = pl.array.get_element(r, 0)\n    s = " + store));
  CHECK(refused("    s = " + store + "    t = " + store));
  CHECK(refused("    s = r\n    t = " + store + "    v = pl.array.get_element(s, 0)\n"));
  // On one of two paths.
  CHECK(refused("    if n > 0:\n        s = " + store + "    v = pl.array.get_element(r, 0)\n"));
  CHECK_FALSE(refused("    if n > 0:\n        s = " + store + "        t = pl.yield_(s)\n    else:\n" +
                      "        t = pl.yield_(r)\n    v = pl.array.get_element(t, 0)\n"));
  CHECK_FALSE(refused("    if n > 0:\n        s = " + store + "        v = pl.array.get_element(s, 0)\n    else:\n" +
                      "        w = pl.array.get_element(r, 0)\n"));
  // In the next iteration.
  CHECK(refused("    for i in pl.range(4):\n        s = " + store));
  CHECK_FALSE(
      refused("    for i in pl.range(4):\n        s = pl.array.create(4, pl.INT32)\n"
              "        t = pl.array.update_element(s, i, pl.const(7, pl.INT32))\n"));
  const std::string carried =
      "    for i, (c,) in pl.range(4, init_values=(r,)):\n"
      "        d = pl.array.update_element(c, i, pl.const(7, pl.INT32))\n        e = pl.yield_(d)\n";
  CHECK_FALSE(refused(carried + "    v = pl.array.get_element(e, 0)\n"));
  CHECK(refused(carried + "    v = pl.array.get_element(r, 0)\n"));
  CHECK(
      refused("    for i, (c,) in pl.range(4, init_values=(r,)):\n"
              "        d = pl.array.update_element(c, i, pl.const(7, pl.INT32))\n        e = pl.yield_(c)\n"));
  // What is only read may be read anywhere; carries that change places are two arrays.
  CHECK_FALSE(
      refused("    for i, (c,) in pl.range(4, init_values=(r,)):\n        v = pl.array.get_element(c, 0)\n"
              "        e = pl.yield_(c)\n    v = pl.array.get_element(r, 0)\n"));
  CHECK_FALSE(
      refused("    s = pl.array.create(4, pl.INT32)\n"
              "    for i, (c, d) in pl.range(4, init_values=(r, s)):\n"
              "        e = pl.array.update_element(d, i, pl.const(7, pl.INT32))\n"
              "        f, g = pl.yield_(e, c)\n    v = pl.array.get_element(r, 0)\n"));
}

TEST_CASE("E0560: ids of a parallel loop in a manual scope need a constant trip count") {
  std::string body =
      "    with pl.manual_scope():\n"
      "        for i, (id,) in pl.parallel(BOUND, init_values=(pl.system.task_invalid(),)):\n"
      "            result = pl.submit(self.copy, a, b)\n"
      "            task = result[1]\n"
      "            (ids,) = pl.yield_(task)\n";
  auto with_bound = [&](std::string_view bound) {
    std::string text = body;
    text.replace(text.find("BOUND"), 5, bound);
    return run("self, a: TENSOR, b: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]", text, classify_iter_arg_carry);
  };
  PassRun fixed = with_bound("4");
  REQUIRE(fixed.after() != nullptr);
  INFO(fixed.messages());
  CHECK(count(fixed.text(), "\"iter_arg_array_size_0\": 4") == 1);
  CHECK(with_bound("n").has("E0560"));
}

// The outer loop became an array of 2, and each iteration of it wrote over the ids of the one before.
TEST_CASE("ids of a loop of a manual scope: as many as there are tasks, wherever they go") {
  auto sizes = [](std::string_view body) {
    PassRun one = run("a: TENSOR, b: pl.Out[TENSOR], n: pl.Scalar[pl.INDEX]",
                      "    with pl.manual_scope():\n        none = pl.system.task_invalid()\n" + std::string(body),
                      classify_iter_arg_carry);
    std::string found = one.messages().empty() ? "" : one.messages().substr(0, 5);
    const std::string text = one.after() != nullptr ? one.text() : "";
    const std::string key = "\"iter_arg_array_size_0\": ";
    for (size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1))
      found += text.substr(at + key.size(), text.find_first_of(",}", at) - at - key.size()) + " ";
    return found;
  };
  const std::string inner =
      "            for j, (b2,) in pl.parallel(3, init_values=(a2,)):\n"
      "                c, t = pl.submit(copy, a, b, deps=[b2])\n                inner = pl.yield_(t)\n";
  CHECK(sizes("        for i, (a2,) in pl.parallel(2, init_values=(none,)):\n" + inner +
              "            outer = pl.yield_(inner)\n") == "6 3 ");
  CHECK(sizes("        for i, (a2,) in pl.range(n, init_values=(none,)):\n" + inner +
              "            if n > i:\n                r = pl.yield_(inner)\n            else:\n"
              "                r = pl.yield_(a2)\n            outer = pl.yield_(r)\n") == "3 3 ");
  CHECK(sizes("        for i, (a2,) in pl.range(n, init_values=(none,)):\n            c, t = pl.submit(copy, a, b, "
              "deps=[a2])\n            outer = pl.yield_(t)\n") == "");
  CHECK(sizes("        for i, (a2,) in pl.parallel(64, init_values=(none,)):\n"
              "            for j, (b2,) in pl.parallel(65, init_values=(a2,)):\n"
              "                c, t = pl.submit(copy, a, b, deps=[b2])\n                inner = pl.yield_(t)\n"
              "            outer = pl.yield_(inner)\n")
            .substr(0, 5) == "E0566");
  // Each iteration hands on four times what it got.
  CHECK(sizes("        for i, (a2,) in pl.range(n, init_values=(none,)):\n"
              "            for j, (b2,) in pl.parallel(4, init_values=(a2,)):\n                inner = pl.yield_(b2)\n"
              "            outer = pl.yield_(inner)\n")
            .substr(0, 5) == "E0566");
}

std::string valid_kernel(std::string_view valid, std::string_view second) {
  return "V = pl.dynamic(\"V\")\n\n@pl.function(type=pl.FunctionType.AIV)\n"
         "def k(x: pl.Tensor[[16, 128], pl.FP32, pl.TensorView(valid_shape=[16, " +
         std::string(valid) + "])], y: pl.Tensor[[16, 128], pl.FP32" + std::string(second) +
         "], out: pl.Out[pl.Tensor[[16, 128], pl.FP32]]) -> pl.Tensor[[16, 128], pl.FP32]:\n    return out\n\n"
         "@pl.function(type=pl.FunctionType.Orchestration)\n"
         "def main(a: pl.Tensor[[16, 128], pl.FP32], out: pl.Out[pl.Tensor[[16, 128], pl.FP32]], n: "
         "pl.Scalar[pl.INDEX], m: pl.Scalar[pl.INDEX]):\n"
         "    p = pl.tensor.slice(a, [16, 128], [0, 0], [16, n])\n"
         "    q = pl.tensor.slice(a, [16, 128], [0, 0], [16, m])\n"
         "    r = k(p, q, out)\n";
}

TEST_CASE("a symbol of a valid shape becomes a leading scalar, its value the argument's extent") {
  PassRun bare(valid_kernel("V", ""), {materialize_valid_shape_symbols});
  REQUIRE(bare.after() != nullptr);
  INFO(bare.text() + bare.messages());
  CHECK(bare.messages() == "");
  const ir::Function* k = bare.after()->find("k");
  REQUIRE(k->params.size() == 4);
  CHECK(k->params[0]->name_hint == "V");
  CHECK(bare.text().find("self.k(n, p, q, out)") != std::string::npos);
}

TEST_CASE("E0561: a symbol that no axis names alone") {
  CHECK(PassRun(valid_kernel("V * 2", ""), {materialize_valid_shape_symbols}).has("E0561"));
}

TEST_CASE("E0562: arguments that disagree about one symbol") {
  CHECK(PassRun(valid_kernel("V", ", pl.TensorView(valid_shape=[16, V])"), {materialize_valid_shape_symbols})
            .has("E0562"));
}

// Inlining can nest deeper than any file may; the runner turns the walk's limit into a diagnostic.
TEST_CASE("E0400: nesting that a pass cannot follow") {
  ir::Context ir;
  diag::Engine diags;
  Options options;
  const ir::Expr* e = ir.var("n", ir.scalar_type(ir::DType::Index));
  const ir::Var* param = static_cast<const ir::Var*>(e);
  for (int i = 0; i < 2 * ir::kMaxNesting; ++i) e = ir.binary(ir::NodeKind::Sub, e, param);
  ir::Function f;
  f.kind = ir::NodeKind::Function;
  f.name = "main";
  f.params = ir.list<const ir::Var*>({param});
  f.param_directions = ir.list<ir::ParamDirection>({ir::ParamDirection::In});
  f.body = ir.seq({ir.assign(ir.var("m", param->type), e)});
  const ir::Program* program = ir.program("Deep", {ir.make(f)}, nullptr);
  PassContext context{ir, diags, options};
  RunPlan plan;
  plan.rows = {static_cast<size_t>(find_pass("Simplify"))};
  CHECK(run_passes(program, context, plan) == nullptr);
  REQUIRE(diags.error_count() == 1);
  CHECK(diags.sorted()[0].code->id == "E0400");
}

TEST_CASE("valid shapes: wrappers hand the extent on; what something else binds gets no parameter") {
  PassRun run(R"(
V = pl.dynamic("V")
M = pl.dynamic("M")

@pl.function(type=pl.FunctionType.AIV)
def bound(x: pl.Tensor[[M, 128], pl.FP32, pl.TensorView(valid_shape=[M, 128])], out: pl.Out[pl.Tensor[[16, 128], pl.FP32]]) -> pl.Tensor[[16, 128], pl.FP32]:
    return out

@pl.function(type=pl.FunctionType.AIV)
def inner(x: pl.Tensor[[16, 128], pl.FP32, pl.TensorView(valid_shape=[16, V])], out: pl.Out[pl.Tensor[[16, 128], pl.FP32]]) -> pl.Tensor[[16, 128], pl.FP32]:
    return out

@pl.function(type=pl.FunctionType.Spmd)
def wrapper(x: pl.Tensor[[16, 128], pl.FP32, pl.TensorView(valid_shape=[16, V])], out: pl.Out[pl.Tensor[[16, 128], pl.FP32]]) -> pl.Tensor[[16, 128], pl.FP32]:
    r = inner(x, out)
    return r

@pl.function(type=pl.FunctionType.Orchestration)
def main(a: pl.Tensor[[16, 128], pl.FP32], out: pl.Out[pl.Tensor[[16, 128], pl.FP32]], n: pl.Scalar[pl.INDEX]):
    p = pl.tensor.slice(a, [16, 128], [0, 0], [16, n])
    r = wrapper(p, out)
    s = bound(a, r)
)",
              {materialize_valid_shape_symbols});
  REQUIRE(run.after() != nullptr);
  INFO(run.text());
  CHECK(run.messages() == "");
  CHECK(run.after()->find("bound")->params.size() == 2);
  for (const char* name : {"inner", "wrapper"}) {
    const ir::Function* f = run.after()->find(name);
    REQUIRE(f->params.size() == 3);
    CHECK(f->param_directions[0] == ir::ParamDirection::In);
    CHECK(ir::is_scalar_of(f->params[0]->type, ir::DType::Index));
  }
  CHECK(run.text().find("self.inner(V_1, x, out)") != std::string::npos);
  CHECK(run.text().find("self.wrapper(n, p, out)") != std::string::npos);
}

TEST_CASE("an array that a loop carries is another name of it, one that a loop exchanges is an array of its own") {
  PassRun one = run("a: TENSOR, b: pl.Out[TENSOR]",
                    "    r = pl.array.create(4, pl.INT32)\n    s = pl.array.create(4, pl.INT32)\n"
                    "    for i, (c,) in pl.range(4, init_values=(r,)):\n"
                    "        for j, (d,) in pl.range(3, init_values=(c,)):\n"
                    "            e = pl.array.update_element(d, j, pl.const(7, pl.INT32))\n"
                    "            f = pl.yield_(e)\n        g = pl.yield_(f)\n"
                    "    for i, (p, q) in pl.range(4, init_values=(g, s)):\n        u, v = pl.yield_(q, p)\n",
                    classify_iter_arg_carry);
  REQUIRE(one.after() != nullptr);
  INFO(one.text() + one.messages());
  CHECK(one.messages() == "");
  CHECK(count(one.text(), "for j, (d,) in pl.range(3, init_values=(c,), attrs={\"iter_arg_rebind_0\": False})") == 1);
  CHECK(count(one.text(), "for i, (c,) in pl.range(4, init_values=(r,), attrs={\"iter_arg_rebind_0\": True})") == 1);
  CHECK(count(one.text(), "\"iter_arg_rebind_0\": True, \"iter_arg_rebind_1\": True") == 1);
}

}  // namespace
}  // namespace pyptoc::passes
