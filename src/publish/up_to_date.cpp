// SPDX-License-Identifier: Apache-2.0
// Whether a build would write what is there already.
#include "publish/up_to_date.h"

#include <fmt/format.h>

#include "publish/manifest.h"
#include "publish/target_folder.h"
#include "support/file_tools.h"
#include "support/sha256.h"

namespace pyptoc::publish {
namespace {

using support::join_path;

UpToDate no(std::string reason) {
  return {false, std::move(reason)};
}

}  // namespace

UpToDate is_up_to_date(support::FileSystem& fs, const std::string& dir, const BuildKey& key,
                       const std::string& input_folder) {
  const auto text = fs.read_file(join_path(dir, kManifestPath));
  if (!text.ok()) return no("there is no manifest");
  const auto manifest = parse_manifest(*text);
  if (!manifest.ok() || manifest->schema != kManifestSchema) return no("the manifest is not one of this pyptoc");
  if (manifest->pyptoc_version != key.pyptoc_version) return no("another version of pyptoc made it");
  if (manifest->input_digest != key.input_digest) return no("the program has changed");
  if (manifest->options_digest != key.options_digest) return no("options or templates have changed");
  if (const auto stage = fs.stat(join_path(dir, kInnerStage)); !stage.ok() || stage->has_value())
    return no("an update is unfinished");
  for (const ManifestInput& input : manifest->inputs) {
    const auto content = fs.read_file(path_of_input(input_folder, input.path));
    if (!content.ok() || support::sha256(*content) != input.sha256)
      return no(fmt::format("{} has changed", input.path));
  }
  for (const ManifestFile& file : manifest->files) {
    const std::string path = join_path(dir, file.path);
    const auto stat = fs.stat(path);
    if (!stat.ok() || !stat->has_value()) return no(fmt::format("{} is missing", file.path));
    const bool same_size = (*stat)->is_file() && (*stat)->size == file.size;
    const auto content = same_size ? fs.read_file(path) : support::Result<std::string>(support::Error{});
    if (!content.ok() || support::sha256(*content) != file.sha256) return no(fmt::format("{} has changed", file.path));
  }
  return {true, {}};
}

std::string path_of_input(const std::string& input_folder, const std::string& path) {
  return input_folder == "." || path.starts_with('/') ? path : join_path(input_folder, path);
}

}  // namespace pyptoc::publish
