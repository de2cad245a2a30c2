// SPDX-License-Identifier: Apache-2.0
// Every diagnostic of emission, from programs in DSL text.
#include <catch2/catch.hpp>

#include "codegen/build_tree.h"
#include "codegen/chip_unit.h"
#include "support/memory_file_system.h"
#include "text/parser.h"

namespace pyptoc::codegen {
namespace {

constexpr std::string_view kKernel = R"(
@pl.function(type=pl.FunctionType.AIV, attrs={"external_source": "k.cpp"})
def k(x: pl.Tensor[[64], pl.FP32], out: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
    return out

)";
constexpr std::string_view kMain =
    "@pl.function(type=pl.FunctionType.Orchestration)\n"
    "def main(a: pl.Tensor[[64], pl.FP32], b: pl.Out[pl.Tensor[[64], pl.FP32]], n: pl.Scalar[pl.INDEX]):\n";

struct Emitted {
  ir::Context ir;
  diag::Engine diags;
  const ir::Program* program = nullptr;
  std::string source;

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
};

void parse(Emitted& e, std::string_view functions) {
  std::string text = "import pypto.language as pl\nimport pypto.language.distributed as pld\n" + std::string(functions);
  e.program = text::parse_program(e.ir, text, "test.py", e.diags);
  INFO(e.messages());
  REQUIRE(e.program != nullptr);
}

// Emits `main` of a program without running passes: the faults are those of emission.
void emit(Emitted& e, std::string_view functions) {
  parse(e, functions);
  const ir::Function* main = e.program->find("main");
  REQUIRE(main != nullptr);
  e.source = emit_chip_unit(e.program, main, passes::kTargets[0], e.diags).source;
}
void emit_body(Emitted& e, std::string_view body) {
  emit(e, std::string(kKernel) + std::string(kMain) + std::string(body));
}

#define CHECK_FAULT(code, body) \
  do {                          \
    Emitted emitted;            \
    emit_body(emitted, body);   \
    INFO(emitted.messages());   \
    CHECK(emitted.has(code));   \
  } while (false)

TEST_CASE("E0700: an operator that computes") {
  CHECK_FAULT("E0700", "    c = pl.tensor.adds(a, 1.0)\n");
}

TEST_CASE("E0701: a half-precision scalar") {
  Emitted e;
  emit(e, "@pl.function(type=pl.FunctionType.Orchestration)\ndef main(s: pl.Scalar[pl.FP16]):\n    t = s\n");
  CHECK(e.has("E0701"));
}

TEST_CASE("E0702: a tensor that the runtime cannot describe") {
  CHECK_FAULT("E0702", "    t = pl.tensor.create([64], dtype=pl.FP64)\n");
}

std::string wide_kernel(int count, std::string_view type) {
  std::string kernel = "@pl.function(type=pl.FunctionType.AIV)\ndef wide(";
  std::string call = "    wide(";
  for (int i = 0; i < count; ++i) {
    kernel += (i > 0 ? ", p" : "p") + std::to_string(i) + ": " + std::string(type);
    call += std::string(i > 0 ? ", " : "") + (type.find("Tensor") != std::string_view::npos ? "a" : "n");
  }
  return kernel + "):\n    pass\n\n" + std::string(kMain) + call + ")\n";
}

TEST_CASE("E0703, E0704: more arguments than a task can have") {
  Emitted tensors;
  emit(tensors, wide_kernel(33, "pl.Tensor[[64], pl.FP32]"));
  CHECK(tensors.has("E0703"));
  CHECK(tensors.messages().find("`wide` has 33 tensor arguments") != std::string::npos);
  Emitted scalars;
  emit(scalars, wide_kernel(17, "pl.Scalar[pl.INDEX]"));
  CHECK(scalars.has("E0704"));
  Emitted just_fits;
  emit(just_fits, wide_kernel(32, "pl.Tensor[[64], pl.FP32]"));
  CHECK(just_fits.messages() == "");
}

TEST_CASE("E0705: more than five dimensions") {
  CHECK_FAULT("E0705", "    t = pl.tensor.create([1, 1, 1, 1, 1, 64], dtype=pl.FP32)\n");
}

TEST_CASE("E0706: an axis that is not known") {
  CHECK_FAULT("E0706", "    d = pl.tensor.dim(a, n)\n    t = pl.tensor.create([d], dtype=pl.FP32)\n");
}

TEST_CASE("E0707: an extent that no parameter reveals") {
  Emitted e;
  emit(e, "N = pl.dynamic(\"N\")\n\n" + std::string(kMain) + "    t = pl.tensor.create([N], dtype=pl.FP32)\n");
  CHECK(e.has("E0707"));
}

TEST_CASE("E0708: a scope that should have been outlined") {
  CHECK_FAULT("E0708", "    with pl.at(level=pl.Level.CORE_GROUP):\n        c = pl.tensor.adds(a, 1.0)\n");
}

TEST_CASE("E0709: an assemble that would copy") {
  CHECK_FAULT("E0709", "    c = pl.tensor.assemble(b, a, [0])\n");
}

TEST_CASE("E0710: a call that is no task") {
  Emitted e;
  emit(e,
       "@pl.function\ndef other(x: pl.Tensor[[64], pl.FP32]):\n    pass\n\n" + std::string(kMain) + "    other(a)\n");
  CHECK(e.has("E0710"));
}

TEST_CASE("E0711: a loop that never advances") {
  CHECK_FAULT("E0711", "    for i in pl.range(0, 4, 0):\n        c = k(a, b)\n");
}

TEST_CASE("E0712: an initial value that the runtime cannot hold") {
  CHECK_FAULT("E0712", "    t = pl.tensor.create([64], dtype=pl.FP16, init_value=1.5)\n");
  Emitted fits;
  emit_body(fits, "    t = pl.tensor.create([64], dtype=pl.FP32, init_value=1.5)\n    c = k(t, b)\n");
  CHECK(fits.messages() == "");
  CHECK(fits.source.find("set_initial_value(static_cast<float>(1.5f))") != std::string::npos);
}

TEST_CASE("E0713: an array of halves") {
  CHECK_FAULT("E0713", "    t = pl.array.create(4, dtype=pl.FP16)\n");
}

TEST_CASE("E0714: a predicate that is no comparison of an element") {
  CHECK_FAULT("E0714", "    c = k(a, b, attrs={\"predicate\": pl.expr(n + 1)})\n");
}

TEST_CASE("E0715, E0716: launches too narrow and too wide") {
  CHECK_FAULT("E0715", "    c = k(a, b, attrs={\"core_num\": 0})\n");
  CHECK_FAULT("E0715", "    c = k(a, b, attrs={\"core_num\": 40000})\n");
  CHECK_FAULT("E0716", "    c = k(a, b, attrs={\"core_num\": 49, \"sync_start\": True})\n");
  Emitted fits;
  emit_body(fits, "    c = k(a, b, attrs={\"core_num\": 48, \"sync_start\": True})\n");
  CHECK(fits.messages() == "");
}

TEST_CASE("E0723: kernels of a group that are given other arguments, or need the same core") {
  auto group = [](std::string_view calls) {
    Emitted e;
    emit(e,
         "@pl.function(type=pl.FunctionType.AIC)\ndef c(x: pl.Tensor[[64], pl.FP32], out: "
         "pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:\n    return out\n" +
             std::string(kKernel) +
             "@pl.function(type=pl.FunctionType.Group)\ndef g(x: pl.Tensor[[64], pl.FP32], out: "
             "pl.Out[pl.Tensor[[64], pl.FP32]], more: pl.Out[pl.Tensor[[64], pl.FP32]]):\n" +
             std::string(calls) + "\n" + std::string(kMain) +
             "    t = pl.tensor.create([64], dtype=pl.FP32)\n    g(a, b, t)\n");
    return e.messages();
  };
  CHECK(group("    c(x, out)\n    k(x, out)\n") == "");
  const std::string unlike = "E0723: kernel `k` of group `g` cannot start with the other kernels of the group\n";
  CHECK(group("    c(x, out)\n    k(x, more)\n") == unlike);
  CHECK(group("    c(x, out)\n    k(out, x)\n") == unlike);
  CHECK(group("    k(x, out)\n    k(x, out)\n") == unlike);
}

TEST_CASE("E0717: a task id of the user behind its scope") {
  CHECK_FAULT("E0717",
              "    with pl.scope():\n        r = pl.submit(k, a, b)\n        t = r[1]\n"
              "    s = pl.submit(k, a, b, deps=[t])\n");
}

void build(Emitted& e, std::string_view functions, bool orchestration_only, support::FileSystem& files) {
  parse(e, functions);
  BuildOptions options;
  options.target = passes::kTargets[0];
  options.orchestration_only = orchestration_only;
  build_tree(e.program, options, files, e.diags);
}

TEST_CASE("E0718, W0718: the source of an external kernel is missing") {
  support::MemoryFileSystem files;
  std::string source = std::string(kKernel) + std::string(kMain) + "    c = k(a, b)\n";
  Emitted all;
  build(all, source, false, files);
  CHECK(all.has("E0718"));
  Emitted orchestration;
  build(orchestration, source, true, files);
  CHECK(orchestration.has("W0718"));
  CHECK_FALSE(orchestration.diags.has_errors());
}

// Found as a user's mistake that read as a bug of the compiler.
TEST_CASE("E0810: a kernel includes files whose names cannot stand beside each other") {
  support::MemoryFileSystem files;
  REQUIRE(files.write_file("k.cpp", "#include \"a.h\"\n#include \"A.h\"\n").ok());
  REQUIRE(files.write_file("a.h", "").ok());
  REQUIRE(files.write_file("A.h", "").ok());
  Emitted e;
  build(e, std::string(kKernel) + std::string(kMain) + "    c = k(a, b)\n", false, files);
  CHECK(e.has("E0810"));
}

TEST_CASE("E0719, E0721, E0722: what cannot be emitted yet is named") {
  support::MemoryFileSystem files;
  Emitted graph;
  build(graph, "@pl.function(type=pl.FunctionType.Graph)\ndef main(a: pl.Tensor[[64], pl.FP32]):\n    pass\n", false,
        files);
  CHECK(graph.has("E0719"));
  Emitted nothing;
  build(nothing, kKernel, false, files);
  CHECK(nothing.has("E0721"));
  Emitted body;
  build(body,
        "@pl.function(type=pl.FunctionType.AIV)\ndef k(x: pl.Tensor[[64], pl.FP32], out: pl.Out[pl.Tensor[[64], "
        "pl.FP32]])"
        " -> pl.Tensor[[64], pl.FP32]:\n    return out\n\n" +
            std::string(kMain) + "    c = k(a, b)\n",
        false, files);
  CHECK(body.has("E0722"));
}

// Names that are keywords, that the API or the emitter uses, and one name for several variables.
TEST_CASE("names of the program never clash") {
  Emitted e;
  emit(e, std::string(kKernel) +
              "@pl.function(type=pl.FunctionType.Orchestration)\n"
              "def main(new: pl.Tensor[[64], pl.FP32], orch_args: pl.Tensor[[64], pl.FP32], "
              "int: pl.Out[pl.Tensor[[64], pl.FP32]], args0: pl.Out[pl.Tensor[[64], pl.FP32]]):\n"
              "    c = k(new, int)\n    d = k(orch_args, args0)\n");
  CHECK(e.messages() == "");
  CHECK(e.source.find("ChipTensor &new ") == std::string::npos);
  CHECK(e.source.find("ChipTensor &int ") == std::string::npos);
  CHECK(e.source.find("ChipTensor &orch_args ") == std::string::npos);
  CHECK(e.source.find("CoreTaskArgs args0;") == std::string::npos);  // the parameter has that name
}

}  // namespace
}  // namespace pyptoc::codegen
