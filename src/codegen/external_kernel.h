// SPDX-License-Identifier: Apache-2.0
// Hand-written kernels: the source file and what it includes by quotes, copied into the sub-build.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diag/engine.h"
#include "ir/program.h"
#include "support/file_system.h"

namespace pyptoc::codegen {

struct CopiedFile {
  std::string from;  // relative to the program's folder, wherever that is, or absolute if the program says so
  std::string path;  // below the kernel's folder in the sub-build
  std::string content;
};

struct ExternalKernel {
  std::string source;                     // path of the entry file among `files`
  std::vector<CopiedFile> files;          // the entry first
  std::vector<std::string> include_dirs;  // below the kernel's folder
};

// Follows includes by quotes through the including file's folder and the function's external_include_dirs; one that is
// found in neither belongs to the runtime and is left alone. Relative paths start at `program_folder`. None when the
// entry cannot be read: an error, or with `missing_is_warning` a warning.
std::optional<ExternalKernel> read_external_kernel(const ir::Function* kernel, const std::string& program_folder,
                                                   support::FileSystem& files, diag::Engine& diags,
                                                   bool missing_is_warning);

}  // namespace pyptoc::codegen
