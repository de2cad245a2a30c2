// SPDX-License-Identifier: Apache-2.0
// Stand-in for the runtime's "intrinsic.h": which block of a launch a kernel runs as. The two contexts stand behind the
// longest argument list; only the functions below may know where.
#pragma once

#include <cstdint>

#ifndef __gm__
#define __gm__
#endif
#ifndef __aicore__
#define __aicore__
#endif

struct LocalContext {
  int32_t block_idx;
  int32_t block_num;
};

struct GlobalContext {
  int32_t sub_block_id;
};

inline constexpr int32_t STANDIN_LOCAL_CONTEXT = 48;
inline constexpr int32_t STANDIN_GLOBAL_CONTEXT = 49;
inline constexpr int32_t STANDIN_KERNEL_ARGS = 50;

inline __aicore__ int32_t get_block_idx(__gm__ int64_t* args) {
  return reinterpret_cast<__gm__ LocalContext*>(args[STANDIN_LOCAL_CONTEXT])->block_idx;
}

inline __aicore__ int32_t get_block_num(__gm__ int64_t* args) {
  return reinterpret_cast<__gm__ LocalContext*>(args[STANDIN_LOCAL_CONTEXT])->block_num;
}

inline __aicore__ int32_t get_sub_block_id(__gm__ int64_t* args) {
  return reinterpret_cast<__gm__ GlobalContext*>(args[STANDIN_GLOBAL_CONTEXT])->sub_block_id;
}
