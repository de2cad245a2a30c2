// SPDX-License-Identifier: Apache-2.0
// What only a run shows is checked by host_orch.py before it allocates or dispatches anything.
#include <catch2/catch.hpp>

#include "host_text.h"
#include "ranks/host.h"

namespace host_tests {
namespace {

using standin::ranks::host_argument;
using standin::ranks::host_scalar;
using standin::ranks::HostArgument;
using standin::ranks::HostRecord;

HostArgument zeros(const std::string& name, const std::vector<int64_t>& shape) {
  size_t count = 1;
  for (int64_t extent : shape) count *= static_cast<size_t>(extent);
  return host_argument(name, DataType::FLOAT32, shape, std::vector<float>(count));
}

// What the program says when it is started on so many devices: an error, or the number of its dispatches.
class Program {
 public:
  Program(const std::string& parameters, const std::string& body) {
    HostText text;
    text.parameters = parameters;
    text.body = body;
    tree_ = std::make_unique<Tree>(text.text());
    REQUIRE(tree_->error() == "");
  }
  std::string start(int devices, const std::vector<HostArgument>& arguments) const {
    const HostRecord record = standin::ranks::record_host(tree_->folder(), devices, arguments);
    if (record.error.empty()) return std::to_string(record.dispatches.size());
    CHECK(record.dispatches.empty());
    return record.error;
  }

 private:
  std::unique_ptr<Tree> tree_;
};

constexpr const char* kParameters = "x: pl.Tensor[[NR, 4, 8], pl.FP32], n: pl.Scalar[pl.INDEX]";

std::vector<HostArgument> arguments(int64_t ranks, int64_t n = 0, int64_t rows = 4) {
  return {zeros("x", {ranks, rows, 8}), host_scalar("n", n)};
}

std::string windows(const std::string& signal, const std::string& rows = "4") {
  return "tb = pld.alloc_window_buffer([" + rows + ", 8], dtype=pl.FP32)\nt = pld.window(tb, [" + rows +
         ", 8], dtype=pl.FP32)\nsb = pld.alloc_window_buffer(" + signal + ", dtype=pl.INT32)\ns = pld.window(sb, " +
         signal +
         ", dtype=pl.INT32)\nfor r in pl.range(pld.world_size()):\n"
         "    xr = pl.tensor.slice(x, [1, 4, 8], [r, 0, 0], [], [0])\n    self.put_fp32(xr, t, device=r)\n";
}

}  // namespace

TEST_CASE("root is a rank of the devices that the program is started on") {
  const Program program(kParameters, windows("[8]") + "t = pld.tensor.broadcast(t, s, root=2)\n");
  CHECK(program.start(3, arguments(3)) == "6");
  CHECK(program.start(2, arguments(2)) ==
        "ValueError: `pld.tensor.broadcast`: `root` is 2, but the domain has 2 ranks");
}

TEST_CASE("a signal and a target have rows for the devices") {
  const Program program(kParameters, windows("[3]") + "t = pld.tensor.reduce_scatter(t, s, op=pld.ReduceOp.Sum)\n");
  CHECK(program.start(3, arguments(3)) == "6");
  CHECK(program.start(4, arguments(4)) ==
        "ValueError: `pld.tensor.reduce_scatter`: `signal` `s` has 3 rows, and 4 ranks need 4");
  CHECK(program.start(5, arguments(5)) ==
        "ValueError: `pld.tensor.reduce_scatter`: `target` `t` has 4 rows, and 5 ranks need 5");
  const Program ring(kParameters,
                     windows("[5, 3]") + "t = pld.tensor.allreduce(t, s, op=pld.ReduceOp.Sum, mode=\"ring\")\n");
  CHECK(ring.start(3, arguments(3)) == "6");
  CHECK(ring.start(4, arguments(4)) ==
        "ValueError: `pld.tensor.allreduce`: `signal` `s` has 5 rows, and 4 ranks need 7");
}

TEST_CASE("all_to_all_v: rows, counts and blocks that only a run shows") {
  const Program program(
      "x: pl.Tensor[[NR, 4, 8], pl.FP32], n: pl.Scalar[pl.INDEX], m: pl.Scalar[pl.INDEX]",
      windows("[4, 6]", "m") +
          "ib = pld.alloc_window_buffer([m, 8], dtype=pl.FP32)\ni = pld.window(ib, [m, 8], dtype=pl.FP32)\n"
          "cb = pld.alloc_window_buffer([4], dtype=pl.INT32)\nc = pld.window(cb, [4], dtype=pl.INT32)\n"
          "rb = pld.alloc_window_buffer([4, 1], dtype=pl.INT32)\nq = pld.window(rb, [4, 1], dtype=pl.INT32)\n"
          "t = pld.tensor.all_to_all_v(i, t, s, c, q, n)\n");
  const auto start = [&](int devices, int64_t n, int64_t m) {
    std::vector<HostArgument> all = arguments(devices, n);
    all.push_back(host_scalar("m", m));
    return program.start(devices, all);
  };
  CHECK(start(4, 4, 8) == "8");
  CHECK(start(4, 7, 8) == "8");  // four blocks
  CHECK(
      start(3, 1, 8) ==
      "ValueError: `pld.tensor.all_to_all_v`: `signal` `s` has 4 rows, one for each rank, but the domain has 3 ranks");
  CHECK(start(4, 1, 10) ==
        "ValueError: `pld.tensor.all_to_all_v`: `target` `t` has 10 rows, which 4 ranks do not divide");
  CHECK(start(4, 0, 8) ==
        "ValueError: `pld.tensor.all_to_all_v`: `core_num` is 0, which is not in the range from 1 to 2147483647");
  CHECK(
      start(4, 8, 8) ==
      "ValueError: `pld.tensor.all_to_all_v`: `core_num` is 8, which asks for more blocks than the 6 cells in a row of "
      "`signal` `s`");
}

TEST_CASE("tensors have the shapes that the program declares, and slices lie inside") {
  const Program program(kParameters, windows("[8]") + "t = pld.tensor.broadcast(t, s, root=0)\n");
  CHECK(program.start(2, arguments(3)) == "4");
  CHECK(program.start(3, arguments(2)) == "ValueError: slice of `x` ends at 3 on axis 0, which has 2 elements");
  CHECK(program.start(2, arguments(2, 0, 5)) == "ValueError: `x` has shape [2, 5, 8], and [2, 4, 8] is due");
}

TEST_CASE("a program runs on the devices that its windows lie on") {
  const Program some("x: pl.Tensor[[4, 8], pl.FP32]",
                     "b = pld.alloc_window_buffer([4, 8], dtype=pl.FP32)\nw = pld.window(b, [4, 8], dtype=pl.FP32)\n"
                     "self.put_fp32(x, w, device=2)\n");
  CHECK(some.start(3, {zeros("x", {4, 8})}) == "1");
  CHECK(some.start(2, {zeros("x", {4, 8})}) ==
        "ValueError: window `b` lies on device 2, and the program runs on 2 devices");
  const Program every(kParameters, windows("[65]") + "t = pld.tensor.broadcast(t, s, root=0)\n");
  CHECK(every.start(64, arguments(64)) == "128");
  CHECK(every.start(65, arguments(65)) ==
        "ValueError: window `tb` lies on every device, at most 64 can share a window, and the program runs on 65");
}

TEST_CASE("a check in a branch or loop counts only where it runs") {
  const Program program(kParameters, windows("[8]") +
                                         "for i in pl.range(n):\n    if i > 1:\n"
                                         "        t = pld.tensor.broadcast(t, s, root=2)\n");
  CHECK(program.start(2, arguments(2, 2)) == "2");
  CHECK(program.start(2, arguments(2, 3)) ==
        "ValueError: `pld.tensor.broadcast`: `root` is 2, but the domain has 2 ranks");
}

}  // namespace host_tests
