// SPDX-License-Identifier: Apache-2.0
// What is in an output folder and what a build has to change there.
#include "publish/survey.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "diag/codes_io.h"
#include "support/file_tools.h"

namespace pyptoc::publish {
namespace {

using support::DirectoryEntry;
using support::FileKind;
using support::FileSystem;
namespace codes = diag::codes;

class Surveyor {
 public:
  Surveyor(FileSystem& fs, const TargetFolder& target, const OutputTree& tree, std::string_view manifest,
           diag::Engine& engine)
      : fs_(fs), target_(target), tree_(tree), manifest_(manifest), engine_(engine) {}

  std::optional<Survey> run() {
    if (!list() || !read_manifest()) return std::nullopt;
    classify_entries();
    for (const auto& [path, file] : tree_.files()) {
      if (!check_free(path)) return std::nullopt;
      (has_content(path, file.content) ? survey_.keep : survey_.write).push_back(path);
    }
    survey_.manifest_is_same = has_content(std::string(kManifestPath), manifest_);
    // One that has the right bytes already becomes a file of this build.
    std::erase_if(survey_.foreign, [&](const std::string& path) { return tree_.find(path) != nullptr; });
    return std::move(survey_);
  }

 private:
  bool list() {
    auto entries = support::list_tree(fs_, target_.path);
    if (!entries.ok()) {
      engine_.report(codes::cannot_read_file, diag::kNowhere, target_.shown, entries.error().message);
      return false;
    }
    for (DirectoryEntry& entry : *entries) {
      kinds_.emplace(entry.path, entry.kind);
      entries_.push_back(std::move(entry));
    }
    return true;
  }

  bool read_manifest() {
    auto earlier = read_earlier_manifest(fs_, target_, engine_);
    if (!earlier) return false;
    if (!*earlier) {
      // Folders alone are nobody's work: Ninja makes those of the outputs before it starts anything.
      const auto file = std::ranges::find_if(
          entries_, [](const DirectoryEntry& entry) { return entry.kind != FileKind::kDirectory; });
      if (file == entries_.end()) return true;
      engine_.report(codes::foreign_output_folder, diag::kNowhere, target_.shown, file->path)
          .help("name a new or empty folder with `-o`");
      return false;
    }
    for (const ManifestFile& file : (*earlier)->files) ours_.insert(file.path);
    ours_.emplace(kManifestPath);
    for (const std::string& path : ours_)
      for (std::string& folder : folders_of(path)) our_folders_.insert(std::move(folder));
    return true;
  }

  void classify_entries() {
    std::set<std::string> holding_foreign;
    for (const DirectoryEntry& entry : entries_) {
      const bool is_folder = entry.kind == FileKind::kDirectory;
      if (is_folder ? our_folders_.contains(entry.path) : ours_.contains(entry.path)) {
        if (!is_folder && entry.path != kManifestPath && tree_.find(entry.path) == nullptr)
          survey_.stale.push_back(entry.path);
        continue;
      }
      (is_folder ? holding_foreign : foreign_).insert(entry.path);
      for (std::string& folder : folders_of(entry.path)) holding_foreign.insert(std::move(folder));
    }
    std::ranges::sort(survey_.stale);
    survey_.foreign.assign(foreign_.begin(), foreign_.end());
    survey_.foreign_folders.assign(holding_foreign.begin(), holding_foreign.end());
    foreign_folders_ = std::move(holding_foreign);
  }

  // Where the new file or one of its folders goes there may be only what an earlier build made, or the same.
  bool check_free(const std::string& path) {
    for (const std::string& folder : folders_of(path))
      if (foreign_.contains(folder)) return refuse(folder);
    if (foreign_folders_.contains(path)) return refuse(path);
    return !foreign_.contains(path) || has_content(path, tree_.find(path)->content) || refuse(path);
  }

  bool refuse(const std::string& path) {
    engine_.report(codes::foreign_output_file, diag::kNowhere, path, target_.shown);
    return false;
  }

  bool has_content(const std::string& path, std::string_view content) {
    const auto kind = kinds_.find(path);
    if (kind == kinds_.end() || kind->second != FileKind::kFile) return false;
    const std::string full = support::join_path(target_.path, path);
    const auto stat = fs_.stat(full);
    if (!stat.ok() || !stat->has_value() || (*stat)->size != content.size()) return false;
    const auto there = fs_.read_file(full);
    return there.ok() && *there == content;
  }

  FileSystem& fs_;
  const TargetFolder& target_;
  const OutputTree& tree_;
  std::string_view manifest_;
  diag::Engine& engine_;
  std::vector<DirectoryEntry> entries_;
  std::unordered_map<std::string, FileKind> kinds_;
  std::unordered_set<std::string> ours_;
  std::unordered_set<std::string> our_folders_;
  std::set<std::string> foreign_;
  std::set<std::string> foreign_folders_;
  Survey survey_;
};

}  // namespace

std::vector<std::string> folders_of(std::string_view path) {
  std::vector<std::string> out;
  for (size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1))
    out.emplace_back(path.substr(0, slash));
  return out;
}

std::optional<std::optional<EarlierManifest>> read_earlier_manifest(FileSystem& fs, const TargetFolder& target,
                                                                    diag::Engine& engine) {
  const std::string path = support::join_path(target.path, kManifestPath);
  const std::string shown = support::join_path(target.shown, kManifestPath);
  const auto stat = fs.stat(path);
  if (stat.ok() && !stat->has_value()) return std::optional<EarlierManifest>();
  if (stat.ok() && !(*stat)->is_file()) {
    engine.report(codes::bad_manifest, diag::kNowhere, shown, "it is not a plain file");
    return std::nullopt;
  }
  const auto text = stat.ok() ? fs.read_file(path) : support::Result<std::string>(stat.error());
  if (!text.ok()) {
    engine.report(codes::cannot_read_file, diag::kNowhere, shown, text.error().message);
    return std::nullopt;
  }
  auto earlier = parse_manifest(*text);
  if (!earlier.ok()) {
    engine.report(codes::bad_manifest, diag::kNowhere, shown, earlier.error().message)
        .help("name another folder with `-o`, or empty this one");
    return std::nullopt;
  }
  if (earlier->schema > kManifestSchema) {
    engine.report(codes::newer_manifest, diag::kNowhere, shown, earlier->schema, kManifestSchema);
    return std::nullopt;
  }
  return std::optional<EarlierManifest>(std::move(earlier.value()));
}

std::optional<Survey> survey_target(FileSystem& fs, const TargetFolder& target, const OutputTree& tree,
                                    std::string_view manifest, diag::Engine& engine) {
  return Surveyor(fs, target, tree, manifest, engine).run();
}

}  // namespace pyptoc::publish
