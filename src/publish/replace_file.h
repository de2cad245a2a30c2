// SPDX-License-Identifier: Apache-2.0
// Writes one file so that it is either the old or the new one at any moment.
#pragma once

#include <string>
#include <string_view>

#include "diag/engine.h"
#include "publish/interruption.h"
#include "support/file_system.h"

namespace pyptoc::publish {

enum class WhenSame { kKeep, kReplace };

// Puts a file with `content` at `path`: written beside it, flushed, renamed. A link is followed, so that it stays one;
// a device or a pipe is written to directly. The permissions of an existing file are kept. With kKeep, a file that
// already has this content is not touched. False: it could not be written (reported, E0801) or a signal came
// (interruption.pending()); no temporary file is left.
bool replace_file(support::FileSystem& fs, const std::string& path, std::string_view content, WhenSame when_same,
                  Interruption& interruption, diag::Engine& engine);

}  // namespace pyptoc::publish
