// SPDX-License-Identifier: Apache-2.0
// Updates an output folder file by file, where it cannot be replaced as a whole.
#pragma once

#include <string_view>

#include "diag/engine.h"
#include "publish/interruption.h"
#include "publish/output_tree.h"
#include "publish/survey.h"
#include "publish/target_folder.h"
#include "support/file_system.h"

namespace pyptoc::publish {

// The new files and a journal of what is to be done with them are written to `.pyptoc-stage` inside the folder and
// flushed. With the journal the update is decided: until then the folder is the old one whatever happens, and from then
// on it becomes the new one, if need be in the next build into it (recover_in_place). A process killed between these
// two leaves a mixture until that build; this is why swap_in() is always tried first. True: done. False: failed
// (reported) or interrupted; the folder is as it was, except after E0809.
bool update_in_place(support::FileSystem& fs, const TargetFolder& target, const OutputTree& tree,
                     std::string_view manifest, const Survey& survey, const Interruption& interruption,
                     diag::Engine& engine);

// Finishes the update that a killed build had decided, or removes what it had prepared. Requires a lock.
// False: impossible (reported).
bool recover_in_place(support::FileSystem& fs, const TargetFolder& target, diag::Engine& engine);

}  // namespace pyptoc::publish
