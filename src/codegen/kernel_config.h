// SPDX-License-Identifier: Apache-2.0
// kernel_config.py of one sub-build. Source: runtime-contract.md.
#pragma once

#include <string>
#include <vector>

#include "codegen/chip_unit.h"

namespace pyptoc::codegen {

struct KernelEntry {
  std::string name;
  std::string source;  // path in the sub-build, with `/`
  bool is_cube = false;
  bool is_external = false;
  std::vector<std::string> include_dirs;  // in the sub-build
  std::vector<Signature> signature;
};

struct KernelConfig {
  std::string orchestration_source;  // path in the sub-build
  std::vector<Signature> orchestration_signature;
  std::vector<KernelEntry> kernels;  // func_id is the index
  bool enable_sdma = false;          // a kernel prefetches
};

std::string render_kernel_config(const KernelConfig& config);

}  // namespace pyptoc::codegen
