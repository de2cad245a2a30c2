// SPDX-License-Identifier: Apache-2.0
// A function that the build generates; see source_digest.cmake.
#pragma once

#include <string_view>

namespace pyptoc::driver {

// Of the sources that this pyptoc was built from: other sources may write other output under the same version.
std::string_view source_digest();

}  // namespace pyptoc::driver
