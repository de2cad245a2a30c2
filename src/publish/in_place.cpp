// SPDX-License-Identifier: Apache-2.0
// Updates an output folder file by file, where it cannot be replaced as a whole.
#include "publish/in_place.h"

#include <fmt/format.h>

#include <cerrno>
#include <set>

#include "diag/codes_io.h"
#include "publish/journal.h"
#include "support/file_tools.h"

namespace pyptoc::publish {
namespace {

using support::Error;
using support::FileSystem;
using support::join_path;
using support::Status;
namespace codes = diag::codes;

std::string journal_path(const TargetFolder& target) {
  return join_path(target.inner_stage(), "journal");
}

// --- Before the decision: nothing outside of the stage is touched.

class Preparation {
 public:
  Preparation(FileSystem& fs, const TargetFolder& target, const Interruption& interruption)
      : fs_(fs), target_(target), interruption_(interruption) {}

  Status begin() { return fs_.make_directory(target_.inner_stage()); }

  Status add(const std::string& path, std::string_view content) {
    PYPTOC_TRY(stop_if_interrupted());
    const std::string name = std::to_string(journal_.installs.size());
    PYPTOC_TRY(fs_.create_file(join_path(target_.inner_stage(), name), content));
    journal_.installs.push_back({name, path});
    return support::Done{};
  }

  // The last thing it does is what decides.
  Status decide(const std::vector<std::string>& stale) {
    journal_.removals = stale;
    for (const Journal::Install& install : journal_.installs) {
      PYPTOC_TRY(stop_if_interrupted());
      PYPTOC_TRY(fs_.flush(join_path(target_.inner_stage(), install.staged)));
    }
    const std::string draft = join_path(target_.inner_stage(), "draft");
    PYPTOC_TRY(support::create_durable_file(fs_, draft, render_journal(journal_)));
    PYPTOC_TRY(fs_.flush(target_.inner_stage()));
    PYPTOC_TRY(fs_.flush(target_.path));
    PYPTOC_TRY(stop_if_interrupted());
    return fs_.rename(draft, journal_path(target_));
  }

  const Journal& journal() const { return journal_; }

 private:
  Status stop_if_interrupted() const {
    if (interruption_.pending()) return Error{"interrupted by a signal", EINTR};
    return support::Done{};
  }

  FileSystem& fs_;
  const TargetFolder& target_;
  const Interruption& interruption_;
  Journal journal_;
};

// --- After it: every step can be done again, and what is done already is left alone.

class Execution {
 public:
  Execution(FileSystem& fs, const TargetFolder& target) : fs_(fs), target_(target) {}

  Status run(const Journal& journal) {
    PYPTOC_TRY(fs_.flush(target_.inner_stage()));
    for (const std::string& path : journal.removals) PYPTOC_TRY(remove(path));
    for (const std::string& path : journal.removals) PYPTOC_TRY(remove_empty_folders(path));
    for (const Journal::Install& install : journal.installs) PYPTOC_TRY(put(install));
    for (const std::string& folder : changed_) {
      const auto there = fs_.stat(folder);
      if (there.ok() && there->has_value()) PYPTOC_TRY(fs_.flush(folder));
    }
    return support::Done{};
  }

 private:
  std::string full(std::string_view path) const { return join_path(target_.path, path); }

  enum class Way : uint8_t { kOpen, kMissing, kBlocked };

  // Whether the folders that `path` lies in are there. Never through a link, which could lead out of the folder.
  support::Result<Way> way_to(const std::string& path) {
    for (const std::string& folder : folders_of(path)) {
      const auto stat = fs_.stat(full(folder));
      if (!stat.ok()) return stat.error();
      if (!stat->has_value()) return Way::kMissing;
      if (!(*stat)->is_directory()) return Way::kBlocked;
    }
    return Way::kOpen;
  }

  // What was done before may have put a file where a folder was, or a folder where the file was.
  Status remove(const std::string& path) {
    const auto way = way_to(path);
    if (!way.ok()) return way.error();
    if (*way != Way::kOpen) return support::Done{};
    const auto there = fs_.stat(full(path));
    if (!there.ok()) return there.error();
    changed_.insert(support::parent_path(full(path)));
    if (!there->has_value() || (*there)->is_directory()) return support::Done{};
    return fs_.remove_file(full(path));
  }

  // Those that held nothing else.
  Status remove_empty_folders(const std::string& path) {
    const auto folders = folders_of(path);
    for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) {
      const Status status = fs_.remove_directory(full(*folder));
      const int code = status.ok() ? 0 : status.error().code;
      if (code == ENOTEMPTY || code == EEXIST || code == ENOTDIR || code == EBUSY) break;
      if (!status.ok() && code != ENOENT) return status;
      changed_.insert(support::parent_path(full(*folder)));
    }
    return support::Done{};
  }

  Status put(const Journal::Install& install) {
    const std::string staged = join_path(target_.inner_stage(), install.staged);
    const auto there = fs_.stat(staged);
    if (!there.ok()) return there.error();
    if (!there->has_value()) return support::Done{};
    const auto way = way_to(install.path);
    if (!way.ok()) return way.error();
    if (*way == Way::kBlocked)
      return Error{fmt::format("something that is no folder is in the way of `{}`", install.path), ENOTDIR};
    const std::string to = full(install.path);
    if (*way == Way::kMissing) PYPTOC_TRY(support::make_directories(fs_, support::parent_path(to)));
    for (const std::string& folder : folders_of(install.path)) changed_.insert(full(folder));
    changed_.insert(target_.path);
    return fs_.rename(staged, to);
  }

  FileSystem& fs_;
  const TargetFolder& target_;
  std::set<std::string> changed_;
};

// The journal goes first: without it the rest is only a leftover.
Status clean_up(FileSystem& fs, const TargetFolder& target) {
  PYPTOC_TRY(fs.remove_file(journal_path(target)));
  PYPTOC_TRY(support::remove_tree(fs, target.inner_stage()));
  return fs.flush(target.path);
}

bool execute(FileSystem& fs, const TargetFolder& target, const Journal& journal, diag::Engine& engine) {
  Status status = Execution(fs, target).run(journal);
  if (!status.ok()) {
    engine.report(codes::update_unfinished, diag::kNowhere, target.shown, status.error().message);
    return false;
  }
  status = clean_up(fs, target);
  if (!status.ok())
    engine.report(codes::leftover_files, diag::kNowhere, join_path(target.shown, kInnerStage), status.error().message);
  return true;
}

}  // namespace

bool update_in_place(FileSystem& fs, const TargetFolder& target, const OutputTree& tree, std::string_view manifest,
                     const Survey& survey, const Interruption& interruption, diag::Engine& engine) {
  Preparation preparation(fs, target, interruption);
  const auto prepare = [&]() -> Status {
    PYPTOC_TRY(preparation.begin());
    for (const std::string& path : survey.write) PYPTOC_TRY(preparation.add(path, tree.find(path)->content));
    PYPTOC_TRY(preparation.add(std::string(kManifestPath), manifest));
    return preparation.decide(survey.stale);
  };
  if (const Status status = prepare(); !status.ok()) {
    static_cast<void>(support::remove_tree(fs, target.inner_stage()));
    if (!interruption.pending())
      engine.report(codes::cannot_write_file, diag::kNowhere, target.shown, status.error().message);
    return false;
  }
  return execute(fs, target, preparation.journal(), engine);
}

bool recover_in_place(FileSystem& fs, const TargetFolder& target, diag::Engine& engine) {
  const auto refuse = [&](const Error& error) {
    engine.report(codes::bad_journal, diag::kNowhere, target.shown, error.message)
        .help("remove the folder and build again");
    return false;
  };
  const auto stage = fs.stat(target.inner_stage());
  if (!stage.ok()) return refuse(stage.error());
  if (!stage->has_value()) return true;
  if (!(*stage)->is_directory()) return refuse({"`.pyptoc-stage` is not a folder"});
  const auto decided = fs.stat(journal_path(target));
  if (!decided.ok()) return refuse(decided.error());
  if (!decided->has_value()) {
    if (const Status removed = support::remove_tree(fs, target.inner_stage()); !removed.ok())
      return refuse(removed.error());
    return true;
  }
  const auto text = fs.read_file(journal_path(target));
  if (!text.ok()) return refuse(text.error());
  const auto journal = parse_journal(*text);
  if (!journal.ok()) return refuse(journal.error());
  return execute(fs, target, *journal, engine);
}

}  // namespace pyptoc::publish
