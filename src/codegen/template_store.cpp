// SPDX-License-Identifier: Apache-2.0
#include "codegen/template_store.h"

#include <algorithm>

#include "codegen/embedded_templates.h"
#include "support/file_tools.h"
#include "support/sha256.h"

namespace pyptoc::codegen {

namespace {

std::vector<std::string_view> components(std::string_view path) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at < path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    if (end > at) parts.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace

support::Result<std::string_view> TemplateStore::read(const std::string& path) {
  if (is_built_in()) {
    for (const EmbeddedTemplate& file : embedded_templates())
      if (file.path == path) return file.text;
    return support::Error{"no built-in template has this name", 0};
  }
  if (const auto known = texts_.find(path); known != texts_.end()) return std::string_view(known->second);
  support::Result<std::string> text = files_->read_file(support::join_path(folder_, path));
  if (!text.ok()) return text.error();
  return std::string_view(texts_.emplace(path, std::move(text).value()).first->second);
}

std::string TemplateStore::shown(std::string_view path) const {
  return support::join_path(is_built_in() ? "<built-in>" : folder_, path);
}

support::Result<std::vector<publish::ManifestInput>> TemplateStore::inputs(const std::string& program_folder) const {
  std::vector<publish::ManifestInput> out;
  if (texts_.empty()) return out;
  const auto from = files_->real_path(program_folder.empty() ? "." : program_folder);
  if (!from.ok()) return from.error();
  const auto to = files_->real_path(folder_);
  if (!to.ok()) return to.error();
  const std::string folder = relative_path(*from, *to);
  for (const auto& [path, text] : texts_) out.push_back({support::join_path(folder, path), support::sha256(text)});
  return out;
}

std::string relative_path(std::string_view from, std::string_view to) {
  const std::vector<std::string_view> a = components(from);
  const std::vector<std::string_view> b = components(to);
  size_t common = 0;
  while (common < a.size() && common < b.size() && a[common] == b[common]) ++common;
  std::string path;
  for (size_t i = common; i < a.size(); ++i) path += path.empty() ? ".." : "/..";
  for (size_t i = common; i < b.size(); ++i) path += (path.empty() ? "" : "/") + std::string(b[i]);
  return path.empty() ? "." : path;
}

}  // namespace pyptoc::codegen
