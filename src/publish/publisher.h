// SPDX-License-Identifier: Apache-2.0
// Puts the files of a build into its output folder.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "diag/engine.h"
#include "publish/interruption.h"
#include "publish/manifest.h"
#include "publish/output_tree.h"
#include "publish/target_folder.h"
#include "support/file_system.h"

namespace pyptoc::publish {

enum class PublishOutcome : uint8_t {
  kWritten,
  kUnchanged,    // every byte was there already; nothing was touched
  kFailed,       // reported; the folder is as it was, except after E0809
  kInterrupted,  // a signal came (interruption.exit_status()); the folder is as it was
};

struct PublishReport {
  PublishOutcome outcome = PublishOutcome::kFailed;
  size_t written = 0;  // files that are new or have new bytes, the manifest not counted
  size_t kept = 0;     // files whose bytes, and so their times, stay
  size_t removed = 0;  // files of the earlier build only
  // Not empty: the folder could not be replaced as a whole, for this reason, and was updated file by file.
  std::string in_place_reason;

  bool ok() const { return outcome == PublishOutcome::kWritten || outcome == PublishOutcome::kUnchanged; }
};

// Makes `dir` hold the files of `tree` and a manifest.json of `fields`.
//
// Whatever happens, a kill included, `dir` is afterwards what it was before or complete. Where it cannot be replaced in
// one step (a mount point, the current folder, a parent that cannot be written, a file system without that operation) a
// kill in the short time of the update leaves a mixture, which the next call for the folder completes first.
// Files whose bytes stay keep their times and identity. Files of the earlier build that this one does not have are
// removed; files that no build made stay, and are an error where one of the build has to go, or when there is no
// manifest that tells them apart. Two builds into one folder take turns; a turn that does not come is an error.
//
// Errors are reported to `engine` (E0801 to E0811). Nothing is left beside `dir` unless the process is killed, and what
// is left then goes with the next build.
PublishReport publish(support::FileSystem& fs, const std::string& dir, const OutputTree& tree,
                      const ManifestFields& fields, Interruption& interruption, diag::Engine& engine,
                      LockPatience patience = {});

// Finishes or takes back what a killed build left in and beside `dir`, as the next publish() would. False: it cannot
// (reported).
bool recover(support::FileSystem& fs, const std::string& dir, Interruption& interruption, diag::Engine& engine,
             LockPatience patience = {});

}  // namespace pyptoc::publish
