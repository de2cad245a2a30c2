// SPDX-License-Identifier: Apache-2.0
// The hand-written reference trees compile against the stand-in's headers and run on it, their kernels replaced by ones
// made from the signatures.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "paths.h"
#include "standin/compile.h"
#include "standin/kernel_config.h"

namespace fs = std::filesystem;

namespace {

// One tensor [4, 16] for each in the signature, and more scalars than any of the trees reads.
standin::Arguments arguments_for(const standin::KernelConfig& config) {
  standin::Arguments arguments;
  for (size_t i = 0; i < config.signature.size(); ++i) {
    arguments.tensors.push_back(standin::host_tensor("t" + std::to_string(i), config.signature[i], DataType::INT32,
                                                     {4, 16}, std::vector<int32_t>(64, static_cast<int32_t>(i))));
  }
  arguments.scalars.assign(8, 1);
  return arguments;
}

}  // namespace

TEST_CASE("the reference trees run on the stand-in") {
  const fs::path root = pyptoc::test_support::shared_dir() / "reference";
  if (!fs::exists(root)) {
    std::cout << "skipped: no reference trees beside the repository\n";
    return;
  }
  // they name task ids that they do not use
  const standin::CompileOptions options{{"-Wno-unused-variable", "-Wno-unused-but-set-variable"}, "g++"};
  int trees = 0;
  for (const char* tree : {"chip_all_to_all_v/next_levels/chip_pipeline", "host_mesh_sum/next_levels/publish",
                           "host_mesh_sum/next_levels/builtin.tensor.allreduce__sum__fp32"}) {
    INFO(tree);
    const fs::path folder = root / tree;
    const standin::Loaded loaded = standin::load_tree(folder, true, options);
    REQUIRE(loaded.error == "");
    std::ifstream in(folder / "kernel_config.py");
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const standin::Arguments arguments = arguments_for(standin::parse_kernel_config(text, folder));
    CHECK(standin::run_seeds(loaded.program, arguments, {}, 20, [](const standin::RunResult&) { return ""; }) == "");
    ++trees;
  }
  CHECK(trees == 3);
}
