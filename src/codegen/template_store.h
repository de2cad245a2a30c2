// SPDX-License-Identifier: Apache-2.0
// Where templates come from: the binary, or a folder of the user's instead (`--template-dir`).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "publish/manifest.h"
#include "support/file_system.h"

namespace pyptoc::codegen {

// A folder stands for all of the built-in templates: one that it lacks is missing, so that a misspelt file name cannot
// bring back the built-in text unseen. Each file is read once. For one thread.
class TemplateStore {
 public:
  TemplateStore() = default;  // the binary's
  TemplateStore(support::FileSystem& files, std::string folder) : files_(&files), folder_(std::move(folder)) {}

  bool is_built_in() const { return files_ == nullptr; }

  // The text of `collectives/allreduce/kernel.cpp.in`, which lives as long as the store.
  support::Result<std::string_view> read(const std::string& path);

  // How a message names a template: its path in the folder, or `<built-in>/collectives/...`.
  std::string shown(std::string_view path) const;

  // What was read from the folder, for the manifest: paths relative to the program's folder (empty: the current one),
  // sorted; nothing for the binary's templates. Error: a folder that was there is gone.
  support::Result<std::vector<publish::ManifestInput>> inputs(const std::string& program_folder) const;

 private:
  support::FileSystem* files_ = nullptr;
  std::string folder_;
  std::map<std::string, std::string> texts_;
};

// `to` seen from `from`, both absolute and without links: `../templates`.
std::string relative_path(std::string_view from, std::string_view to);

}  // namespace pyptoc::codegen
