// SPDX-License-Identifier: Apache-2.0
// Host tensors of a HOST function: slices for each rank, branches, extents that arguments bind, checks before the
// start.
#include <catch2/catch.hpp>
#include <cstring>

#include "host_text.h"
#include "ranks/host.h"

namespace host_tests {
namespace {

using standin::ranks::host_argument;
using standin::ranks::host_scalar;
using standin::ranks::HostArgument;
using standin::ranks::HostResult;

using Shape = std::vector<int64_t>;

HostArgument floats_argument(const std::string& name, const Shape& shape, const std::vector<float>& values) {
  return host_argument(name, DataType::FLOAT32, shape, values);
}
std::vector<float> numbers(int64_t count, float from = 0) {
  std::vector<float> out;
  for (int64_t i = 0; i < count; ++i) out.push_back(from + static_cast<float>(i));
  return out;
}

// Builds and runs; nothing when tensor `y` is `due` afterwards in every schedule.
std::string run(const HostText& text, int ranks, const std::vector<HostArgument>& arguments,
                const std::vector<float>& due) {
  const Tree tree(text.text());
  if (!tree.error().empty()) return tree.error();
  return standin::ranks::run_host_tree(tree.folder(), ranks, arguments, 4, [&](const HostResult& result) {
    std::vector<float> y(due.size());
    if (result.tensors.at("y").size() != due.size() * sizeof(float)) return std::string("another size");
    std::memcpy(y.data(), result.tensors.at("y").data(), y.size() * sizeof(float));
    for (size_t i = 0; i < y.size(); ++i) {
      if (y[i] != due[i]) return "element " + std::to_string(i) + " is " + std::to_string(y[i]);
    }
    return std::string();
  });
}

std::string start_error(const HostText& text, int ranks, const std::vector<HostArgument>& arguments) {
  const Tree tree(text.text());
  if (!tree.error().empty()) return tree.error();
  const standin::ranks::HostRecord record = standin::ranks::record_host(tree.folder(), ranks, arguments);
  return record.error;
}

constexpr const char* kWindow =
    "buf = pld.alloc_window_buffer([2, 12], dtype=pl.FP32)\nw = pld.window(buf, [2, 12], dtype=pl.FP32)\n";

}  // namespace

// Rows of x go in and columns of y come out: the second slice has gaps, and the ranks' slices interleave.
TEST_CASE("each rank gets its slice of a host tensor, with gaps too") {
  HostText text;
  text.parameters = "x: pl.Tensor[[NR, 2, 12], pl.FP32], y: pl.Out[pl.Tensor[[2, NR, 12], pl.FP32]]";
  text.body = std::string(kWindow) +
              "for r in pl.range(pld.world_size()):\n"
              "    xr = pl.tensor.slice(x, [1, 2, 12], [r, 0, 0], [], [0])\n"
              "    self.put_fp32(xr, w, device=r)\n"
              "for r in pl.range(pld.world_size()):\n"
              "    yr = pl.tensor.slice(y, [2, 1, 12], [0, r, 0], [], [1])\n"
              "    self.get_fp32(w, yr, device=r)\n";
  for (int64_t ranks : {2, 3}) {
    const std::vector<float> x = numbers(ranks * 24);
    std::vector<float> due(x.size());
    for (int64_t r = 0; r < ranks; ++r) {
      for (int64_t i = 0; i < 24; ++i)
        due[static_cast<size_t>((i / 12 * ranks + r) * 12 + i % 12)] = x[static_cast<size_t>(r * 24 + i)];
    }
    CHECK(run(text, static_cast<int>(ranks),
              {floats_argument("x", {ranks, 2, 12}, x),
               floats_argument("y", {2, ranks, 12}, std::vector<float>(x.size()))},
              due) == "");
  }
}

// What the other tests of this file would miss if they compared nothing.
TEST_CASE("a host_orch.py that is wrong is noticed") {
  HostText text;
  text.parameters = "x: pl.Tensor[[NR, 2, 12], pl.FP32], y: pl.Out[pl.Tensor[[NR, 2, 12], pl.FP32]]";
  text.body = std::string(kWindow) +
              "for r in pl.range(pld.world_size()):\n"
              "    xr = pl.tensor.slice(x, [1, 2, 12], [r, 0, 0], [], [0])\n"
              "    self.put_fp32(xr, w, device=r)\n"
              "    yr = pl.tensor.slice(y, [1, 2, 12], [r, 0, 0], [], [0])\n"
              "    self.get_fp32(w, yr, device=r)\n";
  const std::vector<float> x = numbers(48);
  const auto result = [&](const std::string& from, const std::string& to) {
    Tree tree(text.text());
    REQUIRE(tree.error() == "");
    REQUIRE(tree.replace(from, to) > 0);
    return standin::ranks::run_host_tree(
        tree.folder(), 2,
        {floats_argument("x", {2, 2, 12}, x), floats_argument("y", {2, 2, 12}, std::vector<float>(48))}, 20,
        [&](const HostResult& r) {
          return std::memcmp(r.tensors.at("y").data(), x.data(), x.size() * sizeof(float)) == 0 ? "" : "wrong";
        });
  };
  CHECK(result("tensors[\"x\"][r]", "tensors[\"x\"][r]") == "");
  CHECK(result("tensors[\"x\"][r]", "tensors[\"x\"][0]") != "");  // another rank's slice
  CHECK(result("comm_d0[r].buffers", "comm_d0[0].buffers").find("worker") != std::string::npos);  // its window
  CHECK(result("worker=r", "worker=0") != "");
  CHECK(result("TensorArgType.INOUT", "TensorArgType.INPUT") != "");  // the token no longer orders
}

TEST_CASE("a slice with gaps as input") {
  HostText text;
  text.parameters = "x: pl.Tensor[[2, 36], pl.FP32], y: pl.Out[pl.Tensor[[3, 2, 12], pl.FP32]]";
  text.body = std::string(kWindow) +
              "for r in pl.range(3):\n"
              "    xr = pl.tensor.slice(x, [2, 12], [0, r * 12])\n"
              "    self.put_fp32(xr, w, device=r)\n"
              "    yr = pl.tensor.slice(y, [1, 2, 12], [r, 0, 0], [], [0])\n"
              "    self.get_fp32(w, yr, device=r)\n";
  const std::vector<float> x = numbers(72);
  std::vector<float> due;
  for (size_t r = 0; r < 3; ++r) {
    for (size_t i = 0; i < 24; ++i) due.push_back(x[i / 12 * 36 + r * 12 + i % 12]);
  }
  CHECK(run(text, 3, {floats_argument("x", {2, 36}, x), floats_argument("y", {3, 2, 12}, std::vector<float>(72))},
            due) == "");
}

TEST_CASE("branches that give a tensor different values") {
  HostText text;
  text.parameters =
      "a: pl.Tensor[[2, 12], pl.FP32], b: pl.Tensor[[4, 12], pl.FP32], y: pl.Out[pl.Tensor[[2, 12], pl.FP32]], "
      "n: pl.Scalar[pl.INDEX]";
  text.body = std::string(kWindow) +
              "if n > 2:\n    t = pl.tensor.slice(a, [2, 12], [0, 0])\n"
              "else:\n    t = pl.tensor.slice(b, [2, 12], [n, 0])\n"
              "self.put_fp32(t, w, device=0)\nself.get_fp32(w, y, device=0)\n";
  const std::vector<float> a = numbers(24);
  const std::vector<float> b = numbers(48, 100);
  const auto arguments = [&](int64_t n) {
    return std::vector<HostArgument>{floats_argument("a", {2, 12}, a), floats_argument("b", {4, 12}, b),
                                     floats_argument("y", {2, 12}, std::vector<float>(24)), host_scalar("n", n)};
  };
  CHECK(run(text, 1, arguments(3), a) == "");
  for (int64_t n : {0, 2}) CHECK(run(text, 1, arguments(n), {b.begin() + n * 12, b.begin() + n * 12 + 24}) == "");
}

TEST_CASE("a loop that carries a tensor") {
  HostText text;
  text.parameters =
      "a: pl.Tensor[[2, 12], pl.FP32], b: pl.Tensor[[2, 12], pl.FP32], y: pl.Out[pl.Tensor[[2, 12], pl.FP32]], "
      "n: pl.Scalar[pl.INDEX]";
  text.body = std::string(kWindow) +
              "s = a\nt = b\nfor i in pl.range(n):\n    u = s\n    s = t\n    t = u\n"
              "self.put_fp32(s, w, device=0)\nself.get_fp32(w, y, device=0)\n";
  const std::vector<float> a = numbers(24);
  const std::vector<float> b = numbers(24, 100);
  for (int64_t n : {1, 2}) {
    CHECK(run(text, 1,
              {floats_argument("a", {2, 12}, a), floats_argument("b", {2, 12}, b),
               floats_argument("y", {2, 12}, std::vector<float>(24)), host_scalar("n", n)},
              n % 2 == 0 ? a : b) == "");
  }
}

TEST_CASE("extents that arguments bind, and an allreduce over them") {
  HostText text;
  text.parameters = "x: pl.Tensor[[NR, 1, 4 * N], pl.FP32], y: pl.Out[pl.Tensor[[NR, 1, 4 * N], pl.FP32]]";
  text.body =
      "buf = pld.alloc_window_buffer([1, 4 * N], dtype=pl.FP32)\nw = pld.window(buf, [1, 4 * N], dtype=pl.FP32)\n"
      "for r in pl.range(pld.world_size()):\n"
      "    xr = pl.tensor.slice(x, [1, 1, 4 * N], [r, 0, 0], [], [0])\n"
      "    self.put_fp32(xr, w, device=r)\n"
      "w = pld.tensor.allreduce(w, op=pld.ReduceOp.Sum, core_num=2)\n"
      "for r in pl.range(pld.world_size()):\n"
      "    yr = pl.tensor.slice(y, [1, 1, 4 * N], [r, 0, 0], [], [0])\n"
      "    self.get_fp32(w, yr, device=r)\n";
  for (int64_t n : {1, 64}) {
    const std::vector<float> x = numbers(2 * 4 * n);
    std::vector<float> due;
    for (size_t i = 0; i < x.size(); ++i) due.push_back(x[i] + x[(i + x.size() / 2) % x.size()]);
    CHECK(
        run(text, 2,
            {floats_argument("x", {2, 1, 4 * n}, x), floats_argument("y", {2, 1, 4 * n}, std::vector<float>(x.size()))},
            due) == "");
  }
  CHECK(start_error(text, 2,
                    {floats_argument("x", {2, 1, 6}, numbers(12)), floats_argument("y", {2, 1, 6}, numbers(12))}) ==
        "ValueError: extent 2 of `x` is 6, which has no whole number for `N`");
}

}  // namespace host_tests
