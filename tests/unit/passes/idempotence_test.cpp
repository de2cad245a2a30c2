// SPDX-License-Identifier: Apache-2.0
// Passes that promise it change nothing when they run again, on real programs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>

#include "passes/pipeline.h"
#include "paths.h"
#include "serial/reader.h"

namespace pyptoc::passes {
namespace {

namespace fs = std::filesystem;

// ClassifyIterArgCarry and AssignCores make new nodes each time.
constexpr std::string_view kIdempotent[] = {"InlineFunctions",          "UnrollLoops",
                                            "CtrlFlowTransform",        "ConvertToSSA",
                                            "FlattenCallExpr",          "OutlineHierarchyScopes",
                                            "OutlineIncoreScopes",      "OutlineClusterScopes",
                                            "ConvertTensorToTileOps",   "OptimizeOrchTensors",
                                            "NormalizeReturnOrder",     "FuseCreateAssembleToSlice",
                                            "LegalizeSpmdLaunches",     "DeriveCallDirections",
                                            "OrderAntiDependencies",    "ExpandManualPhaseFence",
                                            "MaterializeRuntimeScopes", "MaterializeValidShapeSymbols"};

TEST_CASE("a second run changes nothing, on the corpus") {
  std::vector<fs::path> files;
  for (const char* part : {"corpus/programs", "corpus/models"}) {
    const fs::path folder = test_support::shared_dir() / part;
    if (!fs::exists(folder)) continue;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".msgpack" && entry.file_size() < 300000) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) WARN("no corpus");
  std::map<std::string, std::string> changed;  // pass -> programs
  for (size_t i = 0; i < files.size(); i += 2) {
    std::ifstream in(files[i], std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    ir::Context ir;
    diag::Engine diags;
    const ir::Program* program = serial::read_program(ir, bytes, diags);
    if (program == nullptr || diags.has_errors()) continue;
    const Options options;
    PassContext context{ir, diags, options};
    for (size_t row : rows_between("", "", options)) {
      const PassInfo& info = pipeline()[row];
      program = info.run(program, context);
      if (diags.has_errors()) break;
      const bool promised =
          std::find(std::begin(kIdempotent), std::end(kIdempotent), info.name) != std::end(kIdempotent);
      if (promised && info.run(program, context) != program)
        changed[std::string(info.name)] += " " + files[i].stem().string();
    }
  }
  for (const auto& [pass, programs] : changed) {
    INFO(pass << ":" << programs);
    CHECK(programs == "");
  }
}

}  // namespace
}  // namespace pyptoc::passes
