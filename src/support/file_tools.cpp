// SPDX-License-Identifier: Apache-2.0
// What is made of the operations of FileSystem: whole trees, paths.
#include "support/file_tools.h"

#include <cerrno>

namespace pyptoc::support {

std::string join_path(std::string_view directory, std::string_view name) {
  if (directory.empty()) return std::string(name);
  std::string out(directory);
  if (out.back() != '/') out += '/';
  return out.append(name);
}

std::string parent_path(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  path = path.substr(0, slash);
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return path.empty() ? "/" : std::string(path);
}

std::string_view file_name(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

Status make_directories(FileSystem& fs, const std::string& path, std::vector<std::string>* made) {
  std::vector<std::string> missing;
  for (std::string at = path;; at = parent_path(at)) {
    auto stat = fs.stat(at);
    if (!stat.ok()) return stat.error();
    if (stat->has_value()) break;
    missing.push_back(at);
    if (parent_path(at) == at) break;
  }
  for (auto at = missing.rbegin(); at != missing.rend(); ++at) {
    const Status status = fs.make_directory(*at);
    if (!status.ok() && status.error().code != EEXIST) return status.error();
    if (status.ok() && made != nullptr) made->push_back(*at);
  }
  return Done{};
}

Result<std::vector<DirectoryEntry>> list_tree(FileSystem& fs, const std::string& directory) {
  std::vector<DirectoryEntry> out;
  std::vector<DirectoryEntry> pending;  // the next one last
  std::string below;                    // the directory being expanded, relative; empty for `directory`
  for (;;) {
    auto entries = fs.list(below.empty() ? directory : join_path(directory, below));
    if (!entries.ok()) return entries.error();
    for (auto entry = entries->rbegin(); entry != entries->rend(); ++entry)
      pending.push_back({join_path(below, entry->path), entry->kind});
    for (;;) {
      if (pending.empty()) return out;
      out.push_back(std::move(pending.back()));
      pending.pop_back();
      if (out.back().kind == FileKind::kDirectory) break;
    }
    below = out.back().path;
  }
}

Status remove_tree(FileSystem& fs, const std::string& path) {
  const auto stat = fs.stat(path);
  if (!stat.ok()) return stat.error();
  if (!stat->has_value()) return Done{};
  if (!(*stat)->is_directory()) return fs.remove_file(path);
  const auto entries = list_tree(fs, path);
  if (!entries.ok()) return entries.error();
  Status first = Done{};
  for (auto entry = entries->rbegin(); entry != entries->rend(); ++entry) {
    const std::string full = join_path(path, entry->path);
    const Status status = entry->kind == FileKind::kDirectory ? fs.remove_directory(full) : fs.remove_file(full);
    if (!status.ok() && first.ok()) first = status;
  }
  const Status status = fs.remove_directory(path);
  return first.ok() ? status : first;
}

Status create_durable_file(FileSystem& fs, const std::string& path, std::string_view content) {
  PYPTOC_TRY(fs.create_file(path, content));
  return fs.flush(path);
}

}  // namespace pyptoc::support
