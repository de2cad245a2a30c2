// SPDX-License-Identifier: Apache-2.0
// Stand-in for the types of the communication instructions.
#pragma once

#include <cstdint>

#include "pto/pto-inst.hpp"

namespace pto {
namespace comm {

enum class NotifyOp : uint8_t { AtomicAdd = 0, Set = 1 };
enum class WaitCmp : uint8_t { EQ = 0, NE = 1, GT = 2, GE = 3, LT = 4, LE = 5 };

using Signal = GlobalTensor<int32_t, Shape<1, 1, 1, 1, 1>, Stride<1, 1, 1, 1, 1>, Layout::ND>;

}  // namespace comm
}  // namespace pto
