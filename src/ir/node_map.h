// SPDX-License-Identifier: Apache-2.0
// Hash map and set keyed by node identity. No iteration on purpose: its order would depend on the hash, and output must
// not.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "ir/node.h"

namespace pyptoc::ir {

// Where a key belongs in a table whose size is a power of two, modulo that. By creation number: it is the same on every
// run, and nodes that were made together lie together, which saves most cache misses of a pass. Groups of 64 are
// scattered, or nodes of two phases whose numbers lie a multiple of the size apart would make one row, as long as a
// phase is, for each search to go along.
inline size_t place_in_table(const Node* key) {
  constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;
  const uint64_t group = key->serial >> 6;
  return static_cast<size_t>((group * kGolden >> 32) << 6 | (key->serial & 63));
}

// Open addressing, linear probing, at most half full. Keys are compared by address; those of one map must come from one
// Context, whose numbers differ.
template <class V>
class NodeMap {
 public:
  // The value of `key`, or null. Pointers stay valid until the next insertion.
  V* find(const Node* key) {
    if (count_ == 0) return nullptr;
    Slot& slot = probe(key);
    return slot.first == key ? &slot.second : nullptr;
  }
  const V* find(const Node* key) const { return const_cast<NodeMap*>(this)->find(key); }
  bool contains(const Node* key) const { return find(key) != nullptr; }

  V& operator[](const Node* key) {
    if ((count_ + 1) * 2 > slots_.size()) grow();
    Slot& slot = probe(key);
    if (slot.first != key) {
      slot.first = key;
      slot.second = V{};
      ++count_;
    }
    return slot.second;
  }
  // False when the key was there already; its value is kept then.
  bool insert(const Node* key, V value) {
    size_t before = count_;
    V& place = (*this)[key];
    if (count_ == before) return false;
    place = std::move(value);
    return true;
  }
  size_t size() const { return count_; }
  // Room for that many keys, if there are none yet.
  void reserve(size_t keys) {
    if (slots_.empty()) slots_ = std::vector<Slot>(std::bit_ceil(std::max(size_t{16}, keys * 2)));
  }
  void clear() {
    slots_.clear();
    count_ = 0;
  }

 private:
  using Slot = std::pair<const Node*, V>;

  Slot& probe(const Node* key) {
    size_t mask = slots_.size() - 1;
    size_t at = place_in_table(key) & mask;
    while (slots_[at].first != nullptr && slots_[at].first != key) at = (at + 1) & mask;
    return slots_[at];
  }
  void grow() {
    std::vector<Slot> old = std::move(slots_);
    slots_ = std::vector<Slot>(old.empty() ? 16 : old.size() * 2);
    for (Slot& slot : old)
      if (slot.first != nullptr) probe(slot.first) = std::move(slot);
  }

  std::vector<Slot> slots_;
  size_t count_ = 0;
};

// The first few keys take no memory of their own: most sets of a pass are about one statement or scope.
class NodeSet {
 public:
  bool insert(const Node* key) {  // false when it was there
    if (map_.size() > 0) return map_.insert(key, true);
    if (is_one_of_few(key)) return false;
    if (count_ < few_.size()) {
      few_[count_++] = key;
      return true;
    }
    for (const Node* one : few_) map_.insert(one, true);
    return map_.insert(key, true);
  }
  bool contains(const Node* key) const { return map_.size() > 0 ? map_.contains(key) : is_one_of_few(key); }
  size_t size() const { return map_.size() > 0 ? map_.size() : count_; }

 private:
  bool is_one_of_few(const Node* key) const {
    return std::find(few_.begin(), few_.begin() + count_, key) != few_.begin() + count_;
  }

  std::array<const Node*, 4> few_{};
  uint32_t count_ = 0;
  NodeMap<bool> map_;  // of all, once they are more
};

}  // namespace pyptoc::ir
