// SPDX-License-Identifier: Apache-2.0
// The devices that pyptoc compiles for: core counts, on-chip memory, how a launch gives its width.
// Source: runtime-contract.md, "Chip orchestration .cpp" and "Kernel .cpp".
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace pyptoc::passes {

struct Target {
  std::string_view name;          // the value of --target
  std::string_view backend_type;  // in compiled_meta.json and distributed_meta.json
  std::string_view set_width;     // the member of launch_spec that takes the number of blocks
  int aiv_cores;
  int aic_cores;  // = clusters: a mixed task takes one cube core and its two vector cores
  // Bytes that buffer planning may use; the library keeps the rest of the vector memory.
  int64_t vec_bytes;
  int64_t mat_bytes;
  int64_t left_bytes;
  int64_t right_bytes;
  int64_t acc_bytes;
  int64_t bias_bytes;
  bool needs_gm_pipe_buffer;  // pipes between cube and vector cores go through global memory
};

inline constexpr int64_t kKiB = 1024;
inline constexpr std::array<Target, 2> kTargets = {{
    {"a2a3", "Ascend910B", "set_block_num", 48, 24, 184 * kKiB, 512 * kKiB, 64 * kKiB, 64 * kKiB, 128 * kKiB, 1 * kKiB,
     true},
    {"a5", "Ascend950", "set_core_num", 72, 36, 240 * kKiB, 512 * kKiB, 64 * kKiB, 64 * kKiB, 256 * kKiB, 4 * kKiB,
     false},
}};

// Null when there is no target of that name.
constexpr const Target* find_target(std::string_view name) {
  for (const Target& target : kTargets)
    if (target.name == name) return &target;
  return nullptr;
}

}  // namespace pyptoc::passes
