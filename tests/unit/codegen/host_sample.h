// SPDX-License-Identifier: Apache-2.0
// Programs with a HOST function in DSL text, emitted without passes before it.
#pragma once

#include <string>
#include <string_view>

#include "codegen/host_tree.h"
#include "codegen/sub_worker.h"
#include "text/parser.h"

namespace pyptoc::codegen {

struct HostSample {
  ir::Context ir;
  diag::Engine diags;
  const ir::Program* program = nullptr;
  HostTree tree;

  bool has(std::string_view code) const {
    for (const diag::Diagnostic& d : diags.sorted())
      if (d.code->id == code) return true;
    return false;
  }
  std::string messages() const {
    std::string out;
    for (const diag::Diagnostic& d : diags.sorted()) out += std::string(d.code->id) + ": " + d.message + "\n";
    return out;
  }
  std::string file(std::string_view path) const {
    for (const HostFile& f : tree.files)
      if (f.path == path) return f.content;
    return "no such file";
  }
  // The entry function, its first line left out.
  std::string body() const {
    std::string text = file("orchestration/host_orch.py");
    size_t begin = text.find("_domain_provider=None):\n");
    if (begin == std::string::npos) return text;
    begin = text.find('\n', begin) + 1;
    return text.substr(begin, text.find("\n\n", begin) + 1 - begin);
  }
  std::string alloc() const {
    std::string text = file("orchestration/host_orch.py");
    size_t begin = text.find("world_size=1):\n");
    if (begin == std::string::npos) return text;
    begin = text.find('\n', begin) + 1;
    return text.substr(begin, text.find("\n\n", begin) + 1 - begin);
  }
};

inline void emit_host(HostSample& sample, std::string_view functions) {
  std::string text = "import pypto.language as pl\nimport pypto.language.distributed as pld\n" + std::string(functions);
  sample.program = text::parse_program(sample.ir, text, "test.py", sample.diags);
  if (sample.program == nullptr) return;
  const ir::Function* host = find_host_orchestrator(sample.program, sample.diags);
  if (host == nullptr) return;
  sample.tree = render_host_tree(
      sample.program, host, passes::kTargets[0], [](const ir::Function* f) { return std::string(f->name); },
      sample.diags);
}

// A chip program, a SubWorker, and the head of a host function `main` with its parameters.
constexpr std::string_view kHostHead = R"(
N = pl.dynamic("N")
M = pl.dynamic("M")


@pl.function(type=pl.FunctionType.Orchestration)
def chip(x: pl.Tensor[[64], pl.FP32], out: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
    return out


@pl.function(type=pl.FunctionType.Orchestration)
def scaled(x: pl.Tensor[[64], pl.FP32], s: pl.Scalar[pl.FP32], out: pl.InOut[pl.Tensor[[64], pl.FP32]], k: pl.Scalar[pl.INT32]) -> pl.Tensor[[64], pl.FP32]:
    return out


@pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)
def look(f: pl.Tensor[[64], pl.FP32]):
    assert f.sum() == 0


@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def main(x: pl.Tensor[[4, 64], pl.FP32], y: pl.Out[pl.Tensor[[4, 64], pl.FP32]], a: pl.Tensor[[64], pl.FP32], b: pl.InOut[pl.Tensor[[64], pl.FP32]], w: pl.Tensor[[N, M * 2 + 1], pl.FP32], n: pl.Scalar[pl.INDEX], f: pl.Scalar[pl.FP32], on: pl.Scalar[pl.BOOL]):
)";

inline void emit_host_body(HostSample& sample, std::string_view body) {
  emit_host(sample, std::string(kHostHead) + std::string(body));
}

}  // namespace pyptoc::codegen
