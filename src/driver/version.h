// SPDX-License-Identifier: Apache-2.0
// What this pyptoc is: --version, and what manifests say of their maker.
#pragma once

#include <string>
#include <string_view>

#include "driver/options.h"

namespace pyptoc::driver {

std::string_view version();  // `0.1.0`

std::string version_text(VersionFormat format);

}  // namespace pyptoc::driver
