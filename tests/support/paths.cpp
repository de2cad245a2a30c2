// SPDX-License-Identifier: Apache-2.0
#include "paths.h"

namespace pyptoc::test_support {

std::filesystem::path source_dir() { return PYPTOC_SOURCE_DIR; }

std::filesystem::path shared_dir() { return PYPTOC_SHARED_DIR; }

}  // namespace pyptoc::test_support
