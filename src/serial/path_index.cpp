// SPDX-License-Identifier: Apache-2.0
// Parents of all values, and the way up from one.
#include "serial/path_index.h"

#include <fmt/format.h>

#include <algorithm>

namespace pyptoc::serial {
namespace {

// Most keys are names; others are quoted.
bool is_plain_name(std::string_view key) {
  if (key.empty() || (key[0] >= '0' && key[0] <= '9')) return false;
  return std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

PathIndex::PathIndex(ValueTree tree) : tree_(std::move(tree)) {
  struct Open {
    uint32_t entry;
    uint32_t count;
  };
  std::vector<Open> open;
  entries_.reserve(tree_.size());
  for (uint32_t value = 0; value < tree_.size();) {
    while (!open.empty() && tree_[entries_[open.back().entry].value].next <= value) open.pop_back();
    auto entry = static_cast<uint32_t>(entries_.size());
    if (open.empty())
      entries_.push_back({value, entry, 0});
    else
      entries_.push_back({value, open.back().entry, open.back().count++});
    ValueKind kind = tree_[value].kind;
    if (kind == ValueKind::List || kind == ValueKind::Map) open.push_back({entry, 0});
    value = kind == ValueKind::Span ? tree_[value].next : value + 1;
  }
}

std::string PathIndex::path_at(uint32_t offset) const {
  if (entries_.empty()) return {};
  auto after = std::upper_bound(entries_.begin(), entries_.end(), offset, [&](uint32_t wanted, const Entry& entry) {
    return wanted < tree_[entry.value].offset;
  });
  std::size_t at = after == entries_.begin() ? 0 : static_cast<std::size_t>(after - entries_.begin()) - 1;
  std::vector<std::string> steps;
  for (; entries_[at].around != at; at = entries_[at].around) {
    const Entry& entry = entries_[at];
    if (tree_[entries_[entry.around].value].kind == ValueKind::List) {
      steps.push_back(fmt::format("[{}]", entry.position));
    } else if (tree_[entry.value].key != key_id("fields")) {
      std::string_view key = tree_.key_text(entry.value);
      steps.push_back(is_plain_name(key) ? fmt::format(".{}", key) : fmt::format("[\"{}\"]", key));
    }
  }
  std::reverse(steps.begin(), steps.end());
  return fmt::format("${}", fmt::join(steps, ""));
}

}  // namespace pyptoc::serial
