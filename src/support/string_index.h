// SPDX-License-Identifier: Apache-2.0
// Numbers for strings: each different text has one, from 0 in the order of first use.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace pyptoc::support {

// Open addressing, linear probing, at most half full. A slot keeps the hash beside the number, so that a text in memory
// is touched only where it is very likely the one that is looked for. Holds fewer than 2^32 texts.
class StringIndex {
 public:
  StringIndex() : slots_(256) {}

  // The number of `text`. For a new one `keep(text)` makes the view that is held from then on, which must outlive this.
  template <class Keep>
  uint32_t number(std::string_view text, Keep keep) {
    const uint32_t hash = hash_of(text);
    const size_t mask = slots_.size() - 1;
    size_t at = hash & mask;
    for (; slots_[at].next != 0; at = (at + 1) & mask)
      if (slots_[at].hash == hash && texts_[slots_[at].next - 1] == text) return slots_[at].next - 1;
    texts_.push_back(keep(text));
    slots_[at] = {hash, static_cast<uint32_t>(texts_.size())};
    if (texts_.size() * 2 > slots_.size()) grow();
    return static_cast<uint32_t>(texts_.size() - 1);
  }

  std::string_view text(uint32_t number) const { return texts_[number]; }
  size_t size() const { return texts_.size(); }

  // The same on every machine: no seed, no address.
  static uint32_t hash_of(std::string_view text);

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t next = 0;  // number + 1; 0 is free
  };

  void grow();

  std::vector<std::string_view> texts_;
  std::vector<Slot> slots_;
};

}  // namespace pyptoc::support
