// SPDX-License-Identifier: Apache-2.0
// Host tensors that one dispatch reads or writes and a later one overwrites. The runtime orders neither by itself;
// before the compiler did, each of these programs ended with other values now and then.
#include <catch2/catch.hpp>
#include <cstring>

#include "host_text.h"
#include "ranks/host.h"

namespace host_tests {
namespace {

using standin::ranks::host_argument;
using standin::ranks::HostArgument;
using standin::ranks::HostResult;

constexpr int kSchedules = 40;

HostText text_of(const std::string& body) {
  HostText text;
  text.functions =
      "@pl.function(type=pl.FunctionType.AIV, attrs={\"external_source\": \"copy.cpp\"})\n"
      "def move_kernel(self, a: pl.Tensor[[R, C], pl.FP32], b: pl.Out[pl.Tensor[[R, C], pl.FP32]]) "
      "-> pl.Tensor[[R, C], pl.FP32]:\n    return b\n\n"
      "@pl.function(type=pl.FunctionType.Orchestration)\n"
      "def move(self, a: pl.Tensor[[R, C], pl.FP32], b: pl.Out[pl.Tensor[[R, C], pl.FP32]]):\n"
      "    b = self.move_kernel(a, b)\n";
  text.parameters = "x: pl.Tensor[[4, 2, 8], pl.FP32], y: pl.Out[pl.Tensor[[4, 2, 8], pl.FP32]]";
  text.body = body;
  return text;
}

// Blocks of y must be these of x, in every schedule; -1 is one that stays 0.
std::string run(const Tree& tree, const std::vector<int>& blocks) {
  if (!tree.error().empty()) return tree.error();
  std::vector<float> x;
  for (int i = 0; i < 64; ++i) x.push_back(static_cast<float>(i + 1));
  std::vector<float> due(64);
  for (size_t block = 0; block < blocks.size(); ++block)
    for (size_t i = 0; i < 16 && blocks[block] >= 0; ++i)
      due[block * 16 + i] = x[static_cast<size_t>(blocks[block]) * 16 + i];
  const std::vector<HostArgument> arguments = {
      host_argument("x", DataType::FLOAT32, {4, 2, 8}, x),
      host_argument("y", DataType::FLOAT32, {4, 2, 8}, std::vector<float>(64))};
  return standin::ranks::run_host_tree(tree.folder(), 2, arguments, kSchedules, [&](const HostResult& result) {
    return std::memcmp(result.tensors.at("y").data(), due.data(), 64 * sizeof(float)) == 0 ? "" : "other values";
  });
}

constexpr const char* kWindow =
    "buf = pld.alloc_window_buffer([2, 8], dtype=pl.FP32)\nw = pld.window(buf, [2, 8], dtype=pl.FP32)\n";

}  // namespace

TEST_CASE("a tensor that device 1 reads and device 0 overwrites, each time round") {
  const std::string body =
      "t = pl.create_tensor([2, 8], dtype=pl.FP32)\nfor i in pl.range(4):\n"
      "    self.move(x[i], t, device=0)\n    self.move(t, y[i], device=1)\n";
  CHECK(run(Tree(text_of(body).text()), {0, 1, 2, 3}) == "");
  // Every direction that was changed for it is needed.
  for (const char* declared : {"OUTPUT_EXISTING", "INPUT"}) {
    Tree broken(text_of(body).text());
    REQUIRE(broken.error() == "");
    REQUIRE(broken.replace("[\"t\"]), TensorArgType.INOUT", std::string("[\"t\"]), TensorArgType.") + declared) == 2);
    CHECK(run(broken, {0, 1, 2, 3}) != "");
  }
}

TEST_CASE("two results for one place: the later dispatch wins, on other devices and on the same") {
  CHECK(run(Tree(text_of("self.move(x[0], y[0], device=0)\nself.move(x[1], y[0], device=1)\n").text()),
            {1, -1, -1, -1}) == "");
  CHECK(run(Tree(text_of("self.move(x[0], y[0], device=0)\nself.move(x[1], y[0], device=0)\n").text()),
            {1, -1, -1, -1}) == "");
  CHECK(run(Tree(text_of("for i in pl.range(4):\n    self.move(x[i], y[2])\n").text()), {-1, -1, 3, -1}) == "");
}

TEST_CASE("windows order the dispatches of one rank, not those of two") {
  CHECK(run(Tree(text_of(kWindow + std::string("t = pl.create_tensor([2, 8], dtype=pl.FP32)\n"
                                               "self.put_fp32(x[0], w, device=0)\nself.get_fp32(w, t, device=0)\n"
                                               "self.put_fp32(t, w, device=1)\nself.put_fp32(x[1], w, device=0)\n"
                                               "self.get_fp32(w, t, device=0)\nself.get_fp32(w, y[1], device=1)\n"))
                     .text()),
            {-1, 0, -1, -1}) == "");
}

// Copies a to b, then b to c where that is a third tensor: what a holds is what was there before the dispatch, though b
// is the same tensor.
TEST_CASE("one tensor for two parameters of a dispatch: read by one, written by the other") {
  HostText text = text_of("self.move(x[0], y[0])\nself.turn(y[0], x[1], y[0], y[1])\n");
  text.functions +=
      "@pl.function(type=pl.FunctionType.Orchestration)\n"
      "def turn(self, a: pl.Tensor[[R, C], pl.FP32], x: pl.Tensor[[R, C], pl.FP32], b: pl.Out[pl.Tensor[[R, C], "
      "pl.FP32]], c: pl.Out[pl.Tensor[[R, C], pl.FP32]]):\n"
      "    b = self.move_kernel(x, b)\n    c = self.move_kernel(a, c)\n";
  CHECK(run(Tree(text.text()), {1, 0, -1, -1}) == "");
}

TEST_CASE("one tensor for two parameters that are written is refused") {
  HostText text = text_of("self.twice(x[0], x[1], y[0], y[0])\n");
  text.functions +=
      "@pl.function(type=pl.FunctionType.Orchestration)\n"
      "def twice(self, a: pl.Tensor[[R, C], pl.FP32], x: pl.Tensor[[R, C], pl.FP32], b: pl.Out[pl.Tensor[[R, C], "
      "pl.FP32]], c: pl.InOut[pl.Tensor[[R, C], pl.FP32]]):\n"
      "    c = self.move_kernel(x, c)\n    b = self.move_kernel(a, b)\n";
  CHECK(Tree(text.text()).error().find("[E0628]: the dispatch of `twice` writes one tensor as `b` and as `c`") !=
        std::string::npos);
  text.body = "self.twice(x[0], x[1], y[0], y[1])\n";
  CHECK(run(Tree(text.text()), {0, 1, -1, -1}) == "");
}

}  // namespace host_tests
