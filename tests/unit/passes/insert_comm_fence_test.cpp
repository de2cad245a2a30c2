// SPDX-License-Identifier: Apache-2.0
// InsertCommFence: each rule of its contract.
#include "passes/insert_comm_fence.h"

#include "chip_fixture.h"
#include "passes/derive_call_directions.h"

namespace pyptoc::passes {
namespace {

using testing::PassRun;

std::string words(std::string text) {
  return testing::chip_words(std::move(text));
}

// A kernel over a window `w`, a plain tensor `x` and counts `c`, after the pass.
void check_kernel(std::string_view before, std::string_view after) {
  auto program = [](std::string_view body) {
    return words(
        "@pl.function(type=pl.FunctionType.AIV)\n"
        "def k(w: pl.InOut[WROWS], x: pl.InOut[ROWS], c: WCOUNTS, s: pl.InOut[CELLS]) -> WROWS:\n" +
        std::string(body) + "    return w\n");
  };
  PassRun run(program(before), {insert_comm_fence});
  CHECK(run.difference_to(program(after)) == "");
  Options options;
  PassContext context{run.ir(), run.diags(), options};
  CHECK(insert_comm_fence(run.after(), context) == run.after());
}

constexpr std::string_view kLoad = "    t = pl.tile.load(x, [0, 0], [64, 32], [64, 32], target_memory=pl.Mem.Vec)\n";

TEST_CASE("a store to an own window is cleaned and fenced, one to a plain tensor is not") {
  check_kernel(std::string(kLoad) + "    v = pl.tile.store(t, [0, 0], w)\n",
               std::string(kLoad) +
                   "    v = pl.tile.store(t, [0, 0], w)\n"
                   "    pl.system.cacheinvalid(w, [64, 32], [0, 0])\n    pl.system.fence()\n");
  check_kernel(std::string(kLoad) + "    v = pl.tile.store(t, [0, 0], x)\n",
               std::string(kLoad) + "    v = pl.tile.store(t, [0, 0], x)\n");
}

TEST_CASE("an element that a kernel writes is cleaned wherever it goes") {
  check_kernel("    v = pl.tensor.write(x, [0, 0], 1.0)\n",
               "    v = pl.tensor.write(x, [0, 0], 1.0)\n    pl.system.cacheinvalid(x, [64, 32], [0, 0])\n"
               "    pl.system.fence()\n");
}

TEST_CASE("a wait is followed by an invalidation of everything, a notify by nothing") {
  check_kernel(
      "    pld.system.notify(s, 1, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)\n"
      "    pld.system.wait(s, [0, 0], 1, cmp=pld.WaitCmp.Ge)\n",
      "    pld.system.notify(s, 1, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)\n"
      "    pld.system.wait(s, [0, 0], 1, cmp=pld.WaitCmp.Ge)\n    pl.system.cacheinvalid()\n");
}

TEST_CASE("a write to a peer's window needs the fence only, in loops as well") {
  check_kernel("    for i in pl.range(4):\n        pld.tensor.put(w, i, x)\n",
               "    for i in pl.range(4):\n        pld.tensor.put(w, i, x)\n        pl.system.fence()\n");
}

constexpr std::string_view kReader =
    "@pl.function(type=pl.FunctionType.AIV)\n"
    "def take(data: WROWS, recv: WCOUNTS, out: pl.InOut[ROWS]) -> ROWS:\n{}"
    "    n = pl.tensor.read(recv, [0, 0])\n    return out\n\n";
constexpr std::string_view kPipeline =
    "@pl.function(type=pl.FunctionType.Orchestration)\n"
    "def pipeline(stage: ROWS, data: pl.InOut[WROWS], signal: pl.InOut[CELLS], counts: COUNTS, recv: "
    "pl.InOut[WCOUNTS], "
    "out: pl.InOut[ROWS]):\n"
    "    data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv)\n    out = take(data, recv, out)\n";

TEST_CASE("a kernel that reads counts of a collective as scalars invalidates at its entry") {
  std::string reader(kReader);
  reader.replace(reader.find("{}"), 2, "");
  PassRun run(words(reader + std::string(kPipeline)), {convert_to_ssa, flatten_call_expr, lower_l2_tensor_collectives,
                                                       derive_call_directions, insert_comm_fence});
  CHECK(run.messages() == "");
  std::string text = run.text();
  INFO(text);
  size_t kernel = text.find("def take(");
  size_t invalidate = text.find("pl.system.cacheinvalid()", kernel);
  CHECK(invalidate != std::string::npos);
  CHECK(invalidate < text.find("pl.tensor.read(", kernel));
}

TEST_CASE("a kernel that reads no shared element stays as it is") {
  PassRun run(words("@pl.function(type=pl.FunctionType.AIV)\ndef take(x: ROWS, out: pl.InOut[ROWS]) -> ROWS:\n"
                    "    n = pl.tensor.read(x, [0, 0])\n    return out\n\n"
                    "@pl.function(type=pl.FunctionType.Orchestration)\ndef pipeline(x: ROWS, out: pl.InOut[ROWS]):\n"
                    "    out = take(x, out)\n"),
              {convert_to_ssa, flatten_call_expr, derive_call_directions, insert_comm_fence});
  CHECK(run.text().find("cacheinvalid") == std::string::npos);
}

TEST_CASE("elements that another task wrote are read behind an invalidation") {
  PassRun run(
      words("@pl.function(type=pl.FunctionType.AIV)\ndef put(x: pl.InOut[ROWS]) -> ROWS:\n"
            "    v = pl.tensor.write(x, [0, 0], 1.0)\n    return x\n\n"
            "@pl.function(type=pl.FunctionType.AIV)\ndef take(x: ROWS, out: pl.InOut[ROWS]) -> ROWS:\n"
            "    n = pl.tensor.read(x, [0, 0])\n    return out\n\n"
            "@pl.function(type=pl.FunctionType.Orchestration)\ndef pipeline(x: pl.InOut[ROWS], out: pl.InOut[ROWS]):\n"
            "    y = put(x)\n    out = take(y, out)\n"),
      {convert_to_ssa, flatten_call_expr, derive_call_directions, insert_comm_fence});
  std::string text = run.text();
  size_t kernel = text.find("def take(");
  CHECK(text.find("pl.system.cacheinvalid()", kernel) < text.find("pl.tensor.read(", kernel));
}

TEST_CASE("external kernels around a collective: a warning and an obligation each") {
  constexpr std::string_view kExternal =
      "@pl.function(type=pl.FunctionType.AIV, attrs={\"external_source\": \"a.cpp\"})\n"
      "def make(counts: pl.Out[COUNTS]) -> COUNTS:\n    return counts\n\n"
      "@pl.function(type=pl.FunctionType.AIV, attrs={\"external_source\": \"b.cpp\"})\n"
      "def take(data: WROWS, recv: WCOUNTS, out: pl.InOut[ROWS]) -> ROWS:\n    return out\n\n"
      "@pl.function(type=pl.FunctionType.AIV, attrs={\"external_source\": \"c.cpp\"})\n"
      "def other(out: pl.InOut[ROWS]) -> ROWS:\n    return out\n\n";
  std::string pipeline(kPipeline);
  pipeline.replace(pipeline.find("counts: COUNTS"), 14, "counts: pl.InOut[COUNTS]");
  pipeline.replace(pipeline.find("    data = "), 0, "    counts = make(counts)\n");
  PassRun run(
      words(std::string(kExternal) + pipeline + "    out = other(out)\n"),
      {convert_to_ssa, flatten_call_expr, lower_l2_tensor_collectives, derive_call_directions, insert_comm_fence});
  std::string codes;
  for (const diag::Diagnostic& d : run.diags().sorted()) codes += std::string(d.code->id) + " ";
  CHECK(codes == "W0651 W0650 W0650 ");
  const ir::AttrValue* lines = ir::find_attr(run.after()->find("take")->attrs, "obligations");
  REQUIRE(lines != nullptr);
  CHECK(lines->as_string() ==
        "invalidates the data cache at its entry before it reads elements of `data`, which `pld.tensor.all_to_all_v` "
        "writes\n"
        "invalidates the data cache at its entry before it reads elements of `recv`, which `pld.tensor.all_to_all_v` "
        "writes");
  CHECK(ir::find_attr(run.after()->find("make")->attrs, "obligations") != nullptr);
  CHECK(ir::find_attr(run.after()->find("other")->attrs, "obligations") == nullptr);
}

}  // namespace
}  // namespace pyptoc::passes
