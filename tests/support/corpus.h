// SPDX-License-Identifier: Apache-2.0
// The real programs in ../shared/corpus, where they are there.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "paths.h"

namespace pyptoc::test_support {

inline std::filesystem::path corpus_folder() {
  return shared_dir() / "corpus";
}

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The graphs in the folder and, with recursive_directory_iterator, below it, sorted; none where it is missing.
template <class Iterator = std::filesystem::directory_iterator>
std::vector<std::filesystem::path> graphs_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> out;
  std::error_code ignored;
  for (const std::filesystem::directory_entry& entry : Iterator(folder, ignored))
    if (entry.path().extension() == ".msgpack") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace pyptoc::test_support
