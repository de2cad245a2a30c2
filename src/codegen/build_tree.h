// SPDX-License-Identifier: Apache-2.0
// From the program after the last pass to the files of the output and the facts of the manifest.
#pragma once

#include <optional>
#include <string>

#include "diag/engine.h"
#include "ir/program.h"
#include "passes/target.h"
#include "publish/manifest.h"
#include "publish/output_tree.h"
#include "support/file_system.h"

namespace pyptoc::codegen {

struct BuildOptions {
  passes::Target target;
  bool orchestration_only = false;  // --emit orchestration: bodies of the program's own kernels are left out
  std::string template_dir;         // templates of collectives from this folder; empty = the built-in ones
  diag::WarningPolicy warnings;     // that of the engine which gets the reports
  size_t jobs = 1;                  // threads at most; the result does not depend on it
  std::string program_folder;       // where relative paths of external kernels start; empty = the current folder
};

struct BuildResult {
  publish::OutputTree tree;
  // What the manifest says of the content: entry, chips, inputs, domains, obligations. The rest is the caller's.
  publish::ManifestFields manifest;
};

// Nothing when an error was reported.
std::optional<BuildResult> build_tree(const ir::Program* program, const BuildOptions& options,
                                      support::FileSystem& files, diag::Engine& diags);

}  // namespace pyptoc::codegen
