// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace pyptoc::test_support {

// The root of the repository, absolute.
std::filesystem::path source_dir();

// The folder with the specification and the corpus, which a checkout may lack: a test that reads it skips with a message.
std::filesystem::path shared_dir();

}  // namespace pyptoc::test_support
