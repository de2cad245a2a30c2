// SPDX-License-Identifier: Apache-2.0
// The ordering token: dispatches of one rank that share nothing but windows stay in program order.
#include <catch2/catch.hpp>
#include <cstring>

#include "host_text.h"
#include "ranks/host.h"

namespace host_tests {
namespace {

using standin::ranks::HostArgument;
using standin::ranks::HostProgram;
using standin::ranks::HostRecord;
using standin::ranks::HostResult;

constexpr int64_t kColumns = 40;

std::vector<float> rows(int64_t count, float from) {
  std::vector<float> out;
  for (int64_t i = 0; i < count * kColumns; ++i) out.push_back(from + static_cast<float>(i % 37));
  return out;
}

std::vector<float> floats(const HostResult& result, const std::string& name) {
  std::vector<float> out(result.tensors.at(name).size() / sizeof(float));
  std::memcpy(out.data(), result.tensors.at(name).data(), out.size() * sizeof(float));
  return out;
}

// What becomes of a record's dispatches; the number of the first schedule that fails, or 0.
int first_failure(const HostRecord& record, int schedules, const std::function<std::string(const HostResult&)>& check) {
  const HostProgram program(record);
  REQUIRE(program.error() == "");
  for (int i = 1; i <= schedules; ++i) {
    const HostResult result = program.run(static_cast<uint64_t>(i));
    if (!result.wrong.empty() || !check(result).empty()) return i;
  }
  return 0;
}

bool is_order_token(const HostRecord& record, const standin::ranks::HostTensorArg& tensor) {
  if (tensor.window || tensor.dtype != DataType::INT32 || tensor.shape != std::vector<uint32_t>{1}) return false;
  for (const auto& [name, storage] : record.arguments) {
    if (storage == tensor.storage) return false;
  }
  return true;
}

HostRecord without_tokens(HostRecord record) {
  int dropped = 0;
  for (auto& dispatch : record.dispatches) {
    if (dispatch.tensors.empty() || !is_order_token(record, dispatch.tensors.back())) continue;
    dispatch.tensors.pop_back();
    ++dropped;
  }
  REQUIRE(dropped > 0);
  return record;
}

// One rank, one window, three dispatches: put a, put b over it, copy out.
constexpr const char* kThree =
    "buf = pld.alloc_window_buffer([1, 40], dtype=pl.FP32)\nw = pld.window(buf, [1, 40], dtype=pl.FP32)\n"
    "self.put_fp32(a, w, device=0)\nself.put_fp32(b, w, device=0)\nself.get_fp32(w, y, device=0)\n";
constexpr const char* kThreeParameters =
    "a: pl.Tensor[[1, 40], pl.FP32], b: pl.Tensor[[1, 40], pl.FP32], y: pl.Out[pl.Tensor[[1, 40], pl.FP32]]";

// Windows on {0, 1}, {1, 2} and {0, 2}: each rank lies in two of the three domains, and sums go round them.
constexpr const char* kOverlap =
    "d = pld.alloc_window_buffer([1, 40], dtype=pl.FP32)\ne = pld.alloc_window_buffer([1, 40], dtype=pl.FP32)\n"
    "f = pld.alloc_window_buffer([1, 40], dtype=pl.FP32)\n"
    "p = pld.window(d, [1, 40], dtype=pl.FP32)\nq = pld.window(e, [1, 40], dtype=pl.FP32)\n"
    "s = pld.window(f, [1, 40], dtype=pl.FP32)\n"
    "x0 = pl.tensor.slice(x, [1, 1, 40], [0, 0, 0], [], [0])\nx1 = pl.tensor.slice(x, [1, 1, 40], [1, 0, 0], [], [0])\n"
    "x2 = pl.tensor.slice(x, [1, 1, 40], [2, 0, 0], [], [0])\n"
    "self.put_fp32(x0, p, device=0)\nself.put_fp32(x1, p, device=1)\n"
    "p = pld.tensor.allreduce(p, op=pld.ReduceOp.Sum)\n"
    "self.between(p, t1, q, device=1)\nself.put_fp32(x2, q, device=2)\n"
    "q = pld.tensor.allreduce(q, op=pld.ReduceOp.Sum)\n"
    "self.between(q, t2, s, device=2)\nself.put_fp32(x0, s, device=0)\n"
    "s = pld.tensor.allreduce(s, op=pld.ReduceOp.Sum)\n"
    "self.get_fp32(s, y, device=0)\nself.get_fp32(s, z, device=2)\n";
constexpr const char* kOverlapParameters =
    "x: pl.Tensor[[3, 1, 40], pl.FP32], t1: pl.InOut[pl.Tensor[[1, 40], pl.FP32]], "
    "t2: pl.InOut[pl.Tensor[[1, 40], pl.FP32]], y: pl.Out[pl.Tensor[[1, 40], pl.FP32]], "
    "z: pl.Out[pl.Tensor[[1, 40], pl.FP32]]";
// Copies a window of one domain into one of another.
constexpr const char* kBetween =
    "@pl.function(type=pl.FunctionType.Orchestration)\n"
    "def between(self, a: pld.DistributedTensor[[R, C], pl.FP32], t: pl.InOut[pl.Tensor[[R, C], pl.FP32]], "
    "b: pl.Out[pld.DistributedTensor[[R, C], pl.FP32]]):\n"
    "    t = self.get_fp32_kernel(a, t)\n    b = self.put_fp32_kernel(t, b)\n";

}  // namespace

TEST_CASE("three dispatches of one rank that share a window run in program order") {
  HostText text;
  text.parameters = kThreeParameters;
  text.body = kThree;
  Tree tree(text.text());
  REQUIRE(tree.error() == "");
  const std::vector<float> a = rows(1, 0);
  const std::vector<float> b = rows(1, 100);
  const std::vector<HostArgument> arguments = {
      standin::ranks::host_argument("a", DataType::FLOAT32, {1, kColumns}, a),
      standin::ranks::host_argument("b", DataType::FLOAT32, {1, kColumns}, b),
      standin::ranks::host_argument("y", DataType::FLOAT32, {1, kColumns}, std::vector<float>(a.size()))};
  const HostRecord record = standin::ranks::record_host(tree.folder(), 1, arguments);
  REQUIRE(record.error == "");
  const auto check = [&](const HostResult& result) { return floats(result, "y") == b ? "" : "another order"; };
  CHECK(first_failure(record, 40, check) == 0);
  // Without the token something is found soon: nothing else orders them.
  REQUIRE(tree.drop_lines("add_tensor(make_tensor_arg(orch._worker, tensors[\"__order\"][0])") == 3);
  const HostRecord broken = standin::ranks::record_host(tree.folder(), 1, arguments);
  REQUIRE(broken.error == "");
  const int found = first_failure(broken, 200, check);
  CHECK(found > 0);
}

// They share no operand, so that only the token keeps two devices from running them in different orders, each waiting
// in one for a rank that waits in the other.
TEST_CASE("two collectives with nothing in common keep their source order on every device") {
  for (const bool subset : {false, true}) {
    HostText text;
    text.parameters = "x: pl.Tensor[[3, 1, 40], pl.FP32], y: pl.Out[pl.Tensor[[3, 1, 40], pl.FP32]]";
    const std::string each = subset ? "for r in pl.range(3):\n" : "for r in pl.range(pld.world_size()):\n";
    text.body =
        "d = pld.alloc_window_buffer([1, 40], dtype=pl.FP32)\ne = pld.alloc_window_buffer([1, 40], dtype=pl.FP32)\n"
        "p = pld.window(d, [1, 40], dtype=pl.FP32)\nq = pld.window(e, [1, 40], dtype=pl.FP32)\n" +
        each +
        "    xr = pl.tensor.slice(x, [1, 1, 40], [r, 0, 0], [], [0])\n    self.put_fp32(xr, p, device=r)\n"
        "    self.put_fp32(xr, q, device=r)\n"
        "q = pld.tensor.allreduce(q, op=pld.ReduceOp.Max)\np = pld.tensor.allreduce(p, op=pld.ReduceOp.Sum)\n" +
        each + "    yr = pl.tensor.slice(y, [1, 1, 40], [r, 0, 0], [], [0])\n    self.get_fp32(p, yr, device=r)\n";
    const Tree tree(text.text());
    REQUIRE(tree.error() == "");
    const std::vector<float> x = rows(3, 1);
    const HostRecord record = standin::ranks::record_host(
        tree.folder(), 3,
        {standin::ranks::host_argument("x", DataType::FLOAT32, {3, 1, kColumns}, x),
         standin::ranks::host_argument("y", DataType::FLOAT32, {3, 1, kColumns}, std::vector<float>(x.size()))});
    REQUIRE(record.error == "");
    for (int worker = 0; worker < 3; ++worker) {
      std::string order;
      for (const auto& dispatch : record.dispatches) {
        if (dispatch.worker != worker) continue;
        order += dispatch.callable + ' ';
        REQUIRE(!dispatch.tensors.empty());
        CHECK(is_order_token(record, dispatch.tensors.back()));
        CHECK(dispatch.tensors.back().tag == TensorArgType::INOUT);
      }
      CHECK(order ==
            "put_fp32 put_fp32 builtin.tensor.allreduce__max__fp32 builtin.tensor.allreduce__sum__fp32 get_fp32 ");
    }
    std::vector<float> due;
    for (size_t i = 0; i < x.size(); ++i)
      due.push_back(x[i % kColumns] + x[i % kColumns + kColumns] + x[i % kColumns + 2 * kColumns]);
    const auto check = [&](const HostResult& result) { return floats(result, "y") == due ? "" : "another sum"; };
    CHECK(first_failure(record, 40, check) == 0);
    CHECK(first_failure(without_tokens(record), 200, check) > 0);
  }
}

TEST_CASE("collectives on overlapping domains {0, 1}, {1, 2}, {0, 2} keep the order of each rank") {
  HostText text;
  text.functions = kBetween;
  text.parameters = kOverlapParameters;
  text.body = kOverlap;
  const Tree tree(text.text());
  REQUIRE(tree.error() == "");
  const std::vector<float> x = rows(3, 1);
  const std::vector<float> none(kColumns);
  const std::vector<HostArgument> arguments = {
      standin::ranks::host_argument("x", DataType::FLOAT32, {3, 1, kColumns}, x),
      standin::ranks::host_argument("t1", DataType::FLOAT32, {1, kColumns}, none),
      standin::ranks::host_argument("t2", DataType::FLOAT32, {1, kColumns}, none),
      standin::ranks::host_argument("y", DataType::FLOAT32, {1, kColumns}, none),
      standin::ranks::host_argument("z", DataType::FLOAT32, {1, kColumns}, none)};
  const HostRecord record = standin::ranks::record_host(tree.folder(), 3, arguments);
  REQUIRE(record.error == "");
  REQUIRE(record.domains.size() == 3);
  CHECK(record.domains[0].workers == std::vector<int>{0, 1});
  CHECK(record.domains[1].workers == std::vector<int>{1, 2});
  CHECK(record.domains[2].workers == std::vector<int>{0, 2});
  const auto check = [&](const HostResult& result) -> std::string {
    std::vector<float> due;
    for (size_t i = 0; i < kColumns; ++i) due.push_back(2 * x[i] + x[i + kColumns] + x[i + 2 * kColumns]);
    return floats(result, "y") == due && floats(result, "z") == due ? "" : "another sum";
  };
  CHECK(first_failure(record, 60, check) == 0);
  CHECK(first_failure(without_tokens(record), 200, check) > 0);
}

}  // namespace host_tests
