// SPDX-License-Identifier: Apache-2.0
// The codes of one area alone, so that a new code elsewhere does not rebuild its users: reading JSON and MessagePack.
#pragma once

#include <cstdint>
#include <string_view>

#include "diag/code.h"

namespace pyptoc::diag::codes {

#include "diag/codes_serial.def"

}  // namespace pyptoc::diag::codes
