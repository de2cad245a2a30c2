// SPDX-License-Identifier: Apache-2.0
// The table of keys: a guess first, because files repeat themselves, then a hash table.
#include "serial/keys.h"

namespace pyptoc::serial {

KeyTable::KeyTable() : slots_(512, kNone) {
  for (std::size_t i = 0; i < kKnownKeyCount; ++i) {
    slots_[find_slot(known_key(i))] = static_cast<KeyId>(i);
    texts_.push_back(known_key(i));
    successor_.push_back(static_cast<KeyId>(i));
  }
}

std::size_t KeyTable::hash(std::string_view text) {
  uint64_t hash = 1469598103934665603ULL;  // FNV-1a
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return static_cast<std::size_t>(hash ^ (hash >> 29U));
}

std::size_t KeyTable::find_slot(std::string_view text) const {
  std::size_t mask = slots_.size() - 1;
  std::size_t at = hash(text) & mask;
  while (slots_[at] != kNone && texts_[slots_[at]] != text) at = (at + 1) & mask;
  return at;
}

void KeyTable::grow() {
  slots_.assign(slots_.size() * 2, kNone);
  for (std::size_t i = 0; i < texts_.size(); ++i) slots_[find_slot(texts_[i])] = static_cast<KeyId>(i);
}

KeyId KeyTable::intern(std::string_view text, bool stays) {
  KeyId guess = successor_[previous_];
  if (texts_[guess] == text) {
    previous_ = guess;
    return guess;
  }
  std::size_t slot = find_slot(text);
  KeyId id = slots_[slot];
  if (id == kNone) {
    id = static_cast<KeyId>(texts_.size());
    texts_.push_back(stays ? text : std::string_view(copies_.emplace_back(text)));
    slots_[slot] = id;
    successor_.push_back(id);
    if (texts_.size() * 2 > slots_.size()) grow();
  }
  successor_[previous_] = id;
  previous_ = id;
  return id;
}

}  // namespace pyptoc::serial
