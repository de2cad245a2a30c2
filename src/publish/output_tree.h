// SPDX-License-Identifier: Apache-2.0
// The files of one build, in memory, before any of them is written.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "support/result.h"

namespace pyptoc::publish {

inline constexpr std::string_view kManifestPath = "manifest.json";

struct OutputFile {
  std::string content;
  std::string kind;  // what the manifest calls it: `kernel`, `orchestration`, `kernel_config`, ...
};

// Relative paths with `/`, each name of them safe (support::safe_relative_path), no two of which are the same file
// anywhere: not even where case is ignored, and none a folder of another. `manifest.json` is not among them.
class OutputTree {
 public:
  using Files = std::map<std::string, OutputFile, std::less<>>;

  // Refuses a path that breaks the rules above, in words that fit after `:`.
  support::Status add(std::string_view path, std::string content, std::string_view kind);

  const Files& files() const { return files_; }  // sorted by the bytes of their paths
  const OutputFile* find(std::string_view path) const;
  bool empty() const { return files_.empty(); }

 private:
  support::Status check_free(const std::string& path) const;

  Files files_;
  std::map<std::string, std::string> names_;    // each file in lower case -> its path
  std::map<std::string, std::string> folders_;  // each folder in lower case -> its path
};

}  // namespace pyptoc::publish
