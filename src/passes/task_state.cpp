// SPDX-License-Identifier: Apache-2.0
// Frames of uses: saved on the first change, joined at the end of branches and loops.
#include "passes/task_state.h"

#include <algorithm>
#include <iterator>

namespace pyptoc::passes {

namespace {

bool before(const Use& a, const Use& b) {
  return std::pair(a.node, a.access) < std::pair(b.node, b.access);
}

std::vector<Use> united(const std::vector<Use>& a, const std::vector<Use>& b) {
  std::vector<Use> out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out), before);
  return out;
}

void unite(BufferUses& into, const BufferUses& other) {
  into.readers = united(into.readers, other.readers);
  into.writers = united(into.writers, other.writers);
  into.hidden = united(into.hidden, other.hidden);
}

}  // namespace

void TaskState::save(int root) {
  const int frame = static_cast<int>(frames_.size()) - 1;
  int& saved_in = saved_in_[static_cast<size_t>(root)];
  if (saved_in == frame) return;
  frames_.back().push_back({root, saved_in, uses_[static_cast<size_t>(root)]});
  saved_in = frame;
}

std::vector<TaskState::Saved> TaskState::close() {
  std::vector<Saved> saved = std::move(frames_.back());
  frames_.pop_back();
  for (const Saved& entry : saved) saved_in_[static_cast<size_t>(entry.root)] = entry.saved_in;
  const int frame = static_cast<int>(frames_.size()) - 1;
  for (Saved& entry : saved) {
    // The frame around this one needs the former uses as well, unless it has older ones.
    int& saved_in = saved_in_[static_cast<size_t>(entry.root)];
    if (frame < 0 || saved_in == frame) continue;
    frames_.back().push_back({entry.root, saved_in, entry.uses});
    saved_in = frame;
  }
  return saved;
}

TaskState::Changes TaskState::undo() {
  Changes changes;
  for (Saved& entry : close()) {
    BufferUses& uses = uses_[static_cast<size_t>(entry.root)];
    std::swap(uses, entry.uses);
    changes.emplace_back(entry.root, std::move(entry.uses));
  }
  return changes;
}

void TaskState::keep_both() {
  for (const Saved& entry : close()) unite(uses_[static_cast<size_t>(entry.root)], entry.uses);
}

void TaskState::join(Changes other_way) {
  std::sort(other_way.begin(), other_way.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<bool> met(other_way.size(), false);
  for (const Saved& entry : close()) {
    auto at = std::lower_bound(other_way.begin(), other_way.end(), entry.root,
                               [](const auto& change, int root) { return change.first < root; });
    const bool both = at != other_way.end() && at->first == entry.root;
    if (both) met[static_cast<size_t>(at - other_way.begin())] = true;
    unite(uses_[static_cast<size_t>(entry.root)], both ? at->second : entry.uses);
  }
  for (size_t i = 0; i < other_way.size(); ++i)
    if (!met[i]) unite(change(other_way[i].first), other_way[i].second);
}

}  // namespace pyptoc::passes
