// SPDX-License-Identifier: Apache-2.0
// The output folder of a build: where it really is, and the right to change it.
#include "publish/target_folder.h"

#include <fmt/format.h>

#include <cerrno>

#include "diag/codes_io.h"
#include "support/file_tools.h"
#include "support/sha256.h"

namespace pyptoc::publish {
namespace {

using support::FileKind;
using support::FileSystem;
using support::Result;
namespace codes = diag::codes;

// Leaves room for what is put around the folder's name in at most 255 bytes.
constexpr size_t kLongestName = 200;

void report_not_a_folder(diag::Engine& engine, const std::string& shown, FileKind kind) {
  const char* what = kind == FileKind::kFile      ? "the file"
                     : kind == FileKind::kSymlink ? "the dangling link"
                                                  : "the device";
  engine.report(codes::not_a_folder, diag::kNowhere, what, shown);
}

// `out/.` and `out/` are `out`.
std::string without_tail(std::string path) {
  for (;;) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    if (path.size() < 3 || !path.ends_with("/.")) return path;
    path.pop_back();
  }
}

// The current folder of whoever runs pyptoc would be a removed one after a swap.
bool holds_current_directory(FileSystem& fs, const std::string& path) {
  const auto current = fs.current_directory();
  if (!current.ok()) return false;
  return *current == path || current->starts_with(support::join_path(path, ""));
}

support::Status resolve_existing(FileSystem& fs, TargetFolder& target, const std::string& dir) {
  auto path = fs.real_path(dir);
  if (!path.ok()) return path.error();
  target.path = *path;
  target.parent = support::parent_path(target.path);
  auto stat = fs.stat(target.path);
  if (!stat.ok()) return stat.error();
  target.stat = *stat;
  const auto parent = fs.stat(target.parent);
  if (!parent.ok()) return parent.error();
  if (target.path == target.parent ||
      (parent->has_value() && target.stat && (*parent)->device != target.stat->device)) {
    target.in_place_reason = "it is a mount point";
  } else if (holds_current_directory(fs, target.path)) {
    target.in_place_reason = "it is, or holds, the current folder";
  }
  return support::Done{};
}

support::Status resolve_missing(FileSystem& fs, TargetFolder& target, const std::string& dir) {
  const std::string name(support::file_name(dir));
  if (name.empty() || name == "." || name == "..") return support::Error{"its parent folder does not exist", ENOENT};
  PYPTOC_TRY(support::make_directories(fs, support::parent_path(dir), &target.made_parents));
  const auto parent = fs.real_path(support::parent_path(dir));
  if (!parent.ok()) return parent.error();
  target.parent = *parent;
  target.path = support::join_path(*parent, name);
  return support::Done{};
}

enum class Turn : uint8_t { kOurs, kOthers, kNoLocks, kFailed };

bool means_read_only(int code) {
  return code == EACCES || code == EPERM || code == EROFS;
}

// One try for both locks.
Turn try_both(FileSystem& fs, TargetFolder& target, TargetLock& lock, support::Error& why) {
  if (!lock.beside) {
    auto beside = fs.try_lock_file(target.lock_file());
    if (beside.ok() && !*beside) return Turn::kOthers;
    if (beside.ok()) {
      lock.beside = std::move(beside.value());
    } else if (means_read_only(beside.error().code) && target.exists()) {
      target.in_place_reason = "its parent folder cannot be written";
    } else if (beside.error().code != ENOTSUP) {
      why = beside.error();
      return Turn::kFailed;
    } else {
      why = beside.error();
    }
  }
  auto folder = fs.try_lock_directory(target.path);
  if (folder.ok()) {
    if (!*folder) return Turn::kOthers;
    lock.folder = std::move(folder.value());
  } else if (folder.error().code != ENOENT && folder.error().code != ENOTDIR) {
    why = folder.error();
    if (why.code != ENOTSUP) return Turn::kFailed;
  }
  const auto stat = fs.stat(target.path);
  if (!stat.ok()) {
    why = stat.error();
    return Turn::kFailed;
  }
  target.stat = *stat;
  return lock.beside || lock.folder ? Turn::kOurs : Turn::kNoLocks;
}

}  // namespace

std::string TargetFolder::beside(std::string_view what) const {
  std::string name(support::file_name(path));
  if (name.size() > kLongestName) name = name.substr(0, 100) + support::sha256(name).substr(0, 16);
  return support::join_path(parent, fmt::format(".{}.pyptoc-{}", name, what));
}

std::string TargetFolder::inner_stage() const {
  return support::join_path(path, kInnerStage);
}

std::optional<TargetFolder> locate_target(FileSystem& fs, const std::string& dir, diag::Engine& engine) {
  TargetFolder target;
  target.shown = dir;
  const std::string plain = without_tail(dir);
  const auto there = plain.empty() ? Result<std::optional<support::FileStat>>(support::Error{"an empty path", EINVAL})
                                   : fs.stat(plain);
  support::Status status = support::Done{};
  if (!there.ok()) {
    status = there.error();
  } else if (there->has_value()) {
    status = resolve_existing(fs, target, plain);
    const bool dangling = !status.ok() && (*there)->kind == FileKind::kSymlink && status.error().code == ENOENT;
    if (dangling || (status.ok() && target.exists() && !target.stat->is_directory())) {
      report_not_a_folder(engine, dir, dangling ? FileKind::kSymlink : target.stat->kind);
      return std::nullopt;
    }
  } else {
    status = resolve_missing(fs, target, plain);
  }
  if (status.ok()) return target;
  engine.report(codes::cannot_write_file, diag::kNowhere, dir, status.error().message);
  forget_target(fs, target);
  return std::nullopt;
}

void forget_target(FileSystem& fs, const TargetFolder& target) {
  for (auto folder = target.made_parents.rbegin(); folder != target.made_parents.rend(); ++folder)
    if (!fs.remove_directory(*folder).ok()) return;
}

std::optional<TargetLock> lock_target(FileSystem& fs, TargetFolder& target, LockPatience patience,
                                      const Interruption& interruption, diag::Engine& engine) {
  TargetLock lock;
  support::Error why;
  for (uint32_t tries = 0;; ++tries) {
    if (interruption.pending()) return std::nullopt;
    switch (try_both(fs, target, lock, why)) {
      case Turn::kOurs:
        if (!target.exists() || target.stat->is_directory()) return lock;
        report_not_a_folder(engine, target.shown, target.stat->kind);
        return std::nullopt;
      case Turn::kNoLocks:
        engine.report(codes::no_locks, diag::kNowhere, target.shown, why.message);
        return std::nullopt;
      case Turn::kFailed:
        engine.report(codes::cannot_write_file, diag::kNowhere, target.shown, why.message);
        return std::nullopt;
      case Turn::kOthers:
        break;
    }
    if (tries >= patience.tries) {
      engine.report(codes::output_folder_busy, diag::kNowhere, target.shown);
      return std::nullopt;
    }
    fs.pause(patience.pause_milliseconds);
  }
}

}  // namespace pyptoc::publish
