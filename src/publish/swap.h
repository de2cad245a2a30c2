// SPDX-License-Identifier: Apache-2.0
// Replaces an output folder as a whole, in one step.
#pragma once

#include <string>
#include <string_view>

#include "diag/engine.h"
#include "publish/interruption.h"
#include "publish/output_tree.h"
#include "publish/survey.h"
#include "publish/target_folder.h"
#include "support/file_system.h"

namespace pyptoc::publish {

enum class SwapOutcome : uint8_t {
  kDone,
  kFailed,       // reported; the folder is as it was
  kInterrupted,  // a signal came; the folder is as it was
  kImpossible,   // this place does not allow it; the folder is as it was, and `in_place_reason` says why
};

// The complete new tree is made beside the folder, out of the very files of the old one where they stay (second names
// for them, so that times and identities are kept) and of new ones; it is flushed and then changes places with the
// folder, or becomes it where there was none. Whatever ends the process, the folder is the old or the new one. Requires
// a lock, and nothing of an earlier swap beside the folder (recover_swap).
SwapOutcome swap_in(support::FileSystem& fs, TargetFolder& target, const OutputTree& tree, std::string_view manifest,
                    const Survey& survey, const Interruption& interruption, diag::Engine& engine);

// Removes what a killed build left beside the folder. A file that somebody put into the old folder in the instant of
// the swap is saved into the new one. False: something could not be removed.
bool recover_swap(support::FileSystem& fs, const TargetFolder& target);

}  // namespace pyptoc::publish
