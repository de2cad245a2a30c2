// SPDX-License-Identifier: Apache-2.0
// Reads the kernel_config.py that a build writes: the stable text form only, not Python.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "standin/kernel.h"

namespace standin {

struct KernelEntry {
  int func_id = -1;
  std::string name;
  std::filesystem::path source;  // below the folder of the file
  CoreType core = CoreType::kAiv;
  std::vector<Direction> signature;
};

struct KernelConfig {
  std::filesystem::path orchestration;
  std::vector<Direction> signature;
  std::vector<KernelEntry> kernels;  // func_id i at place i
  std::string error;                 // empty when the text was understood
};

KernelConfig parse_kernel_config(const std::string& text, const std::filesystem::path& folder);

}  // namespace standin
