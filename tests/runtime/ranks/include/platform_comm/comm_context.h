// SPDX-License-Identifier: Apache-2.0
// Stand-in for the runtime's view of a comm domain, as the runtime contract lays it out.
#pragma once

#include <cstddef>
#include <cstdint>

inline constexpr uint32_t COMM_MAX_RANK_NUM = 64;

struct CommContext {
  uint64_t workSpace;
  uint64_t workSpaceSize;
  uint32_t rankId;
  uint32_t rankNum;
  uint64_t winSize;
  uint64_t windowsIn[COMM_MAX_RANK_NUM];  // addresses as this rank sees them
  uint64_t windowsOut[COMM_MAX_RANK_NUM];
};

static_assert(sizeof(CommContext) == 1056 && offsetof(CommContext, windowsIn) == 32 &&
                  offsetof(CommContext, windowsOut) == 544,
              "the layout of the contract");
