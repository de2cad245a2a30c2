// SPDX-License-Identifier: Apache-2.0
// Sorting the entries of a map by what its layout knows.
#include <fmt/format.h>

#include "serial/graph_builder.h"
#include "support/edit_distance.h"

namespace pyptoc::serial {
namespace codes = diag::codes;

bool GraphBuilder::sort_entries(uint32_t map, const MapKeys& keys, uint32_t* slots) const {
  std::fill_n(slots, keys.names.size(), kAbsent);
  bool all_known = true;
  uint32_t end = tree_[map].next;
  for (uint32_t entry = map + 1; entry < end; entry = tree_[entry].next) {
    KeyId key = tree_[entry].key;
    uint8_t slot = key < kKnownKeyCount ? (*keys.slots)[key] : kNoSlot;
    if (slot != kNoSlot)
      slots[slot] = entry;
    else
      all_known = false;
  }
  return all_known;
}

void GraphBuilder::report_unknown(uint32_t map, const MapKeys& keys, std::string_view owner, uint32_t* slots) {
  uint32_t end = tree_[map].next;
  for (uint32_t entry = map + 1; entry < end && !gave_up(); entry = tree_[entry].next) {
    KeyId key = tree_[entry].key;
    if (key < kKnownKeyCount && (*keys.slots)[key] != kNoSlot) continue;
    auto report = diagnostics_.report(codes::unknown_field, place(entry), tree_.key_text(entry), owner);
    std::optional<std::string_view> meant = support::closest(tree_.key_text(entry), keys.names);
    if (!meant) {
      report.help(fmt::format("`{}` has the fields `{}`", owner, fmt::join(keys.names, "`, `")));
      continue;
    }
    report.help(fmt::format("did you mean `{}`?", *meant));
    for (std::size_t i = 0; i < keys.names.size(); ++i)
      if (keys.names[i] == *meant && slots[i] == kAbsent) slots[i] = kMisspelt;
  }
}

bool GraphBuilder::gather(uint32_t map, const MapKeys& keys, std::string_view owner, uint32_t* slots) {
  if (sort_entries(map, keys, slots)) return true;
  report_unknown(map, keys, owner, slots);
  return false;
}

bool GraphBuilder::gather_all(uint32_t map, const MapKeys& keys, std::string_view owner, uint32_t* slots) {
  bool all = gather(map, keys, owner, slots);
  for (std::size_t i = 0; i < keys.names.size(); ++i) {
    if (slots[i] == kAbsent) missing(keys.names[i], owner, map);
    if (slots[i] == kMisspelt) slots[i] = kAbsent;
    all = all && slots[i] != kAbsent;
  }
  return all;
}

bool GraphBuilder::expect_map(uint32_t value, std::string_view what, const Where& where) {
  return tree_[value].kind == ValueKind::Map || wrong_kind(value, what, where);
}

}  // namespace pyptoc::serial
