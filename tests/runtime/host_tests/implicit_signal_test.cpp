// SPDX-License-Identifier: Apache-2.0
// An allreduce that names no signal, in all its forms, executed.
#include <catch2/catch.hpp>
#include <cstring>

#include "host_text.h"
#include "ranks/host.h"

namespace host_tests {
namespace {

using standin::ranks::HostResult;

constexpr int64_t kColumns = 50;

float value(int64_t rank, int64_t column) {
  return static_cast<float>((rank * 31 + column * 7) % 23);
}

constexpr const char* kBefore =
    "buf = pld.alloc_window_buffer([1, 50], dtype=pl.FP32)\n"
    "t = pld.window(buf, [1, 50], dtype=pl.FP32)\n"
    "for r in pl.range(pld.world_size()):\n"
    "    xr = pl.tensor.slice(x, [1, 1, 50], [r, 0, 0], [], [0])\n"
    "    self.put_fp32(xr, t, device=r)\n";
constexpr const char* kAfter =
    "for r in pl.range(pld.world_size()):\n"
    "    yr = pl.tensor.slice(y, [1, 1, 50], [r, 0, 0], [], [0])\n"
    "    self.get_fp32(t, yr, device=r)\n";

// Puts x into the window `t`, runs `body`, copies `t` to y. Every element of y must be `due` of its column.
std::string run(const std::string& body, int ranks, const std::function<float(int64_t)>& due, int64_t n = 0,
                const std::string& after = kAfter) {
  HostText text;
  text.parameters =
      "x: pl.Tensor[[NR, 1, 50], pl.FP32], y: pl.Out[pl.Tensor[[NR, 1, 50], pl.FP32]], n: pl.Scalar[pl.INDEX]";
  text.body = kBefore + body + after;
  const Tree tree(text.text());
  if (!tree.error().empty()) return tree.error();
  std::vector<float> x;
  for (int64_t rank = 0; rank < ranks; ++rank)
    for (int64_t column = 0; column < kColumns; ++column) x.push_back(value(rank, column));
  const std::vector<standin::ranks::HostArgument> arguments = {
      standin::ranks::host_argument("x", DataType::FLOAT32, {ranks, 1, kColumns}, x),
      standin::ranks::host_argument("y", DataType::FLOAT32, {ranks, 1, kColumns}, std::vector<float>(x.size())),
      standin::ranks::host_scalar("n", n)};
  return standin::ranks::run_host_tree(tree.folder(), ranks, arguments, 4, [&](const HostResult& result) {
    std::vector<float> y(x.size());
    std::memcpy(y.data(), result.tensors.at("y").data(), y.size() * sizeof(float));
    for (size_t i = 0; i < y.size(); ++i) {
      if (y[i] != due(static_cast<int64_t>(i) % kColumns))
        return "element " + std::to_string(i) + " is " + std::to_string(y[i]);
    }
    return std::string();
  });
}

// The sum over all ranks, `times` in a row: each but the first adds `ranks` equal values.
std::function<float(int64_t)> sums(int ranks, int times = 1) {
  return [=](int64_t column) {
    float out = 0;
    for (int64_t rank = 0; rank < ranks; ++rank) out += value(rank, column);
    for (int i = 1; i < times; ++i) out *= static_cast<float>(ranks);
    return out;
  };
}

}  // namespace

TEST_CASE("an allreduce without a signal: assigned, as a statement, returned") {
  CHECK(run("t = pld.tensor.allreduce(t, op=pld.ReduceOp.Sum)\n", 2, sums(2)) == "");
  CHECK(run("pld.tensor.allreduce(t, op=pld.ReduceOp.Sum, core_num=2)\n", 3, sums(3)) == "");
  CHECK(run("pld.tensor.allreduce(t, op=pld.ReduceOp.Sum, mode=\"ring\")\n", 4, sums(4)) == "");
  // Nothing can stand behind a return: the results are read from the windows by a loop before it, of the second sum.
  CHECK(run("t = pld.tensor.allreduce(t, op=pld.ReduceOp.Sum)\n", 2, sums(2), 0,
            std::string(kAfter) + "return pld.tensor.allreduce(t, op=pld.ReduceOp.Sum)\n") == "");
}

TEST_CASE("two allreduces without a signal, and both modes") {
  CHECK(run("t = pld.tensor.allreduce(t, op=pld.ReduceOp.Sum)\n"
            "t = pld.tensor.allreduce(t, op=pld.ReduceOp.Sum, core_num=3)\n",
            3, sums(3, 2)) == "");
  CHECK(run("t = pld.tensor.allreduce(t, op=pld.ReduceOp.Sum)\n"
            "t = pld.tensor.allreduce(t, op=pld.ReduceOp.Sum, mode=\"ring\")\n",
            4, sums(4, 2)) == "");
}

TEST_CASE("an allreduce without a signal in loops and branches") {
  const std::string loop = "for i in pl.range(n):\n    t = pld.tensor.allreduce(t, op=pld.ReduceOp.Sum)\n";
  CHECK(run(loop, 2, sums(2, 3), 3) == "");
  CHECK(run("for i in pl.range(2):\n    pld.tensor.allreduce(t, op=pld.ReduceOp.Sum, mode=\"ring\")\n", 3,
            sums(3, 2)) == "");
  const std::string branch =
      "if n > 2:\n    t = pld.tensor.allreduce(t, op=pld.ReduceOp.Sum)\n"
      "else:\n    t = pld.tensor.allreduce(t, op=pld.ReduceOp.Max)\n";
  CHECK(run(branch, 2, sums(2), 3) == "");
  CHECK(run(
            branch, 2, [](int64_t column) { return std::max(value(0, column), value(1, column)); }, 1) == "");
}

}  // namespace host_tests
