// SPDX-License-Identifier: Apache-2.0
// The modules of HOST SubWorkers.
#include <catch2/catch.hpp>

#include "host_sample.h"

namespace pyptoc::codegen {
namespace {

constexpr std::string_view kMain =
    "@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\ndef main(a: pl.Tensor[[4], pl.FP32]):\n    pass\n\n";

std::string worker(HostSample& sample, std::string_view head, std::string_view body,
                   std::string_view path = "sub_workers/w.py") {
  emit_host(sample, std::string(kMain) + "@pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker" +
                        std::string(head) + "\n" + std::string(body));
  INFO(sample.messages());
  CHECK_FALSE(sample.diags.has_errors());
  return sample.file(path);
}

TEST_CASE("the text is the body of a function of the parameters") {
  HostSample sample;
  CHECK(worker(sample, ")\ndef w(a: pl.Tensor[[4], pl.FP32], out: pl.Out[pl.Tensor[[4, 2], pl.INT8]]):",
               "    if a.sum() > 0:\n        out[:] = 1\n    return out\n") == R"(import torch


def _tensor(arg, dtype):
    shapes = tuple(int(n) for n in arg.shapes)
    strides = tuple(int(n) for n in arg.strides)
    if 0 in shapes:
        return torch.empty(shapes, dtype=dtype)
    span = 1 + sum((n - 1) * step for n, step in zip(shapes, strides))
    return torch.frombuffer(arg.buffer, dtype=dtype, count=span).as_strided(shapes, strides)


def _body(a, out):
    if a.sum() > 0:
        out[:] = 1
    return out


def w(args):
    _body(_tensor(args[0], torch.float32), _tensor(args[1], torch.int8))
)");
}

TEST_CASE("scalars are numbered on their own") {
  HostSample sample;
  std::string text = worker(sample,
                            ")\ndef w(i: pl.Scalar[pl.INT32], a: pl.Tensor[[4], pl.FP32], f: pl.Scalar[pl.FP32], "
                            "u: pl.Scalar[pl.UINT8], b: pl.Scalar[pl.BOOL]):",
                            "    print(i)\n");
  CHECK(text.find("_body((args.scalar(0) ^ 2147483648) - 2147483648, _tensor(args[0], torch.float32), "
                  "struct.unpack(\"<f\", struct.pack(\"<I\", args.scalar(1)))[0], args.scalar(2), "
                  "bool(args.scalar(3)))") != std::string::npos);
  CHECK(text.starts_with("import struct\n\nimport torch\n"));
}

TEST_CASE("a text whose strings run over lines is not indented") {
  HostSample sample;
  std::string text = worker(sample, ")\ndef w(a: pl.Tensor[[4], pl.FP32]):",
                            "    with pl.inline_python():\n        s = \"\"\"one\n  two\"\"\"\n");
  CHECK(text.find("_definition = ast.parse(\"def _body(a):\\n    pass\\n\")\n"
                  "_definition.body[0].body = ast.parse(\"") != std::string::npos);
  CHECK(text.find("exec(compile(_definition, __file__, \"exec\"))\n") != std::string::npos);
  CHECK(text.starts_with("import ast\n\nimport torch\n"));
}

TEST_CASE("a text of comments only") {
  HostSample sample;
  CHECK(worker(sample, ")\ndef w(a: pl.Tensor[[4], pl.FP32]):", "    pl.inline_python(\"# nothing\")\n")
            .find("def _body(a):\n    # nothing\n    pass\n") != std::string::npos);
}

TEST_CASE("what the caller binds is listed, and raises without") {
  HostSample sample;
  CHECK(worker(sample, ", requires_runtime_binding=True)\ndef w(a: pl.Tensor[[4], pl.FP32]):", "    ...\n") ==
        "def w(args):\n    raise RuntimeError(\"SubWorker `w` has no body of its own: bind it with `callbacks`\")\n");
  CHECK(sample.file("sub_workers/__required__.json") == "[\n  \"w\"\n]\n");
}

TEST_CASE("names of SubWorkers are files and functions at once") {
  HostSample sample;
  std::string text =
      worker(sample, ")\ndef print(a: pl.Tensor[[4], pl.FP32]):", "    return a\n", "sub_workers/print_1.py");
  CHECK(text.find("\ndef print_1(args):\n") != std::string::npos);
}

}  // namespace
}  // namespace pyptoc::codegen
