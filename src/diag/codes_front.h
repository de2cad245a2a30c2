// SPDX-License-Identifier: Apache-2.0
// The codes of one area alone, so that a new code elsewhere does not rebuild its users: front passes.
#pragma once

#include <cstdint>
#include <string_view>

#include "diag/code.h"

namespace pyptoc::diag::codes {

#include "diag/codes_front.def"

}  // namespace pyptoc::diag::codes
