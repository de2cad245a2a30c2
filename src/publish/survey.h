// SPDX-License-Identifier: Apache-2.0
// What is in an output folder and what a build has to change there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diag/engine.h"
#include "publish/manifest.h"
#include "publish/output_tree.h"
#include "publish/target_folder.h"
#include "support/file_system.h"

namespace pyptoc::publish {

// Lists of paths relative to the folder, sorted. `keep`, `write`: the files of the new tree, by whether the very bytes
// are there already; the manifest is not among them. `stale`: files of the earlier build only. `foreign`: files, links
// and so on that no build made; `foreign_folders`: folders that hold such, or nothing, and no build made.
struct Survey {
  std::vector<std::string> keep;
  std::vector<std::string> write;
  bool manifest_is_same = false;
  std::vector<std::string> stale;
  std::vector<std::string> foreign;
  std::vector<std::string> foreign_folders;

  bool nothing_to_do() const { return manifest_is_same && write.empty() && stale.empty(); }
};

// The manifest of the earlier build; an inner nothing when there is none. Outer nothing: there is one that cannot be
// used (reported).
std::optional<std::optional<EarlierManifest>> read_earlier_manifest(support::FileSystem& fs, const TargetFolder& target,
                                                                    diag::Engine& engine);

// Looks at an existing folder that is locked and of which no update is unfinished. Nothing: the build must not write
// there (reported): the folder is somebody else's, or a file of somebody else is where one of the build has to go.
std::optional<Survey> survey_target(support::FileSystem& fs, const TargetFolder& target, const OutputTree& tree,
                                    std::string_view manifest, diag::Engine& engine);

// The folders that `path` lies in, outermost first: `a`, `a/b` for `a/b/c`.
std::vector<std::string> folders_of(std::string_view path);

}  // namespace pyptoc::publish
