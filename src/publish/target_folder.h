// SPDX-License-Identifier: Apache-2.0
// The output folder of a build: where it really is, and the right to change it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diag/engine.h"
#include "publish/interruption.h"
#include "support/file_system.h"

namespace pyptoc::publish {

// Everything that pyptoc puts beside an output folder `out` is called `.out.pyptoc-*`, and inside of it
// `.pyptoc-stage`.
inline constexpr std::string_view kInnerStage = ".pyptoc-stage";

struct TargetFolder {
  std::string shown;                      // as the user wrote it, for messages
  std::string path;                       // without links, `.` and `..`
  std::string parent;                     // of `path`
  std::optional<support::FileStat> stat;  // nothing: the folder does not exist
  std::vector<std::string> made_parents;  // folders above it that were made for it, outermost first
  // Why the folder cannot be replaced as a whole; empty when it perhaps can.
  std::string in_place_reason;

  bool exists() const { return stat.has_value(); }
  // The new tree while it is written, or what is left of an old one; holds nothing that is needed.
  std::string stage() const { return beside("stage"); }
  // A complete tree on its way out of or into `path`; may hold files of others (swap.h).
  std::string ready() const { return beside("ready"); }
  std::string lock_file() const { return beside("lock"); }
  std::string inner_stage() const;

 private:
  std::string beside(std::string_view what) const;
};

// Resolves `dir` and makes the folders above it. Nothing: it cannot be a folder (reported).
std::optional<TargetFolder> locate_target(support::FileSystem& fs, const std::string& dir, diag::Engine& engine);

// Removes the folders that locate_target made, as far as they are empty.
void forget_target(support::FileSystem& fs, const TargetFolder& target);

// Both locks of a target. One is on a file beside the folder, so that two builds exclude each other also before it
// exists and while it is replaced. The other is on the folder itself: where the parent cannot be written there is no
// other, and builds that may write the parent have to respect that one.
struct TargetLock {
  std::unique_ptr<support::FileLock> beside;
  std::unique_ptr<support::FileLock> folder;
};

struct LockPatience {
  uint32_t pause_milliseconds = 20;
  uint32_t tries = 3000;  // a minute
};

// Waits for its turn; on return nobody else changes the folder, and `target.stat` says what it is now.
// Nothing: it took too long, there are no locks (both reported), or a signal came.
std::optional<TargetLock> lock_target(support::FileSystem& fs, TargetFolder& target, LockPatience patience,
                                      const Interruption& interruption, diag::Engine& engine);

}  // namespace pyptoc::publish
