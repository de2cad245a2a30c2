// SPDX-License-Identifier: Apache-2.0
// Last writers without a copy of the state for each branch: a write hides the earlier ones that lie where it lies.
#include "graph/storages.h"

#include <algorithm>

namespace pyptoc::graph {
namespace {

constexpr size_t kMostWrites = 32;  // of one storage that are kept; the oldest go

}  // namespace

NumberSet joined(NumberSet a, const NumberSet& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  a.insert(a.end(), b.begin(), b.end());
  std::ranges::sort(a);
  a.erase(std::unique(a.begin(), a.end()), a.end());  // not of std::ranges: clang 14 cannot read its subrange
  return a;
}

const Groups::Group* Groups::find(int item) const {
  const auto found = std::ranges::lower_bound(all_, item, {}, &Group::item);
  return found == all_.end() || found->item != item ? nullptr : &*found;
}

int Groups::parent_of(int item) const {
  const Group* group = find(item);
  return group == nullptr ? -1 : group->parent;
}

bool Groups::is_inside(int inner, int outer) const {
  for (int group = inner; group != outer; group = parent_of(group))
    if (group < 0) return false;
  return true;
}

bool Groups::exclude_each_other(int a, int b) const {
  for (int x = a; x >= 0; x = parent_of(x)) {
    const Group* arm = find(x);
    if (arm == nullptr || arm->branch < 0) continue;
    for (int y = b; y >= 0; y = parent_of(y)) {
      const Group* other = find(y);
      if (other != nullptr && other->branch == arm->branch && y != x) return true;
    }
  }
  return false;
}

int Storages::add(std::string name, int param, int window) {
  all_.push_back({std::move(name), param, window, {}});
  return static_cast<int>(all_.size()) - 1;
}

void Storages::write(int storage, int item, int group, const Groups& groups) {
  std::vector<Storage::Write>& writes = all_[static_cast<size_t>(storage)].writes;
  if (!writes.empty() && writes.back().item == item) return;
  std::erase_if(writes, [&](const Storage::Write& earlier) { return groups.is_inside(earlier.group, group); });
  if (writes.size() == kMostWrites) writes.erase(writes.begin());
  writes.push_back({item, group});
}

NumberSet Storages::writers(int storage, int group, const Groups& groups) const {
  NumberSet items;
  const std::vector<Storage::Write>& writes = (*this)[storage].writes;
  for (auto write = writes.rbegin(); write != writes.rend(); ++write) {
    if (groups.exclude_each_other(write->group, group)) continue;
    items.push_back(write->item);
    if (groups.is_inside(group, write->group)) break;  // it ran whenever the reader runs
  }
  std::ranges::sort(items);
  return items;
}

}  // namespace pyptoc::graph
