// SPDX-License-Identifier: Apache-2.0
// Replaces an output folder as a whole, in one step.
#include "publish/swap.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include "diag/codes_io.h"
#include "publish/manifest.h"
#include "support/file_tools.h"

namespace pyptoc::publish {
namespace {

using support::FileKind;
using support::FileSystem;
using support::join_path;
using support::Status;

// Refusals that lie in the place, not in what is written: the way through the folder itself may still be open.
bool is_impossible(int code) {
  switch (code) {
    case EPERM:
    case EACCES:
    case EROFS:
    case EXDEV:
    case EMLINK:
    case EBUSY:
    case EINVAL:
    case ENOSYS:
    case ENOTSUP:
      return true;
    default:
      return false;
  }
}

// What a step came to. An error stops the swap; so does a reason, in favour of the other way.
struct Trouble {
  std::string path;
  support::Error error;
  std::string impossible;  // not empty: the place does not allow it
};
using Step = std::optional<Trouble>;  // nothing: done

Step step(const std::string& path, const Status& status, std::string_view reason) {
  if (status.ok()) return std::nullopt;
  return Trouble{path, status.error(), is_impossible(status.error().code) ? std::string(reason) : std::string()};
}

class Swap {
 public:
  Swap(FileSystem& fs, const TargetFolder& target, const OutputTree& tree, std::string_view manifest,
       const Survey& survey, const Interruption& interruption)
      : fs_(fs), target_(target), tree_(tree), manifest_(manifest), survey_(survey), interruption_(interruption) {}

  // Makes the new tree in stage(), durable, the manifest last.
  Step prepare() {
    if (Step trouble = make_folders()) return trouble;
    for (const auto* paths : {&survey_.keep, &survey_.foreign})
      for (const std::string& path : *paths)
        if (Step trouble = link(path)) return trouble;
    for (const std::string& path : survey_.write)
      if (Step trouble = create(path, tree_.find(path)->content)) return trouble;
    if (Step trouble = create(std::string(kManifestPath), manifest_)) return trouble;
    // Not earlier: they may forbid to write.
    for (const auto& [folder, mode] : modes_)
      if (Step trouble = step(folder, fs_.set_mode(folder, mode), "its permissions cannot be copied")) return trouble;
    return flush();
  }

  Step commit() {
    const auto fail = [&](const Status& status) {
      const bool busy = !status.ok() && status.error().code == EBUSY;  // what a bind mount says
      return step(target_.shown, status, busy ? kMountPoint : kNoExchange);
    };
    if (!target_.exists()) return fail(fs_.rename(target_.stage(), target_.path));
    if (Step trouble = fail(fs_.rename(target_.stage(), target_.ready()))) return trouble;
    return fail(fs_.exchange(target_.ready(), target_.path));
  }

  bool stopped() const { return interruption_.pending(); }

 private:
  static constexpr std::string_view kMountPoint = "it is a mount point";
  static constexpr std::string_view kNoExchange = "its file system cannot exchange two folders";

  std::string staged(const std::string& path) const { return join_path(target_.stage(), path); }
  std::string old(const std::string& path) const { return join_path(target_.path, path); }

  // Folders that stay keep their permissions; what belongs to another user or is another disk stays in its place.
  Step make_folder(const std::string& path) {
    const std::string made = path.empty() ? target_.stage() : staged(path);
    if (Step trouble = step(made, fs_.make_directory(made), "its parent folder cannot be written")) return trouble;
    folders_.push_back(made);
    if (!target_.exists()) return std::nullopt;
    const auto before =
        path.empty() ? support::Result<std::optional<support::FileStat>>(target_.stat) : fs_.stat(old(path));
    const auto now = fs_.stat(made);
    if (!before.ok() || !before->has_value() || !(*before)->is_directory() || !now.ok() || !now->has_value())
      return std::nullopt;
    if ((*before)->owner != (*now)->owner || (*before)->group != (*now)->group)
      return Trouble{path, {}, "it belongs to another user or group"};
    if ((*before)->device != (*now)->device) return Trouble{path, {}, "it is, or holds, a mount point"};
    if ((*before)->mode != (*now)->mode) modes_.emplace_back(made, (*before)->mode);
    return std::nullopt;
  }

  Step make_folders() {
    std::set<std::string> folders{""};
    for (const auto& [path, file] : tree_.files())
      for (std::string& folder : folders_of(path)) folders.insert(std::move(folder));
    folders.insert(survey_.foreign_folders.begin(), survey_.foreign_folders.end());
    for (const std::string& folder : folders) {
      if (stopped()) break;
      if (Step trouble = make_folder(folder)) return trouble;
    }
    return std::nullopt;
  }

  // A file that vanished since the survey is written when it is ours, and gone when it is not.
  Step link(const std::string& path) {
    if (stopped()) return std::nullopt;
    const Status status = fs_.link(old(path), staged(path));
    if (status.ok() || status.error().code != ENOENT) return step(path, status, "its files cannot have second names");
    const OutputFile* file = tree_.find(path);
    return file == nullptr ? std::nullopt : create(path, file->content);
  }

  Step create(const std::string& path, std::string_view content) {
    if (stopped()) return std::nullopt;
    created_.push_back(staged(path));
    return step(join_path(target_.shown, path), fs_.create_file(created_.back(), content), "");
  }

  // After all is written: the first flush brings most of it to the disk, and the others have little to wait for.
  Step flush() {
    for (const auto* paths : {&created_, &folders_})
      for (auto path = paths->rbegin(); path != paths->rend() && !stopped(); ++path)
        if (Step trouble = step(target_.shown, fs_.flush(*path), "")) return trouble;
    return std::nullopt;
  }

  FileSystem& fs_;
  const TargetFolder& target_;
  const OutputTree& tree_;
  std::string_view manifest_;
  const Survey& survey_;
  const Interruption& interruption_;
  std::vector<std::string> created_;
  std::vector<std::string> folders_;
  std::vector<std::pair<std::string, uint32_t>> modes_;
};

// Moves to the output folder what the manifest of the tree in ready() does not list and the output folder lacks: it was
// put there by others after the survey. Of a tree that did not come to the exchange there is nothing to move: what its
// manifest does not list is in the output folder as well.
Status save_late_files(FileSystem& fs, const TargetFolder& target) {
  const std::string ready = target.ready();
  std::unordered_set<std::string> ours{std::string(kManifestPath)};
  if (const auto text = fs.read_file(join_path(ready, kManifestPath)); text.ok()) {
    if (const auto manifest = parse_manifest(*text); manifest.ok())
      for (const ManifestFile& file : manifest->files) ours.insert(file.path);
  }
  const auto entries = support::list_tree(fs, ready);
  if (!entries.ok()) return entries.error();
  for (const support::DirectoryEntry& entry : *entries) {
    if (entry.kind == FileKind::kDirectory || ours.contains(entry.path)) continue;
    const std::string to = join_path(target.path, entry.path);
    const auto there = fs.stat(to);
    if (!there.ok() || there->has_value()) continue;
    PYPTOC_TRY(support::make_directories(fs, support::parent_path(to)));
    PYPTOC_TRY(fs.rename(join_path(ready, entry.path), to));
  }
  return support::Done{};
}

Status remove_ready(FileSystem& fs, const TargetFolder& target) {
  const auto ready = fs.stat(target.ready());
  if (!ready.ok()) return ready.error();
  if (!ready->has_value()) return support::Done{};
  const auto folder = fs.stat(target.path);
  if (!folder.ok()) return folder.error();
  if (folder->has_value()) PYPTOC_TRY(save_late_files(fs, target));
  // From here on a part of it may be missing, so it must not look complete.
  PYPTOC_TRY(fs.rename(target.ready(), target.stage()));
  return support::remove_tree(fs, target.stage());
}

}  // namespace

bool recover_swap(FileSystem& fs, const TargetFolder& target) {
  return support::remove_tree(fs, target.stage()).ok() && remove_ready(fs, target).ok();
}

SwapOutcome swap_in(FileSystem& fs, TargetFolder& target, const OutputTree& tree, std::string_view manifest,
                    const Survey& survey, const Interruption& interruption, diag::Engine& engine) {
  Swap swap(fs, target, tree, manifest, survey, interruption);
  Step trouble = swap.prepare();
  const bool stopped = !trouble && swap.stopped();
  if (!trouble && !stopped) trouble = swap.commit();
  if (trouble || stopped) {
    recover_swap(fs, target);
    if (stopped) return SwapOutcome::kInterrupted;
    if (!trouble->impossible.empty() && target.exists()) {
      target.in_place_reason = trouble->impossible;
      return SwapOutcome::kImpossible;
    }
    engine.report(diag::codes::cannot_write_file, diag::kNowhere, trouble->path, trouble->error.message);
    return SwapOutcome::kFailed;
  }
  // The new folder is in place; what can still go wrong does not change that.
  static_cast<void>(fs.flush(target.parent));
  if (const Status removed = remove_ready(fs, target); !removed.ok())
    engine.report(diag::codes::leftover_files, diag::kNowhere, target.ready(), removed.error().message);
  return SwapOutcome::kDone;
}

}  // namespace pyptoc::publish
