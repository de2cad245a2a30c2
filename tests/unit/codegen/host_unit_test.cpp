// SPDX-License-Identifier: Apache-2.0
// The Python of HOST functions, construct by construct.
#include <catch2/catch.hpp>

#include "host_sample.h"

namespace pyptoc::codegen {
namespace {

// The whole body that these statements give.
#define CHECK_BODY(statements, expected)    \
  do {                                      \
    HostSample sample;                      \
    emit_host_body(sample, statements);     \
    INFO(sample.messages());                \
    CHECK_FALSE(sample.diags.has_errors()); \
    CHECK(sample.body() == (expected));     \
  } while (false)

TEST_CASE("a host function without statements") {
  HostSample sample;
  emit_host_body(sample, "    pass\n");
  CHECK(sample.messages() == "");
  CHECK(sample.file("orchestration/host_orch.py") ==
        R"(from simpler.task_interface import CallConfig, CommBufferSpec, DataType, TaskArgs, TensorArgType

try:
    from pypto.runtime.tensor_arg import make_tensor_arg
except ImportError:
    from simpler_setup.torch_interop import make_tensor_arg


def _alloc_intermediates(tensors, world_size=1):
    pass


def main(orch, _args, config, *, tensors, callables, sub_ids, _keep, world_size, _domain_provider=None):
    pass


main._pypto_distributed_entry = True
)");
}

TEST_CASE("a dispatch for a device: tensors by the direction of the parameter, then scalars as bit patterns") {
  CHECK_BODY("    scaled(a, f, b, -1, device=2)\n", R"(    f = _f32(_plain(tensors["f"]))
    ta_0 = TaskArgs()
    ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["a"]), TensorArgType.INPUT)
    ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["b"]), TensorArgType.INOUT)
    ta_0.add_scalar(_f32_bits(f))
    ta_0.add_scalar(4294967295)
    _keep.append(ta_0)
    orch.submit_next_level(callables["scaled"], ta_0, config, worker=2)
)");
}

TEST_CASE("dispatches without a device take the chips in turn, SubWorkers take none") {
  CHECK_BODY("    chip(a, b)\n    look(a)\n    chip(a, b)\n", R"(    turns = itertools.count()
    ta_0 = TaskArgs()
    ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["a"]), TensorArgType.INPUT)
    ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["b"]), TensorArgType.OUTPUT_EXISTING)
    _keep.append(ta_0)
    orch.submit_next_level(callables["chip"], ta_0, config, worker=next(turns) % world_size)
    ta_1 = TaskArgs()
    ta_1.add_tensor(make_tensor_arg(orch._worker, tensors["a"]), TensorArgType.INPUT)
    _keep.append(ta_1)
    orch.submit_sub(sub_ids["look"], ta_1)
    ta_2 = TaskArgs()
    ta_2.add_tensor(make_tensor_arg(orch._worker, tensors["a"]), TensorArgType.INPUT)
    ta_2.add_tensor(make_tensor_arg(orch._worker, tensors["b"]), TensorArgType.OUTPUT_EXISTING)
    _keep.append(ta_2)
    orch.submit_next_level(callables["chip"], ta_2, config, worker=next(turns) % world_size)
)");
}

TEST_CASE("a rank's slice is passed as that slice") {
  CHECK_BODY(
      "    for r in pl.range(pld.system.world_size()):\n"
      "        p = pl.tensor.slice(x, [1, 64], [r, 0], [], [0])\n"
      "        q = pl.tensor.slice(y, [1, 64], [r, 0], [], [0])\n"
      "        chip(p, q, device=r)\n",
      R"(    for r in range(world_size):
        p = tensors["x"][r]
        q = tensors["y"][r]
        ta_0 = TaskArgs()
        ta_0.add_tensor(make_tensor_arg(orch._worker, p), TensorArgType.INPUT)
        ta_0.add_tensor(make_tensor_arg(orch._worker, q), TensorArgType.OUTPUT_EXISTING)
        _keep.append(ta_0)
        orch.submit_next_level(callables["chip"], ta_0, config, worker=r)
)");
}

TEST_CASE("a slice with gaps goes through the worker's own function") {
  HostSample sample;
  emit_host_body(sample, "    p = pl.tensor.slice(x, [4, 16], [0, 8])\n    look(p)\n");
  CHECK(sample.messages() == "");
  CHECK(sample.body() == R"(    p = tensors["x"][:, 8:24]
    ta_0 = TaskArgs()
    ta_0.add_tensor(_strided_arg(orch._worker, p, DataType.FLOAT32), TensorArgType.INPUT)
    _keep.append(ta_0)
    orch.submit_sub(sub_ids["look"], ta_0)
)");
  CHECK(sample.file("orchestration/host_orch.py").find("def _strided_arg(worker, tensor, dtype):") !=
        std::string::npos);
}

TEST_CASE("BOOL and UINT64 tensors go as element types of one size that the runtime has") {
  HostSample sample;
  emit_host(sample, R"(
@pl.function(type=pl.FunctionType.Orchestration)
def chip(x: pl.Tensor[[8], pl.BOOL], y: pl.Tensor[[8], pl.UINT64]):
    pass

@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def main(a: pl.Tensor[[8], pl.BOOL], b: pl.Tensor[[8], pl.UINT64]):
    chip(a, b, device=0)
)");
  CHECK(sample.messages() == "");
  const std::string body = sample.body();
  INFO(body);
  CHECK(body.find("make_tensor_arg(orch._worker, tensors[\"a\"].view(torch.uint8))") != std::string::npos);
  CHECK(body.find("make_tensor_arg(orch._worker, tensors[\"b\"].view(torch.int64))") != std::string::npos);
  CHECK(sample.file("orchestration/host_orch.py").find("import torch\n") == 0);
}

TEST_CASE("offsets and extents that run time knows") {
  CHECK_BODY("    p = pl.tensor.slice(w, [2, M], [n + 1, 0])\n    look(p)\n",
             R"(    n = int(_plain(tensors["n"]))
    M, rest = divmod(int(tensors["w"].shape[1]) - 1, 2)
    _require(rest == 0, "extent 1 of `w` is {}, which has no whole number for `M`", int(tensors["w"].shape[1]))
    p = tensors["w"][(n + 1):(n + 1) + 2, 0:0 + M]
    ta_0 = TaskArgs()
    ta_0.add_tensor(_strided_arg(orch._worker, p, DataType.FLOAT32), TensorArgType.INPUT)
    _keep.append(ta_0)
    orch.submit_sub(sub_ids["look"], ta_0)
)");
}

TEST_CASE("a whole slice is the tensor itself, another name another key") {
  CHECK_BODY("    p = pl.tensor.slice(a, [64], [0])\n    q = p\n    look(q)\n", R"(    tensors["q"] = tensors["a"]
    ta_0 = TaskArgs()
    ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["q"]), TensorArgType.INPUT)
    _keep.append(ta_0)
    orch.submit_sub(sub_ids["look"], ta_0)
)");
}

TEST_CASE("tensors are made before workers start, whatever their extents come from") {
  HostSample sample;
  emit_host_body(sample,
                 "    k = n * 2\n"
                 "    t = pl.tensor.create([k, N], dtype=pl.BF16)\n"
                 "    u = pl.tensor.create([64], dtype=pl.FP32, init_value=1.5)\n"
                 "    x_1 = pl.tensor.create([pld.system.world_size(), 64], dtype=pl.INT8)\n"
                 "    chip(u)\n");
  INFO(sample.messages());
  CHECK_FALSE(sample.diags.has_errors());
  CHECK(sample.alloc() == R"(    n = int(_plain(tensors["n"]))
    k = n * 2
    N = int(tensors["w"].shape[0])
    tensors["t"] = torch.zeros((k, N), dtype=torch.bfloat16).share_memory_()
    tensors["u"] = torch.full((64,), 1.5, dtype=torch.float32).share_memory_()
    tensors["x_1"] = torch.zeros((world_size, 64), dtype=torch.int8).share_memory_()
    tensors["out"] = torch.zeros((64,), dtype=torch.float32).share_memory_()
)");
}

TEST_CASE("keys of temporaries never are parameters") {
  HostSample sample;
  emit_host(sample, R"(
@pl.function(type=pl.FunctionType.Orchestration)
def chip(x: pl.Tensor[[64], pl.FP32], out: pl.Out[pl.Tensor[[64], pl.FP32]]):
    return out

@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def main(out: pl.Tensor[[64], pl.FP32], out_1: pl.Tensor[[64], pl.FP32]):
    chip(out)
    chip(out_1)
)");
  CHECK(sample.messages() == "");
  CHECK(sample.alloc() ==
        "    tensors[\"out_2\"] = torch.zeros((64,), dtype=torch.float32).share_memory_()\n"
        "    tensors[\"out_3\"] = torch.zeros((64,), dtype=torch.float32).share_memory_()\n");
}

TEST_CASE("results are the arguments that the callee hands back") {
  CHECK_BODY("    p = scaled(a, f, b, 3, device=0)\n    look(p)\n", R"(    f = _f32(_plain(tensors["f"]))
    ta_0 = TaskArgs()
    ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["a"]), TensorArgType.INPUT)
    ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["b"]), TensorArgType.INOUT)
    ta_0.add_scalar(_f32_bits(f))
    ta_0.add_scalar(3)
    _keep.append(ta_0)
    orch.submit_next_level(callables["scaled"], ta_0, config, worker=0)
    ta_1 = TaskArgs()
    ta_1.add_tensor(make_tensor_arg(orch._worker, tensors["b"]), TensorArgType.INPUT)
    _keep.append(ta_1)
    orch.submit_sub(sub_ids["look"], ta_1)
)");
}

TEST_CASE("an if result: a key that both branches assign for a tensor, a variable for a scalar") {
  CHECK_BODY(
      "    if on:\n"
      "        t, k = pl.yield_(a, n)\n"
      "    else:\n"
      "        t, k = pl.yield_(b, n + 1)\n"
      "    scaled(t, 1.0, b, k, device=0)\n",
      R"(    on = bool(_plain(tensors["on"]))
    n = int(_plain(tensors["n"]))
    if on:
        tensors["t"], k = tensors["a"], n
    else:
        tensors["t"], k = tensors["b"], n + 1
    ta_0 = TaskArgs()
    ta_0.add_tensor(_strided_arg(orch._worker, tensors["t"], DataType.FLOAT32), TensorArgType.INPUT)
    ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["b"]), TensorArgType.INOUT)
    ta_0.add_scalar(_f32_bits(1.0))
    ta_0.add_scalar(k & 0xFFFFFFFF)
    _keep.append(ta_0)
    orch.submit_next_level(callables["scaled"], ta_0, config, worker=0)
)");
}

TEST_CASE("loops with carries; two carries that change places") {
  CHECK_BODY(
      "    for i, (p, q) in pl.range(1, n, 2, init_values=(a, b)):\n"
      "        look(p)\n"
      "        p2, q2 = pl.yield_(q, p)\n"
      "    look(p2)\n",
      R"(    n = int(_plain(tensors["n"]))
    tensors["p"] = tensors["a"]
    tensors["q"] = tensors["b"]
    for i in range(1, n, 2):
        ta_0 = TaskArgs()
        ta_0.add_tensor(_strided_arg(orch._worker, tensors["p"], DataType.FLOAT32), TensorArgType.INPUT)
        _keep.append(ta_0)
        orch.submit_sub(sub_ids["look"], ta_0)
        tensors["p"], tensors["q"] = tensors["q"], tensors["p"]
    ta_1 = TaskArgs()
    ta_1.add_tensor(_strided_arg(orch._worker, tensors["p"], DataType.FLOAT32), TensorArgType.INPUT)
    _keep.append(ta_1)
    orch.submit_sub(sub_ids["look"], ta_1)
)");
}

TEST_CASE("while, an empty loop, and a step that run time knows") {
  CHECK_BODY(
      "    for (k,) in pl.while_(init_values=(n,)):\n"
      "        pl.cond(k < 10)\n"
      "        k2 = pl.yield_(k * 2)\n"
      "    for i in pl.range(0, k2, n):\n"
      "        pass\n",
      R"(    n = int(_plain(tensors["n"]))
    k = n
    while k < 10:
        k = k * 2
    for i in range(0, k, n) if n != 0 else ():
        pass
)");
}

TEST_CASE("a check raises with the program's words, at its place") {
  CHECK_BODY("    pl.system.require(n <= 4 and n > 0, text=\"`n` is \\\"one\\\" to 4\")\n    look(a)\n",
             R"(    n = int(_plain(tensors["n"]))
    _require((n <= 4) and (n > 0), "`n` is \"one\" to 4")
    ta_0 = TaskArgs()
    ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["a"]), TensorArgType.INPUT)
    _keep.append(ta_0)
    orch.submit_sub(sub_ids["look"], ta_0)
)");
}

TEST_CASE("a copy of the host is a slice assignment") {
  CHECK_BODY("    y = pl.tensor.assemble(y, x, [0, 0])\n", "    tensors[\"y\"][:4, :64] = tensors[\"x\"]\n");
}

TEST_CASE("names of the program hide nothing of Python or of the module") {
  HostSample sample;
  emit_host(sample, R"(
range = pl.dynamic("range")

@pl.function(type=pl.FunctionType.Orchestration)
def chip(x: pl.Tensor[[range], pl.FP32], k: pl.Scalar[pl.INDEX]):
    return x

@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def torch(orch: pl.Tensor[[range], pl.FP32], _keep: pl.Scalar[pl.INDEX]):
    for tensors in pl.range(range):
        chip(orch, _keep, device=tensors)
)");
  CHECK(sample.messages() == "");
  CHECK(sample.body() == R"(    range_1 = int(tensors["orch"].shape[0])
    u__keep = int(_plain(tensors["_keep"]))
    for tensors_1 in range(range_1):
        ta_0 = TaskArgs()
        ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["orch"]), TensorArgType.INPUT)
        ta_0.add_scalar(u__keep & 0xFFFFFFFFFFFFFFFF)
        _keep.append(ta_0)
        orch.submit_next_level(callables["chip"], ta_0, config, worker=tensors_1)
)");
  CHECK(sample.file("orchestration/host_orch.py").find("\ntorch_1._pypto_distributed_entry = True\n") !=
        std::string::npos);
}

}  // namespace
}  // namespace pyptoc::codegen
