// SPDX-License-Identifier: Apache-2.0
// Many communication domains. Each was a `with` of its own, of which Python nests 20 together with the loops in them:
// programs with more were refused although the runtime takes them.
#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <sstream>

#include "host_text.h"
#include "ranks/host.h"

namespace host_tests {
namespace {

using standin::ranks::host_argument;
using standin::ranks::HostArgument;
using standin::ranks::HostRecord;
using standin::ranks::HostResult;

constexpr int kDevices = 5;

// One domain for each set of devices up to `sets`, a set being the bits of its number. What all devices put into their
// windows comes back when everything has been put, from within `loops` loops of one iteration.
std::string body(int sets, int loops) {
  std::string out;
  auto each = [&](const std::string& call, int indent) {
    std::string lines;
    for (int set = 1; set <= sets; ++set) {
      for (int device = 0; device < kDevices; ++device) {
        if ((set >> device & 1) == 0) continue;
        const std::string window = "w" + std::to_string(set);
        const std::string block = "[" + std::to_string(set) + ", " + std::to_string(device) + "]";
        lines += "self." + call + "(" + (call == "put_fp32" ? "x" + block + ", " + window : window + ", y" + block) +
                 ", device=" + std::to_string(device) + ")\n";
      }
    }
    return indented(lines, indent);
  };
  for (int set = 1; set <= sets; ++set) {
    const std::string number = std::to_string(set);
    out += "b" + number + " = pld.alloc_window_buffer([1, 4], dtype=pl.FP32)\n";
    out += "w" + number + " = pld.window(b" + number + ", [1, 4], dtype=pl.FP32)\n";
  }
  out += each("put_fp32", 0);
  for (int loop = 0; loop < loops; ++loop)
    out += indented("for i" + std::to_string(loop) + " in pl.range(n):\n", 4 * loop);
  return out + each("get_fp32", 4 * loops);
}

HostText program(int sets, int loops) {
  HostText text;
  text.parameters =
      "x: pl.Tensor[[31, 5, 1, 4], pl.FP32], y: pl.InOut[pl.Tensor[[31, 5, 1, 4], pl.FP32]], n: pl.Scalar[pl.INDEX]";
  text.body = body(sets, loops);
  return text;
}

std::string host_orch(const Tree& tree) {
  std::stringstream out;
  out << std::ifstream(tree.folder() / "orchestration/host_orch.py").rdbuf();
  return out.str();
}

size_t count(const std::string& text, const std::string& what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

// Runs it; the first problem.
std::string moved(const Tree& tree, int sets) {
  std::vector<float> x(size_t{31} * kDevices * 4);
  std::vector<float> expected(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i + 1);
    const int set = static_cast<int>(i) / (kDevices * 4);
    const int device = static_cast<int>(i) / 4 % kDevices;
    if (set >= 1 && set <= sets && (set >> device & 1) != 0) expected[i] = x[i];
  }
  const std::vector<int64_t> shape = {31, kDevices, 1, 4};
  const std::vector<HostArgument> arguments = {
      host_argument("x", DataType::FLOAT32, shape, x),
      host_argument("y", DataType::FLOAT32, shape, std::vector<float>(x.size())), standin::ranks::host_scalar("n", 1)};
  return standin::ranks::run_host_tree(tree.folder(), kDevices, arguments, 3, [&](const HostResult& result) {
    const auto& found = result.tensors.at("y");
    const bool same = std::memcmp(found.data(), expected.data(), found.size()) == 0;
    return std::string(same ? "" : "another block than was put");
  });
}

}  // namespace

TEST_CASE("30 domains and 19 loops in each other") {
  const Tree tree(program(30, 19).text());
  REQUIRE(tree.error() == "");
  const std::string text = host_orch(tree);
  CHECK(count(text, "    with contextlib.ExitStack() as domains:\n") == 1);
  CHECK(count(text, " = domains.enter_context((_domain_provider or orch.allocate_domain)(\n") == 30);
  CHECK(count(text, "with ") == 1);
  CHECK(moved(tree, 30) == "");
}

TEST_CASE("a few domains are a `with` each unless the loops in them leave no room") {
  const Tree few(program(4, 16).text());
  REQUIRE(few.error() == "");
  CHECK(count(host_orch(few), "with (_domain_provider or orch.allocate_domain)(\n") == 4);
  CHECK(count(host_orch(few), "contextlib") == 0);
  CHECK(moved(few, 4) == "");
  const Tree deep(program(4, 17).text());
  REQUIRE(deep.error() == "");
  CHECK(count(host_orch(deep), "with contextlib.ExitStack() as domains:\n") == 1);
  CHECK(moved(deep, 4) == "");
  const Tree one(program(1, 19).text());
  REQUIRE(one.error() == "");
  CHECK(moved(one, 1) == "");
  CHECK(Tree(program(4, 20).text()).error().find("[E0682]") != std::string::npos);
}

}  // namespace host_tests
