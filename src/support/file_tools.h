// SPDX-License-Identifier: Apache-2.0
// What is made of the operations of FileSystem: whole trees, paths.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/file_system.h"

namespace pyptoc::support {

std::string join_path(std::string_view directory, std::string_view name);
// `.` for a path of one component; `/` for what is below the root.
std::string parent_path(std::string_view path);
std::string_view file_name(std::string_view path);

// All directories of `path` that are missing. Those made are appended to `made`, outermost first, also on failure.
Status make_directories(FileSystem& fs, const std::string& path, std::vector<std::string>* made = nullptr);

// Everything below `directory`, a directory before what it holds, sorted within each directory; links are not followed.
Result<std::vector<DirectoryEntry>> list_tree(FileSystem& fs, const std::string& directory);

// Removes a file, or a directory with everything below it; nothing to do when it is not there. Goes on after a failure
// and returns the first.
Status remove_tree(FileSystem& fs, const std::string& path);

// create_file() and flush().
Status create_durable_file(FileSystem& fs, const std::string& path, std::string_view content);

}  // namespace pyptoc::support
