// SPDX-License-Identifier: Apache-2.0
#include "support/string_index.h"

#include <cstring>
#include <utility>

namespace pyptoc::support {

uint32_t StringIndex::hash_of(std::string_view text) {
  uint64_t h = 0x9E3779B97F4A7C15ull ^ text.size();
  while (text.size() >= 8) {
    uint64_t part;
    std::memcpy(&part, text.data(), 8);
    h = (h ^ part) * 0xFF51AFD7ED558CCDull;
    h ^= h >> 32;
    text.remove_prefix(8);
  }
  uint64_t rest = 0;
  if (!text.empty()) std::memcpy(&rest, text.data(), text.size());
  h = (h ^ rest) * 0xFF51AFD7ED558CCDull;
  return static_cast<uint32_t>(h ^ (h >> 29));
}

void StringIndex::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
  const size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.next == 0) continue;
    size_t at = slot.hash & mask;
    while (slots_[at].next != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace pyptoc::support
