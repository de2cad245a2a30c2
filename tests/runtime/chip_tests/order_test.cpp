// SPDX-License-Identifier: Apache-2.0
// The order of tasks around collectives: what must never happen does not, and does when the edges are taken out of the
// emitted orchestration.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "pipeline.h"

using namespace chip_tests;
using collectives::variant_named;
using standin::ranks::HostArgument;
using standin::ranks::HostProgram;
using standin::ranks::HostResult;

namespace {

constexpr const char* kOrchestration = "next_levels/chip_pipeline/orchestration/chip_pipeline.cpp";
constexpr int kCores = 4;  // of the device: each collective takes them all

// The orchestration without any explicit dependency; returns how many there were.
int take_edges_out(const Tree& tree) {
  std::string text = tree.read(kOrchestration);
  int count = 0;
  for (size_t at = text.find(".set_dependencies("); at != std::string::npos; at = text.find(".set_dependencies(", at)) {
    const size_t begin = text.rfind('\n', at) + 1;
    text.replace(begin, text.find('\n', at) - begin, "");
    at = begin;
    ++count;
  }
  // the arrays stay and are not used
  text = "#pragma GCC diagnostic ignored \"-Wunused-but-set-variable\"\n#pragma GCC diagnostic ignored \"-Wunused\"\n" +
         text;
  tree.replace(kOrchestration, text);
  return count;
}

struct Failures {
  int runs = 0;
  int deadlocks = 0;
  int unordered = 0;
  std::string first;
};

template <typename Check>
Failures failures(const Tree& tree, int ranks, const std::vector<HostArgument>& arguments, int seeds, int cores,
                  const Check& check) {
  Failures out;
  const HostProgram program(standin::ranks::record_host(tree.out(), ranks, arguments));
  if (!program.error().empty()) return {0, 0, 0, program.error()};
  for (int seed = 0; seed < seeds; ++seed, ++out.runs) {
    const HostResult result = program.run(static_cast<uint64_t>(seed), cores);
    const std::string wrong = !result.wrong.empty() ? result.wrong : check(result);
    if (wrong.empty()) continue;
    out.deadlocks += wrong.find("can never go on") != std::string::npos ? 1 : 0;
    out.unordered += wrong.find("nothing orders the two") != std::string::npos ? 1 : 0;
    if (out.first.empty()) out.first = fmt::format("seed {} {}", seed, wrong);
  }
  return out;
}

// Two collectives over windows a and b with signals s and t; `body` is that of the chip program.
std::string two_collectives(const std::string& body) {
  return R"(import pypto.language as pl
import pypto.language.distributed as pld

@pl.program
class Two:
    @pl.function(type=pl.FunctionType.AIV, attrs={"external_source": "stage.cpp"})
    def stage_step(self, inp: pl.Tensor[[40], pl.FP32], data: pl.Out[pld.DistributedTensor[[40], pl.FP32]]) -> pld.DistributedTensor[[40], pl.FP32]:
        return data

    @pl.function(type=pl.FunctionType.AIV, attrs={"external_source": "consume.cpp"})
    def consume_step(self, data: pld.DistributedTensor[[40], pl.FP32], out: pl.Out[pl.Tensor[[40], pl.FP32]]) -> pl.Tensor[[40], pl.FP32]:
        return out

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip_pipeline(
        self,
        inp: pl.Tensor[[40], pl.FP32],
        first: pl.Out[pl.Tensor[[40], pl.FP32]],
        second: pl.Out[pl.Tensor[[40], pl.FP32]],
        a: pl.InOut[pld.DistributedTensor[[40], pl.FP32]],
        s: pl.InOut[pld.DistributedTensor[[2, 4], pl.INT32]],
        b: pl.InOut[pld.DistributedTensor[[40], pl.FP32]],
        t: pl.InOut[pld.DistributedTensor[[2, 4], pl.INT32]],
        n: pl.Scalar[pl.INDEX],
    ):
)" + body +
         R"(
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(
        self,
        inputs: pl.Tensor[[2, 40], pl.FP32],
        firsts: pl.Out[pl.Tensor[[2, 40], pl.FP32]],
        seconds: pl.Out[pl.Tensor[[2, 40], pl.FP32]],
        n: pl.Scalar[pl.INDEX],
    ):
        a_buf = pld.tensor.alloc_window_buffer(160, name="a")
        s_buf = pld.tensor.alloc_window_buffer(32, name="s")
        b_buf = pld.tensor.alloc_window_buffer(160, name="b")
        t_buf = pld.tensor.alloc_window_buffer(32, name="t")
        a = pld.tensor.window(a_buf, [40], dtype=pl.FP32)
        s = pld.tensor.window(s_buf, [2, 4], dtype=pl.INT32)
        b = pld.tensor.window(b_buf, [40], dtype=pl.FP32)
        t = pld.tensor.window(t_buf, [2, 4], dtype=pl.INT32)
        for r in pl.range(2):
            self.chip_pipeline(inputs[r], firsts[r], seconds[r], a, s, b, t, n, device=r)
)";
}

const char* const kStraight = R"(        a = self.stage_step(inp, a)
        b = self.stage_step(inp, b)
        a = pld.tensor.allreduce(a, s, op=pld.ReduceOp.Sum, core_num=4)
        b = pld.tensor.allreduce(b, t, op=pld.ReduceOp.Max, core_num=4)
        first = self.consume_step(a, first)
        second = self.consume_step(b, second)
)";
const char* const kOneSignal = R"(        a = self.stage_step(inp, a)
        b = self.stage_step(inp, b)
        a = pld.tensor.allreduce(a, s, op=pld.ReduceOp.Sum, core_num=4)
        first = self.consume_step(a, first)
        b = pld.tensor.allreduce(b, s, op=pld.ReduceOp.Max, core_num=3)
        second = self.consume_step(b, second)
)";
const char* const kInBranches = R"(        a = self.stage_step(inp, a)
        b = self.stage_step(inp, b)
        if n > 1:
            a = pld.tensor.allreduce(a, s, op=pld.ReduceOp.Sum, core_num=4)
        else:
            first = self.consume_step(b, first)
        if n > 0:
            b = pld.tensor.allreduce(b, t, op=pld.ReduceOp.Max, core_num=4)
        first = self.consume_step(a, first)
        second = self.consume_step(b, second)
)";
const char* const kInLoops = R"(        for i in pl.range(n):
            a = self.stage_step(inp, a)
            a = pld.tensor.allreduce(a, s, op=pld.ReduceOp.Sum, core_num=4)
            first = self.consume_step(a, first)
        for i in pl.range(n):
            b = self.stage_step(inp, b)
            b = pld.tensor.allreduce(b, t, op=pld.ReduceOp.Max, core_num=4)
            second = self.consume_step(b, second)
)";

float number(int rank, size_t i) {
  return static_cast<float>((static_cast<size_t>(rank) * 37 + i * 5) % 23);
}

std::vector<HostArgument> two_arguments() {
  std::vector<float> inputs;
  for (int rank = 0; rank < 2; ++rank) {
    for (size_t i = 0; i < 40; ++i) inputs.push_back(number(rank, i));
  }
  const std::vector<float> zeros(80);
  return {standin::ranks::host_argument("inputs", DataType::FLOAT32, {2, 40}, inputs),
          standin::ranks::host_argument("firsts", DataType::FLOAT32, {2, 40}, zeros),
          standin::ranks::host_argument("seconds", DataType::FLOAT32, {2, 40}, zeros),
          standin::ranks::host_scalar("n", 2)};
}

std::string check_two(const HostResult& result) {
  const auto* firsts = reinterpret_cast<const float*>(result.tensors.at("firsts").data());
  const auto* seconds = reinterpret_cast<const float*>(result.tensors.at("seconds").data());
  for (size_t i = 0; i < 80; ++i) {
    if (firsts[i] != number(0, i % 40) + number(1, i % 40)) return "a wrong sum";
    if (seconds[i] != std::max(number(0, i % 40), number(1, i % 40))) return "a wrong maximum";
  }
  return "";
}

}  // namespace

// Ready tasks get cores in random order, so half of the seeds let the two ranks prefer different collectives.
TEST_CASE("two collectives that each fill the device never block each other") {
  Pipeline kernels;
  kernels.step.variant = variant_named("allreduce__sum__fp32");
  for (const char* body : {kStraight, kInBranches, kInLoops}) {
    const Tree tree(two_collectives(body),
                    {{"stage.cpp", kernel_text(kernels, "stage")}, {"consume.cpp", kernel_text(kernels, "consume")}},
                    {"--aiv-cores", std::to_string(kCores)});
    INFO(body);
    REQUIRE(tree.messages() == "");
    const Failures ours = failures(tree, 2, two_arguments(), 200, kCores, check_two);
    CHECK(ours.first == "");
    CHECK(ours.runs == 200);
    CHECK(take_edges_out(tree) > 0);
    const Failures without = failures(tree, 2, two_arguments(), 60, kCores, check_two);
    CHECK(without.deadlocks > 0);
    UNSCOPED_INFO(without.deadlocks << " of " << without.runs << " runs block");
  }
}

TEST_CASE("a second collective uses the signal of the first") {
  Pipeline kernels;
  kernels.step.variant = variant_named("allreduce__sum__fp32");
  const Tree tree(two_collectives(kOneSignal),
                  {{"stage.cpp", kernel_text(kernels, "stage")}, {"consume.cpp", kernel_text(kernels, "consume")}});
  REQUIRE(tree.messages() == "");
  CHECK(tree.read(kOrchestration).find("set_dependencies") == std::string::npos);  // the signal orders them
  CHECK(failures(tree, 2, two_arguments(), 60, 48, check_two).first == "");
}

// Once two parameters of a chip function were two buffers for sure, and a task that read one of them could run after a
// later one that wrote the other.
TEST_CASE("a dispatch passes two views of one allocation") {
  std::string text = two_collectives(R"(        a = self.stage_step(inp, a)
        a = pld.tensor.allreduce(a, s, op=pld.ReduceOp.Sum)
        first = self.consume_step(b, first)
        a = self.stage_step(inp, a)
        b = pld.tensor.allreduce(b, t, op=pld.ReduceOp.Max)
        second = self.consume_step(a, second)
)");
  const auto replace = [&](const std::string& what, const std::string& with) {
    REQUIRE(text.find(what) != std::string::npos);
    text.replace(text.find(what), what.size(), with);
  };
  replace("        b_buf = pld.tensor.alloc_window_buffer(160, name=\"b\")\n", "");
  replace("pld.tensor.window(b_buf", "pld.tensor.window(a_buf");
  Pipeline kernels;
  kernels.step.variant = variant_named("allreduce__sum__fp32");
  const Tree tree(text,
                  {{"stage.cpp", kernel_text(kernels, "stage")}, {"consume.cpp", kernel_text(kernels, "consume")}});
  REQUIRE(tree.messages() == "");
  CHECK(failures(tree, 2, two_arguments(), 60, 48, check_two).first == "");
  CHECK(take_edges_out(tree) > 0);
  CHECK(failures(tree, 2, two_arguments(), 20, 48, check_two).unordered > 0);
}

TEST_CASE("a consumer's data are not overwritten by the next round") {
  for (const char* variant :
       {"all_to_all_v__fp32", "allreduce__sum__fp32", "allreduce_ring__sum__fp32", "barrier__fp32",
        "broadcast__root0__fp32", "reduce_scatter__sum__fp32", "allgather__fp32", "all_to_all__fp32"}) {
    Pipeline p;
    p.step.variant = variant_named(variant);
    p.step.size = 40;
    p.ranks = 3;
    p.rounds = 2;
    INFO(p.name());
    const Tree tree(p);
    REQUIRE(tree.messages() == "");
    const auto check = [&](const HostResult& result) { return check_outputs(p, result); };
    CHECK(failures(tree, p.ranks, arguments_of(p), 20, 48, check).first == "");
    CHECK(take_edges_out(tree) > 0);
    const Failures without = failures(tree, p.ranks, arguments_of(p), 20, 48, check);
    CHECK(without.unordered == without.runs);
  }
}
