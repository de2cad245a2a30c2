// SPDX-License-Identifier: Apache-2.0
// The files of one build, in memory, before any of them is written.
#include "publish/output_tree.h"

#include <fmt/format.h>

#include <utility>

#include "support/safe_name.h"

namespace pyptoc::publish {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// Calls `visit` for `a` and `a/b` of the path `a/b/c`.
template <class Visit>
void each_folder(std::string_view path, Visit visit) {
  for (size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1))
    visit(path.substr(0, slash));
}

}  // namespace

support::Status OutputTree::check_free(const std::string& path) const {
  const std::string key = lower(path);
  if (key == kManifestPath) return support::Error{fmt::format("`{}` is the name of the manifest", path)};
  if (const auto same = names_.find(key); same != names_.end())
    return support::Error{same->second == path ? fmt::format("`{}` occurs twice", path)
                                               : fmt::format("`{}` and `{}` differ in case only", same->second, path)};
  if (const auto same = folders_.find(key); same != folders_.end())
    return support::Error{fmt::format("`{}` is also a folder", same->second)};
  support::Status status = support::Done{};
  each_folder(path, [&](std::string_view folder) {
    const std::string folder_key = lower(folder);
    const auto file = names_.find(folder_key);
    const auto other = folders_.find(folder_key);
    if (!status.ok()) return;
    if (file != names_.end() || folder_key == kManifestPath) {
      status = support::Error{fmt::format("`{}` is also a file", folder)};
    } else if (other != folders_.end() && other->second != folder) {
      status = support::Error{fmt::format("`{}` and `{}` differ in case only", other->second, folder)};
    }
  });
  return status;
}

support::Status OutputTree::add(std::string_view path, std::string content, std::string_view kind) {
  const auto safe = support::safe_relative_path(path);
  if (!safe.ok()) return safe.error();
  PYPTOC_TRY(check_free(*safe));
  names_.emplace(lower(path), path);
  each_folder(path, [&](std::string_view folder) { folders_.emplace(lower(folder), folder); });
  files_.emplace(path, OutputFile{std::move(content), std::string(kind)});
  return support::Done{};
}

const OutputFile* OutputTree::find(std::string_view path) const {
  const auto file = files_.find(path);
  return file == files_.end() ? nullptr : &file->second;
}

}  // namespace pyptoc::publish
