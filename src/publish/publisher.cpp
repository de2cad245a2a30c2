// SPDX-License-Identifier: Apache-2.0
// Puts the files of a build into its output folder.
#include "publish/publisher.h"

#include "diag/codes_io.h"
#include "publish/in_place.h"
#include "publish/survey.h"
#include "publish/swap.h"

namespace pyptoc::publish {
namespace {

using support::FileSystem;

// After this nothing of an earlier build is under way. What cannot be removed beside the folder is in the way of a swap
// only.
bool recover_locked(FileSystem& fs, TargetFolder& target, diag::Engine& engine) {
  if (!recover_swap(fs, target) && target.in_place_reason.empty())
    target.in_place_reason = "files that an earlier build left beside it cannot be removed";
  return !target.exists() || recover_in_place(fs, target, engine);
}

// All steps of publish() with the folder located and locked.
class Publication {
 public:
  Publication(FileSystem& fs, TargetFolder& target, const OutputTree& tree, std::string manifest,
              Interruption& interruption, diag::Engine& engine)
      : fs_(fs),
        target_(target),
        tree_(tree),
        manifest_(std::move(manifest)),
        interruption_(interruption),
        engine_(engine) {}

  PublishReport run() {
    if (!recover_locked(fs_, target_, engine_)) return {};
    const auto survey = take_survey();
    if (!survey) return {};
    report_.kept = survey->keep.size();
    if (target_.exists() && survey->nothing_to_do()) return finish(PublishOutcome::kUnchanged);
    report_.written = survey->write.size();
    report_.removed = survey->stale.size();
    return finish(put_in_place(*survey));
  }

 private:
  std::optional<Survey> take_survey() {
    if (target_.exists()) return survey_target(fs_, target_, tree_, manifest_, engine_);
    Survey all_new;
    for (const auto& [path, file] : tree_.files()) all_new.write.push_back(path);
    return all_new;
  }

  PublishOutcome put_in_place(const Survey& survey) {
    if (!target_.exists()) target_.in_place_reason.clear();
    if (target_.in_place_reason.empty()) {
      switch (swap_in(fs_, target_, tree_, manifest_, survey, interruption_, engine_)) {
        case SwapOutcome::kDone:
          return PublishOutcome::kWritten;
        case SwapOutcome::kFailed:
          return PublishOutcome::kFailed;
        case SwapOutcome::kInterrupted:
          return PublishOutcome::kInterrupted;
        case SwapOutcome::kImpossible:
          break;
      }
    }
    report_.in_place_reason = target_.in_place_reason;
    if (update_in_place(fs_, target_, tree_, manifest_, survey, interruption_, engine_))
      return PublishOutcome::kWritten;
    return interruption_.pending() ? PublishOutcome::kInterrupted : PublishOutcome::kFailed;
  }

  PublishReport finish(PublishOutcome outcome) {
    report_.outcome = outcome;
    return report_;
  }

  FileSystem& fs_;
  TargetFolder& target_;
  const OutputTree& tree_;
  std::string manifest_;
  Interruption& interruption_;
  diag::Engine& engine_;
  PublishReport report_;
};

}  // namespace

PublishReport publish(FileSystem& fs, const std::string& dir, const OutputTree& tree, const ManifestFields& fields,
                      Interruption& interruption, diag::Engine& engine, LockPatience patience) {
  const auto hold = interruption.hold();
  auto target = locate_target(fs, dir, engine);
  if (!target) return {};
  PublishReport report;
  if (const auto lock = lock_target(fs, *target, patience, interruption, engine)) {
    report = Publication(fs, *target, tree, render_manifest(fields, tree), interruption, engine).run();
  } else if (interruption.pending()) {
    report.outcome = PublishOutcome::kInterrupted;
  }
  if (!report.ok()) forget_target(fs, *target);
  return report;
}

bool recover(FileSystem& fs, const std::string& dir, Interruption& interruption, diag::Engine& engine,
             LockPatience patience) {
  const auto hold = interruption.hold();
  auto target = locate_target(fs, dir, engine);
  if (!target) return false;
  bool recovered = false;
  if (const auto lock = lock_target(fs, *target, patience, interruption, engine))
    recovered = recover_locked(fs, *target, engine);
  forget_target(fs, *target);
  return recovered;
}

}  // namespace pyptoc::publish
