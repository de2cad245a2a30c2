// SPDX-License-Identifier: Apache-2.0
// The HOST passes rule by rule: what the body of a HOST function looks like after each.
#include "host_fixture.h"
#include "passes/buffer_roots.h"
#include "passes/property_checks.h"

namespace pyptoc::passes {
namespace {

using testing::HostRun;
using testing::two_windows;

TEST_CASE("an allreduce without a signal gets one at the beginning") {
  constexpr std::string_view kBody =
      "buf = pld.alloc_window_buffer(256)\nx = pld.window(buf, [64], dtype=pl.FP32)\n"
      "for r in pl.range(pld.world_size()):\n    use(x, device=r)\n"
      "for i in pl.range(n):\n    x = pld.tensor.allreduce(x, op=pld.ReduceOp.Sum, core_num=2)\n"
      "    pld.tensor.allreduce(x, op=pld.ReduceOp.Max, core_num=3)\n"
      "    x = pld.tensor.allreduce(x, op=pld.ReduceOp.Sum, mode=\"ring\")\n";
  HostRun run(kBody, synthesize_allreduce_signals, "n: pl.Scalar[pl.INDEX]");
  INFO(run.body());
  CHECK(run.body().find(
            "buf_signal: pl.Ptr = pld.tensor.alloc_window_buffer(pld.system.world_size() * pl.const(3, pl.INT64) * "
            "pl.const(4, pl.INT64), name=\"buf_signal\")\n"
            "buf_signal_view: pld.DistributedTensor[[pld.system.world_size(), pl.const(3, pl.INT64)], pl.INT32] = ") ==
        0);
  CHECK(run.count("allreduce(x_1, buf_signal_view, op=pld.ReduceOp.Sum, core_num=2)") == 1);
  CHECK(run.count("buf_signal_view, op=pld.ReduceOp.Max, core_num=3)") == 1);
  CHECK(run.count("buf_ring_signal_view, op=pld.ReduceOp.Sum, mode=\"ring\")") == 1);
  CHECK(run.count("alloc_window_buffer") == 3);

  HostRun whole(kBody, materialize_dist_tensor_ctx, "n: pl.Scalar[pl.INDEX]");
  CHECK(whole.messages() == "");
  CHECK(whole.count("pl.builtin.tensor.allreduce(") == 2);
  CHECK(whole.count("pl.builtin.tensor.allreduce_ring(") == 1);
}

TEST_CASE("two lineages on different devices get two signals") {
  HostRun run(
      "a = pld.alloc_window_buffer(256)\nb = pld.alloc_window_buffer(256)\n"
      "x = pld.window(a, [64], dtype=pl.FP32)\ny = pld.window(b, [64], dtype=pl.FP32)\n"
      "for i in pl.range(n):\n    for r in pl.range(2):\n        use(x, device=r)\n"
      "    for q in pl.range(1, 3):\n        use(y, device=q)\n"
      "    x = pld.tensor.allreduce(x, op=pld.ReduceOp.Sum)\n    y = pld.tensor.allreduce(y, op=pld.ReduceOp.Sum)\n",
      lower_host_tensor_collectives, "n: pl.Scalar[pl.INDEX]");
  INFO(run.body());
  CHECK(run.messages() == "");
  CHECK(run.count("devices=[0, 1]") == 1);
  CHECK(run.count("devices=[1, 2]") == 1);
  CHECK(run.count("a_signal := pld.WindowBuffer") == 1);
  CHECK(run.count("b_signal := pld.WindowBuffer") == 1);
  CHECK(run.count("pl.builtin.tensor.allreduce(") == 4);
  CHECK(run.count("\"device\": pl.const(2, pl.INT64)") == 1);
}

TEST_CASE("names of signals avoid those of allocations") {
  HostRun run(
      "buf = pld.alloc_window_buffer(256)\nbuf_signal = pld.alloc_window_buffer(256)\n"
      "x = pld.window(buf, [64], dtype=pl.FP32)\ny = pld.window(buf_signal, [64], dtype=pl.FP32)\n"
      "for r in pl.range(pld.world_size()):\n    use(x, device=r)\n    use(y, device=r)\n"
      "x = pld.tensor.allreduce(x, op=pld.ReduceOp.Sum)\n",
      materialize_comm_domain_scopes);
  CHECK(run.messages() == "");
  CHECK(run.count("name=\"buf_signal_1\"") == 1);
}

TEST_CASE("allocations on the same devices share a domain; domains nest in order") {
  HostRun run(
      "n = pld.world_size()\na = pld.alloc_window_buffer(256)\nb = pld.alloc_window_buffer(n * 256)\n"
      "c = pld.alloc_window_buffer(256)\nx = pld.window(a, [64], dtype=pl.FP32)\n"
      "y = pld.window(b, [64], dtype=pl.FP32)\nz = pld.window(c, [64], dtype=pl.FP32)\n"
      "for r in pl.range(n):\n    use(x, device=r)\n    use(z, device=r)\nuse(y, device=1)\n",
      materialize_comm_domain_scopes);
  CHECK(
      run.body() ==
      "n: pl.Scalar[pl.INT64] = pld.system.world_size()\n"
      "pl.system.require(pld.system.world_size() <= pl.const(64, pl.INT64), pld.system.world_size(), text=\"window `a` "
      "lies on every device, at most 64 can share a window, and the program runs on {}\")\n"
      "pl.system.require(pld.system.world_size() > pl.const(1, pl.INT64), pld.system.world_size(), text=\"window `b` "
      "lies on device 1, and the program runs on {} devices\")\n"
      "with pld.comm_domain(slots=[a := pld.WindowBuffer(a_1, 256), c := pld.WindowBuffer(c_1, 256)], "
      "name_hint=\"comm_d0\"):\n"
      "    with pld.comm_domain(slots=[b := pld.WindowBuffer(b_1, n * 256)], devices=[1], name_hint=\"comm_d1\"):\n"
      "        a_1: pl.Ptr = pld.tensor.alloc_window_buffer(256, name=\"a\")\n"
      "        b_1: pl.Ptr = pld.tensor.alloc_window_buffer(n * 256, name=\"b\")\n"
      "        c_1: pl.Ptr = pld.tensor.alloc_window_buffer(256, name=\"c\")\n"
      "        x: pld.DistributedTensor[[64], pl.FP32, pld.window_buffer(a)] = pld.tensor.window(a_1, [64], "
      "dtype=pl.FP32)\n"
      "        y: pld.DistributedTensor[[64], pl.FP32, pld.window_buffer(b)] = pld.tensor.window(b_1, [64], "
      "dtype=pl.FP32)\n"
      "        z: pld.DistributedTensor[[64], pl.FP32, pld.window_buffer(c)] = pld.tensor.window(c_1, [64], "
      "dtype=pl.FP32)\n"
      "        for r in pl.range(n):\n"
      "            self.use(x, device=r)\n"
      "            self.use(z, device=r)\n"
      "        self.use(y, device=1)\n");
}

TEST_CASE("the last Simplify keeps which allocation a window means") {
  HostRun run(
      "n = 4\na = pld.alloc_window_buffer(n * 64)\nx = pld.window(a, [n, 64], dtype=pl.FP32)\n"
      "for r in pl.range(pld.world_size()):\n    rows(x, device=r)\n",
      convert_to_ssa);
  diag::Engine diags;
  ir::Context& ir = run.ir();
  Options options;
  PassContext context{ir, diags, options};
  const ir::Program* program = run.program();
  for (PassFunction pass : {materialize_comm_domain_scopes, simplify}) program = pass(program, context);
  CHECK(ir::verify(program, diags));
  std::string text = text::print_program(program);
  INFO(text);
  CHECK(text.find("slots=[a := pld.WindowBuffer(a_1, 256)]") != std::string::npos);
  CHECK(text.find("x: pld.DistributedTensor[[4, 64], pl.FP32, pld.window_buffer(a)]") != std::string::npos);
}

TEST_CASE("signal and counts lie where the data lies") {
  HostRun run(two_windows("[4]", "3") + "x = pld.tensor.broadcast(x, s, root=2)\n", materialize_comm_domain_scopes);
  CHECK(run.count("slots=[buf := pld.WindowBuffer(buf_1, 256), sbuf := pld.WindowBuffer(sbuf_1, 1024)], "
                  "devices=[0, 1, 2]") == 1);
}

TEST_CASE("a collective becomes a dispatch for each device, its result the operand") {
  HostRun every(two_windows() +
                    "x = pld.tensor.broadcast(x, s, root=2)\nfor r in pl.range(pld.world_size()):\n"
                    "    use(x, device=r)\n",
                lower_host_tensor_collectives);
  INFO(every.body());
  CHECK(every.count("pl.system.require(pld.system.world_size() > pl.const(2, pl.INT64), pld.system.world_size(), "
                    "text=\"`pld.tensor.broadcast`: `root` is 2, but the domain has {} ranks\")") == 1);
  CHECK(every.count("pl.system.require(pl.const(4, pl.INT64) >= pld.system.world_size()") +
            every.count("pl.system.require(4 >= pld.system.world_size()") ==
        1);
  CHECK(every.count("    for r_1 in pl.range(pl.const(0, pl.INT64), pld.system.world_size(), pl.const(1, pl.INT64)):\n"
                    "        pl.builtin.tensor.broadcast(x, s, root=2, dtype=pl.FP32, attrs={\"root\": 2, "
                    "\"dtype\": pl.FP32, \"device\": r_1, \"arg_directions\": [pl.adir.inout, pl.adir.inout]})\n"
                    "    x_1: pld.DistributedTensor[[64], pl.FP32, pld.window_buffer(buf)] = x\n") == 1);

  HostRun some(two_windows("[4]", "2") + "x = pld.tensor.broadcast(x, s, root=0)\ns = pld.tensor.barrier(s)\n",
               lower_host_tensor_collectives);
  INFO(some.body());
  CHECK(some.count("pl.builtin.tensor.barrier(s, device=pl.const(0, pl.INT64), ") == 1);
  CHECK(some.count("pl.builtin.tensor.barrier(s, device=pl.const(1, pl.INT64), ") == 1);
  CHECK(some.count("in pl.range") == 1);
}

TEST_CASE("a returned collective is dispatched before the return") {
  HostRun run(two_windows("[4]", "1") + "return pld.tensor.broadcast(x, s, root=0)\n", convert_to_ssa);
  diag::Engine diags;
  Options options;
  PassContext context{run.ir(), diags, options};
  const ir::Program* program = run.program();
  for (PassFunction pass : {materialize_comm_domain_scopes, lower_host_tensor_collectives})
    program = pass(program, context);
  CHECK(diags.empty());
  std::string text = text::print_program(program);
  INFO(text);
  CHECK(text.find("        pl.builtin.tensor.broadcast(x, s, root=0, ") < text.find("        return x\n"));
  CHECK(text.find("        return x\n") != std::string::npos);
}

TEST_CASE("collectives keep their source order") {
  HostRun run(two_windows() +
              "x = pld.tensor.broadcast(x, s, root=0)\ns = pld.tensor.barrier(s)\n"
              "x = pld.tensor.allreduce(x, s, op=pld.ReduceOp.Sum)\n");
  std::string text = run.body();
  size_t first = text.find("builtin.tensor.broadcast");
  size_t second = text.find("builtin.tensor.barrier");
  size_t third = text.find("builtin.tensor.allreduce");
  CHECK(first < second);
  CHECK(second < third);
  CHECK(third != std::string::npos);
}

TEST_CASE("a run-time width of all_to_all_v is checked at the beginning") {
  HostRun run(
      "ib = pld.alloc_window_buffer(2048)\ntb = pld.alloc_window_buffer(2048)\nsb = pld.alloc_window_buffer(64)\n"
      "cb = pld.alloc_window_buffer(16)\nrb = pld.alloc_window_buffer(16)\n"
      "a = pld.window(ib, [8, 64], dtype=pl.FP32)\nb = pld.window(tb, [8, 64], dtype=pl.FP32)\n"
      "s = pld.window(sb, [4, 4], dtype=pl.INT32)\nc = pld.window(cb, [4], dtype=pl.INT32)\n"
      "d = pld.window(rb, [4, 1], dtype=pl.INT32)\nu = pld.window(tb, [64], dtype=pl.FP32)\n"
      "for r in pl.range(4):\n    use(u, device=r)\nm = n * 2\n"
      "for i in pl.range(3):\n    b = pld.tensor.all_to_all_v(a, b, s, c, d, m)\n",
      lower_host_tensor_collectives, "n: pl.Scalar[pl.INDEX]");
  INFO(run.body());
  CHECK(run.messages() == "");
  CHECK(run.body().find("m: pl.Scalar[pl.INDEX] = n * 2\n") == 0);
  CHECK(run.count("pl.system.require(m >= pl.const(1, pl.INT64) and m <= pl.const(2147483647, pl.INT64)") == 1);
  CHECK(run.count("`core_num` is {}, which asks for more blocks than the 48 AIV cores of a2a3") == 1);
  CHECK(run.count("pl.builtin.tensor.all_to_all_v(a, b_1, s, c, d, m, dtype=pl.FP32, attrs=") == 4);
  CHECK(run.count("pl.adir.input, pl.adir.inout, pl.adir.inout, pl.adir.input, pl.adir.inout, pl.adir.scalar]") == 4);
}

constexpr std::string_view kExchange =
    "ib = pld.alloc_window_buffer(2048)\ntb = pld.alloc_window_buffer(2048)\nsb = pld.alloc_window_buffer(64)\n"
    "cb = pld.alloc_window_buffer(16)\nrb = pld.alloc_window_buffer(16)\n"
    "a = pld.window(ib, [8, 64], dtype=pl.FP32)\nb = pld.window(tb, [8, 64], dtype=pl.FP32)\n"
    "s = pld.window(sb, [4, 4], dtype=pl.INT32)\nc = pld.window(cb, [4], dtype=pl.INT32)\n"
    "d = pld.window(rb, [4, 1], dtype=pl.INT32)\nu = pld.window(tb, [64], dtype=pl.FP32)\n"
    "for r in pl.range(4):\n    use(u, device=r)\n";

TEST_CASE("a check that uses the variable of a loop runs in such a loop") {
  HostRun run(std::string(kExchange) +
                  "for i in pl.range(n):\n    m = i * 2\n    if m > 2:\n"
                  "        b = pld.tensor.all_to_all_v(a, b, s, c, d, m + 1)\n",
              lower_host_tensor_collectives, "n: pl.Scalar[pl.INDEX]");
  INFO(run.body());
  CHECK(run.messages() == "");
  CHECK(run.body().find("for i in pl.range(n):\n    if i * 2 > 2:\n        pl.system.require(i * 2 + 1 >= ") == 0);
  CHECK(run.count("pl.system.require(") == 4);  // three for the width, one for the devices
}

// Extents of parameters were taken for unknown, and a check in a loop over one was dropped without a word.
TEST_CASE("checks that depend on extents of parameters are made") {
  constexpr std::string_view kParameters = "t: pl.Tensor[[N, 4], pl.INT32], n: pl.Scalar[pl.INDEX]";
  auto run = [&](std::string_view body) {
    testing::PassRun out(
        "N = pl.dynamic(\"N\")\n" + testing::host_source(std::string(kExchange) + std::string(body), kParameters),
        {convert_to_ssa, materialize_comm_domain_scopes, lower_host_tensor_collectives});
    CHECK(out.messages() == "");
    return out.text();
  };
  const std::string loop =
      run("for i in pl.range(pl.tensor.dim(t, 0)):\n    b = pld.tensor.all_to_all_v(a, b, s, c, d, i + 1)\n");
  INFO(loop);
  CHECK(loop.find("for i in pl.range(pl.tensor.dim(t, 0)):\n            pl.system.require(i + 1 >= ") !=
        std::string::npos);
  const std::string width = run("b = pld.tensor.all_to_all_v(a, b, s, c, d, pl.tensor.dim(t, 0))\n");
  INFO(width);
  CHECK(width.find("pl.system.require(pl.tensor.dim(t, 0) >= ") != std::string::npos);
}

TEST_CASE("a check holds only where its collective runs") {
  HostRun branch(two_windows() +
                     "if pld.world_size() > 1:\n    x = pld.tensor.broadcast(x, s, root=1)\nelse:\n"
                     "    x = pld.tensor.broadcast(x, s, root=0)\n",
                 lower_host_tensor_collectives);
  INFO(branch.body());
  CHECK(branch.body().find(
            "if pld.system.world_size() > 1:\n    pl.system.require(pld.system.world_size() > "
            "pl.const(1, pl.INT64), pld.system.world_size(), text=\"`pld.tensor.broadcast`: `root` is 1") == 0);
  CHECK(branch.count("if not pld.system.world_size() > 1:\n    pl.system.require(") == 2);

  HostRun loop(two_windows() + "for i in pl.range(n):\n    x = pld.tensor.broadcast(x, s, root=0)\n",
               lower_host_tensor_collectives, "n: pl.Scalar[pl.INDEX]");
  INFO(loop.body());
  CHECK(loop.count("if 0 < n:\n    pl.system.require(") == 2);
  // Known to run: no condition. Known not to run: no check.
  HostRun runs(two_windows() + "for i in pl.range(3):\n    x = pld.tensor.broadcast(x, s, root=0)\n",
               lower_host_tensor_collectives);
  CHECK(runs.body().find("pl.system.require(pld.system.world_size() > pl.const(0, pl.INT64)") == 0);
}

TEST_CASE("one check for many collectives") {
  std::string body = two_windows();
  for (int i = 0; i < 50; ++i) body += "x = pld.tensor.broadcast(x, s, root=2)\n";
  HostRun run(body, lower_host_tensor_collectives);
  CHECK(run.count("pl.system.require(") == 3);
  CHECK(run.count("pl.builtin.tensor.broadcast(") == 50);
}

TEST_CASE("contexts follow windows through calls, loops and results") {
  HostRun run(two_windows() + "x = pld.tensor.broadcast(x, s, root=0)\n");
  CHECK(run.count("x_ctx: pld.CommCtxType = pld.system.get_comm_ctx(x)\n") == 1);
  CHECK(run.count("self.use(x, x_ctx, device=r)") == 1);

  testing::check_pass({materialize_dist_tensor_ctx}, R"(
@pl.function(type=pl.FunctionType.AIV)
def k(a: pl.InOut[pld.DistributedTensor[[4], pl.FP32]], m: pl.Scalar[pl.INT32], b: pl.InOut[pld.DistributedTensor[[4], pl.INT32]], b_ctx: pl.Scalar[pl.INDEX]) -> tuple[pld.DistributedTensor[[4], pl.INT32], pld.DistributedTensor[[4], pl.FP32]]:
    c = pld.system.get_comm_ctx(b)
    r = pld.system.rank(c)
    return b, a

@pl.function(type=pl.FunctionType.Orchestration)
def main(p: pl.InOut[pld.DistributedTensor[[4], pl.FP32]], q: pl.InOut[pld.DistributedTensor[[4], pl.INT32]]):
    t = k(p, 3, q, 5)
    q2 = t[0]
    p2 = t[1]
    for i in pl.range(4):
        u = pl.typed(k(p2, 3, q2, 5, attrs={"arg_directions": [pl.adir.inout, pl.adir.scalar, pl.adir.inout, pl.adir.scalar]}), pl.Tuple[pld.DistributedTensor[[4], pl.INT32], pld.DistributedTensor[[4], pl.FP32]])
)",
                      R"(
@pl.function(type=pl.FunctionType.AIV)
def k(a: pl.InOut[pld.DistributedTensor[[4], pl.FP32]], m: pl.Scalar[pl.INT32], b: pl.InOut[pld.DistributedTensor[[4], pl.INT32]], b_ctx: pl.Scalar[pl.INDEX], a_ctx: pld.CommCtxType, b_ctx_1: pld.CommCtxType) -> tuple[pld.DistributedTensor[[4], pl.INT32], pld.DistributedTensor[[4], pl.FP32]]:
    r = pld.system.rank(b_ctx_1)
    return b, a

@pl.function(type=pl.FunctionType.Orchestration)
def main(p: pl.InOut[pld.DistributedTensor[[4], pl.FP32]], q: pl.InOut[pld.DistributedTensor[[4], pl.INT32]], p_ctx: pld.CommCtxType, q_ctx: pld.CommCtxType):
    t = k(p, 3, q, 5, p_ctx, q_ctx)
    q2 = t[0]
    p2 = t[1]
    for i in pl.range(4):
        u = pl.typed(k(p2, 3, q2, 5, p_ctx, q_ctx, attrs={"arg_directions": [pl.adir.inout, pl.adir.scalar, pl.adir.inout, pl.adir.scalar, pl.adir.scalar, pl.adir.scalar]}), pl.Tuple[pld.DistributedTensor[[4], pl.INT32], pld.DistributedTensor[[4], pl.FP32]])
)");
}

TEST_CASE("a submit that leaves an Out to the runtime passes its contexts last") {
  testing::PassRun run(R"(
@pl.function(type=pl.FunctionType.AIV)
def k(a: pl.InOut[pld.DistributedTensor[[4], pl.FP32]], out: pl.Out[TENSOR]) -> TENSOR:
    return out

@pl.function(type=pl.FunctionType.Orchestration)
def main(p: pl.InOut[pld.DistributedTensor[[4], pl.FP32]]):
    made, task = pl.submit(k, p)
    b = pl.tensor.slice(made, [32], [0])
)",
                       {convert_to_ssa, materialize_dist_tensor_ctx});
  INFO(run.messages());
  REQUIRE(run.after() != nullptr);
  INFO(run.text());
  CHECK(run.text().find("pl.submit(self.k, p, p_ctx)") != std::string::npos);
  CHECK(ir::verify(run.after(), run.diags()));
  BufferRoots roots(run.after());
  const FunctionRoots& own = roots.of(run.after()->find("main"));
  bool made_by_runtime = false;
  for (size_t i = 0; i < own.size(); ++i)
    made_by_runtime |= own.root(static_cast<int>(i)).kind == Root::Kind::RuntimeMade;
  CHECK(made_by_runtime);
}

constexpr std::string_view kTwoParams = R"(
@pl.function(type=pl.FunctionType.AIV)
def k(a: pl.InOut[pld.DistributedTensor[[4], pl.FP32]]):
    pass

@pl.function(type=pl.FunctionType.Orchestration)
def main(p: pl.InOut[pld.DistributedTensor[[4], pl.FP32]], q: pl.InOut[pld.DistributedTensor[[4], pl.FP32]], n: pl.Scalar[pl.INDEX]):
)";

TEST_CASE("E0646 two contexts in one variable") {
  testing::PassRun branch(
      std::string(kTwoParams) + "    if n > 0:\n        x = p\n    else:\n        x = q\n    k(x)\n",
      {convert_to_ssa, materialize_dist_tensor_ctx});
  CHECK(
      branch.messages() ==
      "E0646 11: `x` is window `p` on one path and window `q` on another\n  note: `p` is here\n  note: `q` is here\n");
  testing::PassRun loop(std::string(kTwoParams) + "    x = p\n    for i in pl.range(n):\n        k(x)\n        x = q\n",
                        {convert_to_ssa, materialize_dist_tensor_ctx});
  CHECK(loop.has("E0646"));
}

TEST_CASE("E0647 a window without a context") {
  testing::PassRun run(R"(
@pl.function(type=pl.FunctionType.AIV)
def k(a: pl.InOut[pld.DistributedTensor[[4], pl.FP32]]):
    pass

@pl.function(type=pl.FunctionType.Orchestration)
def main():
    buf = pld.alloc_window_buffer(16)
    x = pld.window(buf, [4], dtype=pl.FP32)
    k(x)
)",
                       {convert_to_ssa, materialize_dist_tensor_ctx});
  CHECK(run.messages() == "E0647 9: the communication context of `x` is not known in `main`\n");
}

TEST_CASE("what the HOST passes ensure does not hold before them") {
  struct Step {
    PassFunction run;
    void (*check)(const ir::Program*, Findings&);
    std::string_view before;
  };
  const Step steps[] = {
      {materialize_comm_domain_scopes, check_CommDomainScopesMaterialized, "`host`: allocation `buf` has no slot"},
      {lower_host_tensor_collectives, check_HostCollectivesLowered, "`host`: has a call of `pld.tensor.broadcast`"},
      {materialize_dist_tensor_ctx, check_DistTensorCtxMaterialized,
       "`cells`: has 0 context parameters for its windows"},
  };
  HostRun run(two_windows() + "x = pld.tensor.broadcast(x, s, root=0)\n", flatten_call_expr);
  diag::Engine diags;
  Options options;
  PassContext context{run.ir(), diags, options};
  const ir::Program* program = run.program();
  for (const Step& step : steps) {
    Findings before;
    step.check(program, before);
    REQUIRE(!before.empty());
    CHECK(std::find(before.begin(), before.end(), step.before) != before.end());
    program = step.run(program, context);
    Findings after;
    step.check(program, after);
    CHECK(after.empty());
  }
}

TEST_CASE("E0626 the pass that makes signals has to run first") {
  HostRun run(
      two_windows() + "x = pld.tensor.broadcast(x, s, root=0)\nx = pld.tensor.allreduce(x, op=pld.ReduceOp.Sum)\n",
      convert_to_ssa);
  diag::Engine diags;
  Options options;
  PassContext context{run.ir(), diags, options};
  const ir::Program* program = materialize_comm_domain_scopes(run.program(), context);
  lower_host_tensor_collectives(program, context);
  REQUIRE(diags.sorted().size() == 1);
  CHECK(std::string(diags.sorted()[0].code->id) == "E0626");
}

TEST_CASE("programs without windows stay as they are") {
  testing::check_unchanged({synthesize_allreduce_signals, materialize_comm_domain_scopes, lower_host_tensor_collectives,
                            materialize_dist_tensor_ctx},
                           R"(
@pl.function(type=pl.FunctionType.Orchestration)
def chip(x: TENSOR):
    pass

@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def host(x: TENSOR):
    for r in pl.range(pld.world_size()):
        chip(x, device=r)
)");
}

}  // namespace
}  // namespace pyptoc::passes
