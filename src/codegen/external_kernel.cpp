// SPDX-License-Identifier: Apache-2.0
#include "codegen/external_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "diag/codes_emit.h"

namespace pyptoc::codegen {

using namespace ir;

namespace {

// Without `.` and empty components; `..` removes one where there is one.
std::vector<std::string> components(std::string_view path) {
  std::vector<std::string> out;
  for (size_t at = 0; at <= path.size();) {
    size_t end = std::min(path.find('/', at), path.size());
    std::string_view part = path.substr(at, end - at);
    if (part == ".." && !out.empty() && out.back() != "..")
      out.pop_back();
    else if (!part.empty() && part != ".")
      out.emplace_back(part);
    at = end + 1;
  }
  return out;
}

std::string joined(const std::vector<std::string>& parts, size_t from, bool absolute) {
  std::string out = absolute ? "/" : "";
  for (size_t i = from; i < parts.size(); ++i) out += (i > from ? "/" : "") + parts[i];
  return out;
}

std::string normal(std::string_view path) {
  return joined(components(path), 0, path.starts_with('/'));
}

std::string below(const std::string& folder, std::string_view path) {
  if (path.starts_with('/') || folder.empty()) return normal(path);
  return normal(folder + "/" + std::string(path));
}

std::string folder_of(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : slash == 0 ? "/" : path.substr(0, slash);
}

// The names in `#include "..."` lines.
std::vector<std::string> quoted_includes(std::string_view text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    auto skip = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
    skip();
    if (!line.starts_with('#')) continue;
    line.remove_prefix(1);
    skip();
    if (!line.starts_with("include")) continue;
    line.remove_prefix(7);
    skip();
    size_t close = line.starts_with('"') ? line.find('"', 1) : std::string_view::npos;
    if (close != std::string_view::npos) out.emplace_back(line.substr(1, close - 1));
  }
  return out;
}

// The strings of a JSON array, as external_include_dirs has them; escapes are not used in paths that the front end
// writes.
std::vector<std::string> strings_of(std::string_view json) {
  std::vector<std::string> out;
  for (size_t open = json.find('"'); open != std::string_view::npos;) {
    std::string text;
    size_t at = open + 1;
    for (; at < json.size() && json[at] != '"'; ++at) {
      if (json[at] == '\\' && at + 1 < json.size()) ++at;
      text += json[at];
    }
    out.push_back(text);
    open = json.find('"', at + 1);
  }
  return out;
}

class Collector {
 public:
  Collector(support::FileSystem& files, std::string program_folder, std::vector<std::string> dirs)
      : files_(files), program_folder_(std::move(program_folder)), dirs_(std::move(dirs)) {}

  // True when the file could be read.
  bool add(const std::string& path) {
    if (index_.contains(path)) return true;
    support::Result<std::string> content = files_.read_file(below(program_folder_, path));
    if (!content.ok()) return false;
    index_[path] = found_.size();
    found_.push_back({path, "", std::move(content).value()});
    return true;
  }

  void follow_all() {
    for (size_t i = 0; i < found_.size(); ++i) {
      std::string folder = folder_of(found_[i].from);
      for (const std::string& name : quoted_includes(found_[i].content)) {
        if (add(below(folder, name))) continue;
        for (const std::string& dir : dirs_)
          if (add(below(dir, name))) break;
      }
    }
  }

  // Places all files below their deepest common folder.
  ExternalKernel finish() {
    lift_above_program_folder();
    std::vector<std::string> common = components(folder_of(found_.front().path));
    auto narrow = [&](const std::string& folder) {
      std::vector<std::string> parts = components(folder);
      size_t same = 0;
      while (same < common.size() && same < parts.size() && common[same] == parts[same]) ++same;
      common.resize(same);
    };
    std::vector<std::string> used_dirs;
    for (const CopiedFile& file : found_) narrow(folder_of(file.path));
    for (const std::string& dir : dirs_)
      for (const CopiedFile& file : found_)
        if (file.path.starts_with(dir + "/")) {
          narrow(dir);
          used_dirs.push_back(dir);
          break;
        }
    ExternalKernel out;
    for (CopiedFile& file : found_) file.path = joined(components(file.path), common.size(), false);
    for (const std::string& dir : used_dirs) out.include_dirs.push_back(joined(components(dir), common.size(), false));
    out.source = found_.front().path;
    out.files = std::move(found_);
    return out;
  }

 private:
  // Gives every file its place in a tree that has room above the program's folder: with `..` in front of a path that
  // folder needs a name, which must not be its own, as the output does not depend on where the program is.
  void lift_above_program_folder() {
    size_t levels = 0;
    std::set<std::string> names;
    const auto look_at = [&](const std::string& path) {
      const std::vector<std::string> parts = components(path);
      levels = std::max(levels, static_cast<size_t>(std::ranges::count(parts, "..")));
      names.insert(parts.begin(), parts.end());
    };
    for (const CopiedFile& file : found_) look_at(file.from);
    for (const std::string& dir : dirs_) look_at(dir);
    std::string level = "level";
    while (names.contains(level)) level += '_';
    std::string top;
    for (size_t i = 0; i < levels; ++i) top += level + '/';
    for (CopiedFile& file : found_) file.path = below(top, file.from);
    for (std::string& dir : dirs_) dir = below(top, dir);
  }

  support::FileSystem& files_;
  std::string program_folder_;
  std::vector<std::string> dirs_;
  std::vector<CopiedFile> found_;
  std::map<std::string, size_t> index_;
};

}  // namespace

std::optional<ExternalKernel> read_external_kernel(const Function* kernel, const std::string& program_folder,
                                                   support::FileSystem& files, diag::Engine& diags,
                                                   bool missing_is_warning) {
  const AttrValue* source = find_attr(kernel->attrs, "external_source");
  PYPTOC_ASSERT(source != nullptr && source->kind() == AttrKind::String, "kernel without an external source");
  std::vector<std::string> dirs;
  const AttrValue* given = find_attr(kernel->attrs, "external_include_dirs");
  if (given != nullptr && given->kind() == AttrKind::String)
    for (const std::string& dir : strings_of(given->as_string())) dirs.push_back(normal(dir));
  Collector collector(files, program_folder, dirs);
  if (!collector.add(normal(source->as_string()))) {
    if (missing_is_warning)
      diags.report(diag::codes::external_source_left_out, place_of(kernel), source->as_string(), kernel->name);
    else
      diags.report(diag::codes::external_source_missing, place_of(kernel), source->as_string(), kernel->name)
          .help("the path is relative to the folder of the program");
    return std::nullopt;
  }
  collector.follow_all();
  return collector.finish();
}

}  // namespace pyptoc::codegen
