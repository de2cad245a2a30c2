// SPDX-License-Identifier: Apache-2.0
// The Python of SubWorkers, executed among dispatches: it gets mapped arguments, as the runtime makes them.
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

constexpr const char* kSubs = R"(
@pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)
def scaled(self, a: pl.Tensor[[R, C], pl.FP32], by: pl.Scalar[pl.FP32], b: pl.Out[pl.Tensor[[R, C], pl.FP32]], more: pl.Scalar[pl.INT32], on: pl.Scalar[pl.BOOL]):
    if on:
        b[...] = a * by + more

@pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)
def count(self, n: pl.InOut[pl.Tensor[[1], pl.INT32]]):
    n[0] = int(n[0]) + 1
)";

}  // namespace

// Before each step and after it: the SubWorker's tensors are ordered with what the chips read and write.
TEST_CASE("a SubWorker between dispatches, with scalars of each kind, and one that counts") {
  HostText text;
  text.functions = kSubs;
  text.parameters =
      "x: pl.Tensor[[2, 8], pl.FP32], y: pl.Out[pl.Tensor[[2, 8], pl.FP32]], n: pl.InOut[pl.Tensor[[1], pl.INT32]], "
      "by: pl.Scalar[pl.FP32], more: pl.Scalar[pl.INT32], on: pl.Scalar[pl.BOOL]";
  text.body =
      "buf = pld.alloc_window_buffer([2, 8], dtype=pl.FP32)\nw = pld.window(buf, [2, 8], dtype=pl.FP32)\n"
      "t = pl.create_tensor([2, 8], dtype=pl.FP32)\n"
      "for i in pl.range(3):\n"
      "    self.scaled(x, by, t, more, on)\n    self.put_fp32(t, w, device=0)\n    self.get_fp32(w, x, device=0)\n"
      "    self.count(n)\n"
      "self.scaled(x, 1.0, y, -1, True)\n";
  text.parameters.replace(0, std::strlen("x: pl.Tensor[[2, 8], pl.FP32]"), "x: pl.InOut[pl.Tensor[[2, 8], pl.FP32]]");
  const Tree tree(text.text());
  REQUIRE(tree.error() == "");
  for (const bool on : {true, false}) {
    std::vector<float> x;
    for (int i = 0; i < 16; ++i) x.push_back(static_cast<float>(i));
    std::vector<float> due;
    for (float value : x) {
      for (int i = 0; i < 3; ++i) value = on ? value * -0.5F - 3 : 0;
      due.push_back(value - 1);
    }
    HostArgument by = host_scalar("by", 0);
    const float half = -0.5F;
    by.dtype = DataType::FLOAT32;
    by.bytes.resize(sizeof half);
    std::memcpy(by.bytes.data(), &half, sizeof half);
    const std::vector<HostArgument> arguments = {host_argument("x", DataType::FLOAT32, {2, 8}, x),
                                                 host_argument("y", DataType::FLOAT32, {2, 8}, std::vector<float>(16)),
                                                 host_argument("n", DataType::INT32, {1}, std::vector<int32_t>{5}),
                                                 by,
                                                 host_scalar("more", -3),
                                                 host_scalar("on", on ? 1 : 0)};
    CHECK(standin::ranks::run_host_tree(tree.folder(), 1, arguments, 4, [&](const HostResult& result) -> std::string {
            int32_t n = 0;
            std::memcpy(&n, result.tensors.at("n").data(), sizeof n);
            if (n != 8) return "counted to " + std::to_string(n);
            return std::memcmp(result.tensors.at("y").data(), due.data(), 64) == 0 ? "" : "other values";
          }) == "");
  }
}

}  // namespace host_tests
