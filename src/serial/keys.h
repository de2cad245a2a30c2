// SPDX-License-Identifier: Apache-2.0
// Keys of maps as small numbers: those that the format defines are known at compile time, others get the next numbers.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "serial/layout.h"

namespace pyptoc::serial {

using KeyId = uint32_t;

namespace detail {

struct KeyCollection {
  std::array<std::string_view, 512> keys{};
  std::size_t count = 0;

  template <class L>
  constexpr void add() {
    for (std::string_view key : keys_of<L>()) keys[count++] = key;
  }
};

consteval KeyCollection collect_keys() {
  KeyCollection all;
  for (std::string_view key : {"id", "ref", "type", "fields", "key", "value", "name", "is_global_var", "code"})
    all.keys[all.count++] = key;
#define PYPTOC_KIND(K, S) all.add<NodeLayout<ir::S>>();
  PYPTOC_NODE_KINDS(PYPTOC_KIND)
#undef PYPTOC_KIND
#define PYPTOC_KIND(K) all.add<TypeLayout<ir::TypeKind::K>>();
  PYPTOC_TYPE_KINDS(PYPTOC_KIND)
#undef PYPTOC_KIND
  all.add<SpanLayout>();
  all.add<DetailLayout<ir::MemRefInfo>>();
  all.add<DetailLayout<ir::TensorView>>();
  all.add<DetailLayout<ir::TileView>>();
  auto end = all.keys.begin() + static_cast<std::ptrdiff_t>(all.count);
  std::sort(all.keys.begin(), end);
  all.count = static_cast<std::size_t>(std::unique(all.keys.begin(), end) - all.keys.begin());
  return all;
}

inline constexpr KeyCollection kCollected = collect_keys();

}  // namespace detail

// Sorted; the number of a known key is its index.
inline constexpr std::size_t kKnownKeyCount = detail::kCollected.count;

constexpr std::string_view known_key(std::size_t index) {
  return detail::kCollected.keys[index];
}

consteval KeyId key_id(std::string_view key) {
  for (std::size_t i = 0; i < kKnownKeyCount; ++i)
    if (known_key(i) == key) return static_cast<KeyId>(i);
  throw "not a key of the format";  // reached while compiling only
}

// For each known key, which part of a layout it names.
inline constexpr uint8_t kNoSlot = 0xFF;
using SlotMap = std::array<uint8_t, kKnownKeyCount>;

template <std::size_t N>
constexpr SlotMap slot_map(const std::array<std::string_view, N>& keys) {
  SlotMap slots{};
  for (std::size_t k = 0; k < kKnownKeyCount; ++k) {
    slots[k] = kNoSlot;
    for (std::size_t i = 0; i < N; ++i)
      if (keys[i] == known_key(k)) slots[k] = static_cast<uint8_t>(i);
  }
  return slots;
}

// The keys of one kind of map: what a reader needs to sort the entries of a map into slots.
struct MapKeys {
  std::span<const std::string_view> names;
  const SlotMap* slots;
};

template <class L>
struct MapKeysOf {
  static constexpr auto kNames = keys_of<L>();
  static constexpr SlotMap kSlots = slot_map(kNames);
  static constexpr MapKeys kValue{kNames, &kSlots};
};

// The same for a map that is no struct.
template <std::size_t N>
struct KeySet {
  std::array<std::string_view, N> names;
  SlotMap slots;

  constexpr explicit KeySet(const std::array<std::string_view, N>& keys) : names(keys), slots(slot_map(keys)) {}
  MapKeys view() const { return {names, &slots}; }
};

// Numbers the keys of one input. Texts are views: of literals, of the input, or of copies that the table keeps.
class KeyTable {
 public:
  KeyTable();

  // `stays` says that the text outlives the table; otherwise a new key is copied.
  KeyId intern(std::string_view text, bool stays);
  std::string_view text(KeyId id) const { return texts_[id]; }
  std::size_t size() const { return texts_.size(); }

 private:
  static std::size_t hash(std::string_view text);
  std::size_t find_slot(std::string_view text) const;
  void grow();

  static constexpr KeyId kNone = 0xFFFFFFFFU;

  std::vector<std::string_view> texts_;
  std::vector<KeyId> slots_;      // open addressing, at most half full
  std::vector<KeyId> successor_;  // by key: the one that came after it last time, most often the one that comes now
  KeyId previous_ = 0;
  std::deque<std::string> copies_;
};

}  // namespace pyptoc::serial
