// SPDX-License-Identifier: Apache-2.0
// Map keyed by node identity that forgets everything in one step. What passes remember about expressions holds within
// one statement; a NodeMap would grow to the size of the program, and each walk would pay for it in cache misses.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ir/node_map.h"

namespace pyptoc::ir {

// Places as in a NodeMap; entries of former epochs count as free.
template <class V>
class EpochMap {
 public:
  void forget() {
    if (++epoch_ == 0) {  // once in 2^32 times
      slots_.clear();
      epoch_ = 1;
    }
    count_ = 0;
  }
  // The value of `key`, or null. Pointers stay valid until the next insertion.
  const V* find(const Node* key) const {
    if (count_ == 0) return nullptr;
    const Slot& slot = slots_[probe(key)];
    return slot.epoch == epoch_ ? &slot.value : nullptr;
  }
  // False when the key was there already; its value is kept then.
  bool insert(const Node* key, V value) {
    Slot& slot = slot_for(key);
    if (slot.epoch == epoch_) return false;
    slot = {key, epoch_, std::move(value)};
    ++count_;
    return true;
  }
  V& operator[](const Node* key) {
    Slot& slot = slot_for(key);
    if (slot.epoch != epoch_) {
      slot = {key, epoch_, V{}};
      ++count_;
    }
    return slot.value;
  }

 private:
  struct Slot {
    const Node* key = nullptr;
    uint32_t epoch = 0;
    V value{};
  };

  Slot& slot_for(const Node* key) {
    if ((count_ + 1) * 2 > slots_.size()) grow();
    return slots_[probe(key)];
  }
  // The slot of the key, or the free one where it belongs.
  size_t probe(const Node* key) const {
    size_t mask = slots_.size() - 1;
    size_t at = place_in_table(key) & mask;
    while (slots_[at].epoch == epoch_ && slots_[at].key != key) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<Slot> old = std::move(slots_);
    slots_ = std::vector<Slot>(old.empty() ? 64 : old.size() * 2);
    for (Slot& slot : old)
      if (slot.epoch == epoch_) slots_[probe(slot.key)] = std::move(slot);
  }

  std::vector<Slot> slots_;
  uint32_t epoch_ = 1;
  size_t count_ = 0;
};

}  // namespace pyptoc::ir
