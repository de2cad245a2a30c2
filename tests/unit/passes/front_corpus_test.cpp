// SPDX-License-Identifier: Apache-2.0
// The front passes on every real program: no error, the IR stays valid, and what each pass ensures holds.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "corpus.h"
#include "first_error.h"
#include "ir/verifier.h"
#include "passes/convert_to_ssa.h"
#include "passes/ctrl_flow_transform.h"
#include "passes/flatten_call_expr.h"
#include "passes/inline_functions.h"
#include "passes/property_checks.h"
#include "passes/simplify.h"
#include "passes/unroll_loops.h"
#include "paths.h"
#include "serial/reader.h"

namespace pyptoc::passes {
namespace {

namespace fs = std::filesystem;
using test_support::bytes_of;
using test_support::graphs_in;

struct Step {
  PassFunction run;
  void (*check)(const ir::Program*, Findings&);
};
constexpr Step kSteps[] = {
    {inline_functions, check_NoInlineFunctions},
    {unroll_loops, check_NoUnrollLoops},
    {ctrl_flow_transform, check_StructuredCtrlFlow},
    {convert_to_ssa, check_SSAForm},
    {simplify, check_SSAForm},
    {flatten_call_expr, check_NoNestedCalls},
};

// What is wrong with the passes on one program; empty when nothing is.
std::string run_on(const std::string& bytes) {
  ir::Context ir;
  diag::Engine diags;
  Options options;
  PassContext context{ir, diags, options};
  const ir::Program* program = serial::read_program(ir, bytes, diags);
  if (program == nullptr) return "not read: " + first_error(diags);
  bool valid = ir::verify(program, diags);
  if (!valid) return "";  // the verifier's own tests look at it
  for (const Step& step : kSteps) {
    std::string name = "step " + std::to_string(&step - kSteps);
    program = step.run(program, context);
    if (diags.has_errors()) return name + ": " + first_error(diags);
    Findings findings;
    step.check(program, findings);
    if (!findings.empty()) return name + ": " + findings[0];
    if (!ir::verify(program, diags)) return name + " leaves " + first_error(diags);
    bool repeatable = step.run == convert_to_ssa || step.run == simplify || step.run == flatten_call_expr;
    if (repeatable && step.run(program, context) != program) return name + " changes its own result";
  }
  return "";
}

void run_on_all(const fs::path& folder) {
  std::vector<fs::path> files = graphs_in(folder);
  if (files.empty()) {
    WARN("skipped: no graphs in " << folder.filename());
    return;
  }
  for (const fs::path& file : files) {
    fs::path facts = file;
    facts.replace_extension(".facts.json");
    std::string known = bytes_of(facts);
    if (!known.empty() && known.find("\"compiles\": true") == std::string::npos) continue;
    INFO(file.filename().string());
    CHECK(run_on(bytes_of(file)) == "");
  }
}

TEST_CASE("front passes on the corpus: programs") {
  run_on_all(test_support::shared_dir() / "corpus" / "programs");
}
TEST_CASE("front passes on the corpus: models") {
  run_on_all(test_support::shared_dir() / "corpus" / "models");
}
TEST_CASE("front passes on the corpus: large programs") {
  run_on_all(test_support::shared_dir() / "corpus" / "large");
}

}  // namespace
}  // namespace pyptoc::passes
