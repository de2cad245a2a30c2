// SPDX-License-Identifier: Apache-2.0
// Chip pipelines with collectives, written with short names of types.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "front_fixture.h"
#include "ir/verifier.h"
#include "passes/call_graph.h"
#include "passes/convert_to_ssa.h"
#include "passes/flatten_call_expr.h"
#include "passes/lower_l2_tensor_collectives.h"
#include "passes/property_checks.h"

namespace pyptoc::passes::testing {

// ROWS and COUNTS are plain tensors, a W before the name makes a window. CELLS is the signal of 4 ranks.
inline std::string chip_words(std::string text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kWords = {{
      {"WROWS", "pld.DistributedTensor[[64, 32], pl.FP32]"},
      {"ROWS", "pl.Tensor[[64, 32], pl.FP32]"},
      {"WCOUNTS", "pld.DistributedTensor[[4, 1], pl.INT32]"},
      {"COUNTS", "pl.Tensor[[4, 1], pl.INT32]"},
      {"CELLS", "pld.DistributedTensor[[4, 8], pl.INT32]"},
  }};
  for (const auto& [word, type] : kWords)
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + type.size()))
      text.replace(at, word.size(), type);
  return text;
}

inline constexpr std::string_view kChipKernels = R"(
@pl.function(type=pl.FunctionType.AIV)
def stage_step(inp: ROWS, stage: pl.Out[ROWS], counts: pl.Out[COUNTS]) -> tuple[ROWS, COUNTS]:
    return stage, counts

@pl.function(type=pl.FunctionType.AIV)
def fill(stage: pl.InOut[ROWS]) -> ROWS:
    return stage

@pl.function(type=pl.FunctionType.AIV)
def consume_step(data: WROWS, recv: WCOUNTS, out: pl.Out[ROWS]) -> ROWS:
    return out

)";
inline constexpr std::string_view kChipParams =
    "inp: ROWS, stage: pl.InOut[ROWS], data: pl.InOut[WROWS], signal: pl.InOut[CELLS], counts: pl.InOut[COUNTS], "
    "recv: pl.InOut[WCOUNTS], out: pl.InOut[ROWS], n: pl.Scalar[pl.INDEX]";

inline std::string chip_program(std::string_view body, std::string_view params = kChipParams,
                                std::string_view more = "") {
  return chip_words(std::string(kChipKernels) + std::string(more) +
                    "@pl.function(type=pl.FunctionType.Orchestration)\ndef pipeline(" + std::string(params) + "):\n" +
                    std::string(body));
}

class ChipRun : public PassRun {
 public:
  explicit ChipRun(std::string_view body, std::string_view params = kChipParams, std::string_view more = "",
                   const Options& options = {})
      : PassRun(chip_program(body, params, more), {convert_to_ssa, flatten_call_expr, lower_l2_tensor_collectives},
                options) {}

  // The messages without their line numbers, `E0655: text`, one a line; notes are left out.
  std::string errors() {
    std::string out;
    for (const diag::Diagnostic& d : diags().sorted()) out += std::string(d.code->id) + ": " + d.message + "\n";
    return out;
  }
};

// All calls of synthesized kernels in a function, in order.
inline std::vector<const ir::Call*> kernel_calls(const ir::Program* program, std::string_view function = "pipeline") {
  std::vector<const ir::Call*> out;
  for (const ir::Expr* call : function_calls(program->find(function)))
    if (called_function(call)->name.starts_with("__builtin_")) out.push_back(ir::as<ir::Call>(call));
  return out;
}

inline size_t count_of(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

// What the verifier and the properties say of a lowered program.
inline std::string faults(ChipRun& run) {
  std::string out = run.messages();
  diag::Engine engine;
  ir::verify(run.after(), engine);
  for (const diag::Diagnostic& d : engine.sorted()) out += d.message + "\n";
  Findings findings;
  check_ChipCollectivesLowered(run.after(), findings);
  check_NoNestedCalls(run.after(), findings);
  check_SSAForm(run.after(), findings);
  for (const std::string& finding : findings) out += finding + "\n";
  return out;
}

}  // namespace pyptoc::passes::testing
