// SPDX-License-Identifier: Apache-2.0
// Compiles kernels for blocks of ranks and loads them. Compiled objects are kept in the system's temporary folder under
// a name made from the text, the headers and the options, so that each kernel is compiled once for all test processes.
#pragma once

#include <filesystem>
#include <string>

#include "ranks/world.h"
#include "standin/compile.h"

namespace standin::ranks {

struct LoadedKernel {
  Body body;
  std::string error;  // empty when it compiled and loaded
};

LoadedKernel load_kernel_text(const std::string& text, const std::filesystem::path& quote_folder = {});
LoadedKernel load_kernel(const std::filesystem::path& source);

// The same for an orchestration, from the cache.
Loaded load_cached_orchestration(const std::filesystem::path& source, const CompileOptions& options = {});

std::string read_text(const std::filesystem::path& file);

}  // namespace standin::ranks
