// SPDX-License-Identifier: Apache-2.0
// Arithmetic of scalars on the host gives what a chip orchestration, in C++, gives: Python's own numbers have no width,
// so that a difference of UINT32 was negative there, and FP32 was computed in double precision.
#include <catch2/catch.hpp>
#include <cstring>
#include <limits>

#include "host_text.h"
#include "ranks/host.h"

namespace host_tests {
namespace {

using standin::ranks::host_argument;
using standin::ranks::HostArgument;
using standin::ranks::HostRecord;

template <class T>
HostArgument scalar(const char* name, DataType dtype, T value) {
  HostArgument argument = host_argument(name, dtype, {}, std::vector<T>{value});
  argument.scalar = true;
  return argument;
}

template <class T>
uint64_t bits(T value) {
  uint64_t out = 0;
  std::memcpy(&out, &value, sizeof value);
  return out;
}

struct Case {
  const char* type;
  const char* text;
  uint64_t expected;
};

std::string chips(const std::vector<Case>& cases) {
  std::string out;
  for (size_t i = 0; i < cases.size(); ++i)
    out += "@pl.function(type=pl.FunctionType.Orchestration)\ndef take" + std::to_string(i) +
           "(self, a: pl.Tensor[[R, C], pl.FP32], s: pl.Scalar[pl." + cases[i].type +
           "], b: pl.Out[pl.Tensor[[R, C], " + "pl.FP32]]):\n    if s > s:\n        b = self.copy(a, b)\n\n";
  return out;
}

}  // namespace

TEST_CASE("scalars of the host wrap and round like those of a chip") {
  const uint32_t u = 2;
  const uint32_t v = 4000000000;
  const uint64_t w = uint64_t{1} << 63;
  const uint8_t b = 200;
  const int8_t c = 100;
  const float f = 0.1F;
  const float g = 16777216.0F;
  const float h = 3e38F;
  const std::vector<Case> cases = {
      {"UINT32", "(u - v) // pl.const(2, pl.UINT32)", bits<uint32_t>((u - v) / 2)},
      {"UINT32", "(v + v) % pl.const(1000, pl.UINT32)", bits<uint32_t>((v + v) % 1000)},
      {"UINT32", "(v * v) >> pl.const(3, pl.UINT32)", bits<uint32_t>(v * v >> 3)},
      {"UINT32", "min(u - v, v)", bits<uint32_t>(std::min(u - v, v))},
      {"UINT64", "(w + w) // pl.const(3, pl.UINT64)", bits<uint64_t>((w + w) / 3)},
      {"UINT8", "(b + b) // pl.const(2, pl.UINT8)", bits<uint8_t>(static_cast<uint8_t>(b + b) / 2)},
      {"INT8", "max(c + c, pl.const(0, pl.INT8))", bits<int8_t>(std::max<int8_t>(static_cast<int8_t>(c + c), 0))},
      {"INT8", "(c * c) // pl.const(4, pl.INT8)", bits<int8_t>(static_cast<int8_t>(c * c) / 4)},
      {"FP32", "(f + g) - g", bits<float>((f + g) - g)},
      {"FP32", "f * f * f * 1000.0", bits<float>(f * f * f * 1000.0F)},
      {"FP32", "f / 3.0 * 3.0 - f", bits<float>(f / 3.0F * 3.0F - f)},
      {"FP32", "h * 10.0", bits<float>(h * 10.0F)},
      {"FP32", "pl.cast(n, pl.FP32) - g", bits<float>(static_cast<float>(16777217) - g)},
  };
  HostText text;
  text.functions =
      "@pl.function(type=pl.FunctionType.AIV, attrs={\"external_source\": \"copy.cpp\"})\n"
      "def copy(self, a: pl.Tensor[[R, C], pl.FP32], b: pl.Out[pl.Tensor[[R, C], pl.FP32]]) -> pl.Tensor[[R, C], "
      "pl.FP32]:\n    return b\n\n" +
      chips(cases);
  text.parameters =
      "x: pl.Tensor[[1, 4], pl.FP32], y: pl.InOut[pl.Tensor[[1, 4], pl.FP32]], u: pl.Scalar[pl.UINT32], "
      "v: pl.Scalar[pl.UINT32], w: pl.Scalar[pl.UINT64], b: pl.Scalar[pl.UINT8], c: pl.Scalar[pl.INT8], "
      "f: pl.Scalar[pl.FP32], g: pl.Scalar[pl.FP32], h: pl.Scalar[pl.FP32], n: pl.Scalar[pl.INT64]";
  for (size_t i = 0; i < cases.size(); ++i)
    text.body += "self.take" + std::to_string(i) + "(x, " + cases[i].text + ", y, device=0)\n";
  const Tree tree(text.text());
  REQUIRE(tree.error() == "");
  const HostRecord record = standin::ranks::record_host(
      tree.folder(), 1,
      {host_argument("x", DataType::FLOAT32, {1, 4}, std::vector<float>(4)),
       host_argument("y", DataType::FLOAT32, {1, 4}, std::vector<float>(4)), scalar("u", DataType::UINT32, u),
       scalar("v", DataType::UINT32, v), scalar("w", DataType::UINT64, w), scalar("b", DataType::UINT8, b),
       scalar("c", DataType::INT8, c), scalar("f", DataType::FLOAT32, f), scalar("g", DataType::FLOAT32, g),
       scalar("h", DataType::FLOAT32, h), standin::ranks::host_scalar("n", 16777217)});
  REQUIRE(record.error == "");
  REQUIRE(record.dispatches.size() == cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    INFO(cases[i].text);
    REQUIRE(record.dispatches[i].scalars.size() == 1);
    CHECK(record.dispatches[i].scalars[0].value == cases[i].expected);
  }
}

// What the chip computes itself is compared there with what the host passes: each chip program copies where they agree.
TEST_CASE("INT32 wraps on the host and on the chip") {
  const int32_t i = 2000000000;
  const int32_t j = 123456789;
  const int32_t k = std::numeric_limits<int32_t>::min();
  auto wrapped = [](int64_t value) { return bits<int32_t>(static_cast<int32_t>(value)); };
  const std::vector<Case> cases = {
      {"INT32", "i + i", wrapped(int64_t{i} + i)},
      {"INT32", "(i * j) // pl.const(10, pl.INT32)", wrapped(static_cast<int32_t>(int64_t{i} * j) / 10 - 0)},
      {"INT32", "k - j", wrapped(int64_t{k} - j)},
      {"INT32", "-k", wrapped(k)},
      {"INT32", "abs(k)", wrapped(k)},
      {"INT32", "k // (j - j - pl.const(1, pl.INT32))", wrapped(k)},
      {"INT32", "k % (j - j - pl.const(1, pl.INT32))", wrapped(0)},
      {"INT32", "j << pl.const(7, pl.INT32)", wrapped(int64_t{j} << 7)},
      {"INT32", "max(i + i, j)", wrapped(j)},
      {"INT32", "(j % pl.const(1000, pl.INT32)) * (j % pl.const(1000, pl.INT32)) + i", wrapped(789 * 789 + i)},
  };
  HostText text;
  text.functions =
      "@pl.function(type=pl.FunctionType.AIV, attrs={\"external_source\": \"copy.cpp\"})\n"
      "def copy(self, a: pl.Tensor[[R, C], pl.FP32], b: pl.Out[pl.Tensor[[R, C], pl.FP32]]) -> pl.Tensor[[R, C], "
      "pl.FP32]:\n    return b\n\n";
  text.parameters =
      "x: pl.Tensor[[1, 4], pl.FP32], y: pl.InOut[pl.Tensor[[10, 1, 4], pl.FP32]], i: pl.Scalar[pl.INT32], "
      "j: pl.Scalar[pl.INT32], k: pl.Scalar[pl.INT32]";
  for (size_t n = 0; n < cases.size(); ++n) {
    const std::string number = std::to_string(n);
    text.functions += "@pl.function(type=pl.FunctionType.Orchestration)\ndef take" + number +
                      "(self, a: pl.Tensor[[R, C], pl.FP32], s: pl.Scalar[pl.INT32], i: pl.Scalar[pl.INT32], j: "
                      "pl.Scalar[pl.INT32], k: pl.Scalar[pl.INT32], b: pl.InOut[pl.Tensor[[R, C], pl.FP32]]):\n"
                      "    if s == " +
                      cases[n].text + ":\n        b = self.copy(a, b)\n\n";
    text.body += "self.take" + number + "(x, " + cases[n].text + ", i, j, k, y[" + number + "], device=0)\n";
  }
  const Tree tree(text.text());
  REQUIRE(tree.error() == "");
  const std::vector<HostArgument> arguments = {
      host_argument("x", DataType::FLOAT32, {1, 4}, std::vector<float>(4, 1)),
      host_argument("y", DataType::FLOAT32, {10, 1, 4}, std::vector<float>(40)), scalar("i", DataType::INT32, i),
      scalar("j", DataType::INT32, j), scalar("k", DataType::INT32, k)};
  const HostRecord record = standin::ranks::record_host(tree.folder(), 1, arguments);
  REQUIRE(record.error == "");
  REQUIRE(record.dispatches.size() == cases.size());
  for (size_t n = 0; n < cases.size(); ++n) {
    INFO(cases[n].text);
    CHECK(record.dispatches[n].scalars[0].value == cases[n].expected);
  }
  CHECK(standin::ranks::run_host_tree(tree.folder(), 1, arguments, 1, [&](const standin::ranks::HostResult& result) {
          std::string wrong;
          for (size_t n = 0; n < cases.size(); ++n) {
            float first = 0;
            std::memcpy(&first, &result.tensors.at("y")[n * 4 * sizeof(float)], sizeof first);
            if (first != 1) wrong += std::string(cases[n].text) + " is another value on the chip\n";
          }
          return wrong;
        }) == "");
}

}  // namespace host_tests
