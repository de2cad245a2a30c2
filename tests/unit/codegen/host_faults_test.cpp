// SPDX-License-Identifier: Apache-2.0
// Every diagnostic of the emission of HOST functions.
#include <catch2/catch.hpp>

#include "host_sample.h"

namespace pyptoc::codegen {
namespace {

#define CHECK_FAULT(code, statements)   \
  do {                                  \
    HostSample sample;                  \
    emit_host_body(sample, statements); \
    INFO(sample.messages());            \
    CHECK(sample.has(code));            \
  } while (false)

TEST_CASE("E0670: an operator that computes, reads or is no part of a host function") {
  CHECK_FAULT("E0670", "    t = pl.tensor.adds(a, 1.0)\n");
  CHECK_FAULT("E0670", "    k = pl.tensor.read(a, [0])\n    for i in pl.range(k):\n        look(a)\n");
  CHECK_FAULT("E0670", "    t = pl.tensor.transpose(x, 0, 1)\n    look(t)\n");
}

// E0674 said in addition that the result has no value, once for each use.
TEST_CASE("E0670: uses of what cannot be computed are no faults of their own") {
  HostSample sample;
  emit_host_body(sample, "    t = pl.tensor.adds(a, 1.0)\n    look(t)\n    look(t)\n");
  CHECK(sample.messages() == "E0670: operator `tensor.adds` cannot run in the HOST function `main`\n");
}

// On the real runtime in simulation the second row of such a slice was other memory.
TEST_CASE("W0670: a slice with gaps for a chip program, of which the runtime copies the wrong bytes") {
  constexpr std::string_view kFunctions = R"(
@pl.function(type=pl.FunctionType.Orchestration)
def chip(x: pl.Tensor[[2, 12], pl.FP32]):
    pass

@pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)
def look(x: pl.Tensor[[2, 12], pl.FP32]):
    print(x)

@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def main(a: pl.Tensor[[4, 36], pl.FP32], b: pl.Tensor[[4, 12], pl.FP32]):
    p = pl.tensor.slice(a, [2, 12], [0, 12])
    q = pl.tensor.slice(b, [2, 12], [1, 0])
)";
  HostSample sample;
  emit_host(sample, std::string(kFunctions) + "    chip(p)\n    chip(q)\n    look(p)\n");
  CHECK(sample.messages() ==
        "W0670: slice `p` has gaps, and the runtime copies its bytes to the device as if it had none\n");
  CHECK_FALSE(sample.diags.has_errors());
}

TEST_CASE("E0671: a scope that should have been outlined") {
  CHECK_FAULT("E0671", "    with pl.at(level=pl.Level.CORE_GROUP):\n        t = pl.tensor.adds(a, 1.0)\n");
}

TEST_CASE("E0672: a call that is no dispatch") {
  HostSample sample;
  emit_host(sample, R"(
@pl.function(type=pl.FunctionType.AIV)
def kernel(x: pl.Tensor[[64], pl.FP32]):
    pass

@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def main(a: pl.Tensor[[64], pl.FP32]):
    kernel(a)
)");
  CHECK(sample.messages() == "E0672: call of `kernel` in the HOST function `main` is no dispatch\n");
}

TEST_CASE("E0673: a tensor that would be made anew in each iteration") {
  CHECK_FAULT("E0673", "    for i in pl.range(n):\n        t = pl.tensor.create([64], dtype=pl.FP32)\n");
  CHECK_FAULT("E0673", "    for i in pl.range(n):\n        chip(a)\n");
  CHECK_FAULT("E0673", "    if on:\n        chip(a)\n");
}

TEST_CASE("E0674: a value that a host function does not have") {
  HostSample hidden;
  emit_host(hidden, R"(
K = pl.dynamic("K")

@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def main(a: pl.Tensor[[K * K], pl.FP32]):
    for i in pl.range(K):
        pass
)");
  CHECK(hidden.messages() == "E0674: `K` has no value that the HOST function `main` can use here\n");
  HostSample own;
  emit_host(own, R"(
@pl.function(type=pl.FunctionType.Orchestration)
def chip(x: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
    t = pl.tensor.create([64], dtype=pl.FP32)
    return t

@pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)
def look(f: pl.Tensor[[64], pl.FP32]):
    assert f.sum() == 0

@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def main(a: pl.Tensor[[64], pl.FP32]):
    t = chip(a)
    look(t)
)");
  CHECK(own.messages() == "E0674: `t` has no value that the HOST function `main` can use here\n");
}

TEST_CASE("E0675: an extent that is known too late") {
  CHECK_FAULT("E0675",
              "    for i, (k,) in pl.range(3, init_values=(n,)):\n        k2 = pl.yield_(k * 2)\n"
              "    t = pl.tensor.create([k2], dtype=pl.FP32)\n");
}

constexpr std::string_view kTwoWindows = R"(
@pl.function(type=pl.FunctionType.Orchestration)
def chip(x: pld.DistributedTensor[[64], pl.FP32]):
    return x

@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def main(on: pl.Scalar[pl.BOOL]):
    with pld.comm_domain(slots=[p := pld.WindowBuffer(p_buf, 256), q := pld.WindowBuffer(q_buf, 256)], name_hint="d"):
        p_buf = pld.tensor.alloc_window_buffer(256, name="p")
        q_buf = pld.tensor.alloc_window_buffer(256, name="q")
        a = pld.tensor.window(p_buf, [64], dtype=pl.FP32)
        b = pld.tensor.window(q_buf, [64], dtype=pl.FP32)
        if on:
            c = pl.yield_(a)
        else:
            c = pl.yield_(OTHER)
        chip(c, device=0)
)";

TEST_CASE("E0676: one window or another") {
  std::string program(kTwoWindows);
  HostSample different;
  emit_host(different, program.replace(program.find("OTHER"), 5, "b"));
  CHECK(different.has("E0676"));
  program = kTwoWindows;
  HostSample same;
  emit_host(same, program.replace(program.find("OTHER"), 5, "a"));
  CHECK(same.messages() == "");
  CHECK(same.body().find("d[0].buffers[\"p\"].tensor(shapes=(64,), dtype=DataType.FLOAT32)") != std::string::npos);
}

TEST_CASE("E0677: a host tensor of a type that torch or the runtime lacks") {
  CHECK_FAULT("E0677", "    t = pl.tensor.create([64], dtype=pl.FP64)\n");
}

TEST_CASE("E0678: a slice that shows less than it covers") {
  CHECK_FAULT("E0678", "    t = pl.tensor.slice(x, [4, 64], [0, 0], [4, 32])\n    look(t)\n");
}

TEST_CASE("E0679: a copy before the task that writes its source") {
  CHECK_FAULT("E0679",
              "    t = pl.tensor.create([64], dtype=pl.FP32)\n    t2 = chip(a, t, device=0)\n"
              "    b = pl.tensor.assemble(b, t2, [0])\n");
  // The task of an iteration runs before the copy of the next one.
  CHECK_FAULT("E0679",
              "    for i in pl.range(n):\n        b2 = pl.tensor.assemble(b, a, [0])\n        chip(a, b, device=0)\n");
  HostSample before;
  emit_host_body(before, "    b2 = pl.tensor.assemble(b, a, [0])\n    chip(a, b, device=0)\n");
  CHECK(before.messages() == "");
}

TEST_CASE("E0680: two entries") {
  HostSample sample;
  emit_host(sample, R"(
@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def first():
    pass

@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def second():
    pass
)");
  CHECK(sample.messages() == "E0680: two HOST orchestrators in one program: `first` and `second`\n");
}

TEST_CASE("E0681: a host function of no role") {
  HostSample sample;
  emit_host(sample, "@pl.function(level=pl.Level.HOST)\ndef main():\n    pass\n");
  CHECK(sample.messages() == "E0681: HOST function `main` is neither an Orchestrator nor a SubWorker\n");
}

TEST_CASE("E0682: more loops in each other than Python compiles") {
  auto nested = [](int depth) {
    std::string body;
    for (int i = 0; i < depth; ++i)
      body += std::string(4 * static_cast<size_t>(i + 1), ' ') + "for i" + std::to_string(i) + " in pl.range(n):\n";
    return body + std::string(4 * static_cast<size_t>(depth + 1), ' ') + "look(a)\n";
  };
  HostSample fits;
  emit_host_body(fits, nested(20));
  CHECK(fits.messages() == "");
  CHECK_FAULT("E0682", nested(21));
}

std::string with_worker(std::string_view worker, std::string_view call) {
  return std::string(worker) +
         "\n@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\ndef main(a: pl.Tensor[[64], pl.FP32]):\n" +
         std::string(call);
}

TEST_CASE("E0683: a SubWorker in the DSL") {
  HostSample sample;
  emit_host(sample, with_worker("@pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker, inline=False)\n"
                                "def w(a: pl.Tensor[[64], pl.FP32]):\n    b = a\n",
                                "    w(a)\n"));
  CHECK(sample.messages() == "E0683: the SubWorker `w` has no Python body\n");
}

TEST_CASE("E0684: a window for a SubWorker") {
  HostSample sample;
  emit_host(sample, with_worker("@pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)\n"
                                "def w(a: pld.DistributedTensor[[64], pl.FP32]):\n    print(a)\n",
                                "    pass\n"));
  CHECK(sample.messages() == "E0684: parameter `a` of SubWorker `w` gets a window\n");
}

TEST_CASE("E0685, E0686: names by which nobody can pass or use a value") {
  HostSample worker;
  emit_host(worker, with_worker("@pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)\n"
                                "def w(a: pl.Tensor[[64], pl.FP32]):\n    print(a)\n",
                                "    w(a)\n"));
  REQUIRE(worker.messages() == "");
  // The text form cannot hold such names, files can.
  auto renamed = [&](const ir::Function* from, std::vector<std::string_view> names) {
    std::vector<const ir::Var*> params;
    std::vector<ir::ParamDirection> directions;
    for (std::string_view name : names) {
      params.push_back(worker.ir.var(name, from->params[0]->type));
      directions.push_back(ir::ParamDirection::In);
    }
    ir::Function draft = *from;
    draft.params = worker.ir.list(params);
    draft.param_directions = worker.ir.list(directions);
    return worker.ir.make(draft);
  };
  render_sub_worker(renamed(worker.program->find("w"), {"lambda"}), "w", worker.diags);
  CHECK(worker.has("E0685"));
  CHECK_FALSE(worker.has("E0686"));
  auto own_name = [](const ir::Function* f) { return std::string(f->name); };
  emit_host_unit(worker.program, renamed(worker.program->find("main"), {"a", "a"}), {own_name, own_name}, worker.diags);
  CHECK(worker.has("E0686"));
}

TEST_CASE("E0687: a dispatch with more tensors than a chip program takes") {
  auto program = [](int count) {
    std::string chip = "@pl.function(type=pl.FunctionType.Orchestration)\ndef chip(";
    std::string call = "    chip(";
    for (int i = 0; i < count; ++i) {
      chip += "p" + std::to_string(i) + ": pl.Tensor[[64], pl.FP32], ";
      call += "a, ";
    }
    return with_worker(chip + "):\n    return p0\n", call + "device=0)\n");
  };
  HostSample fits;
  emit_host(fits, program(256));
  CHECK(fits.messages() == "");
  HostSample sample;
  emit_host(sample, program(257));
  CHECK(sample.has("E0687"));
}

}  // namespace
}  // namespace pyptoc::codegen
