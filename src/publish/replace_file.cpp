// SPDX-License-Identifier: Apache-2.0
// Writes one file so that it is either the old or the new one at any moment.
#include "publish/replace_file.h"

#include <optional>

#include "diag/codes_io.h"
#include "support/file_tools.h"

namespace pyptoc::publish {
namespace {

using support::FileStat;
using support::FileSystem;
using support::Status;

Status write_beside_and_rename(FileSystem& fs, const std::string& path, std::string_view content,
                               const std::optional<FileStat>& old, const Interruption& interruption) {
  const std::string temporary = fs.temporary_beside(path);
  Status status = support::create_durable_file(fs, temporary, content);
  if (status.ok() && old) {
    const auto made = fs.stat(temporary);
    if (made.ok() && made->has_value() && (*made)->mode != old->mode) status = fs.set_mode(temporary, old->mode);
  }
  if (status.ok() && !interruption.pending()) status = fs.rename(temporary, path);
  if (!status.ok() || interruption.pending()) static_cast<void>(fs.remove_file(temporary));
  // The file is whole either way; that its name is durable cannot be had where folders cannot be flushed.
  if (status.ok()) static_cast<void>(fs.flush(support::parent_path(path)));
  return status;
}

Status replace(FileSystem& fs, const std::string& shown, std::string_view content, WhenSame when_same,
               const Interruption& interruption) {
  std::string path = shown;
  auto old = fs.stat(path);
  if (old.ok() && old->has_value() && (*old)->kind == support::FileKind::kSymlink) {
    const auto target = fs.real_path(path);
    if (!target.ok()) return target.error();
    path = *target;
    old = fs.stat(path);
  }
  if (!old.ok()) return old.error();
  if (old->has_value() && !(*old)->is_file()) return fs.write_file(path, content);
  if (old->has_value() && when_same == WhenSame::kKeep && (*old)->size == content.size()) {
    if (const auto there = fs.read_file(path); there.ok() && *there == content) return support::Done{};
  }
  return write_beside_and_rename(fs, path, content, *old, interruption);
}

}  // namespace

bool replace_file(FileSystem& fs, const std::string& path, std::string_view content, WhenSame when_same,
                  Interruption& interruption, diag::Engine& engine) {
  const auto hold = interruption.hold();
  const Status status = replace(fs, path, content, when_same, interruption);
  if (!status.ok()) engine.report(diag::codes::cannot_write_file, diag::kNowhere, path, status.error().message);
  return status.ok() && !interruption.pending();
}

}  // namespace pyptoc::publish
