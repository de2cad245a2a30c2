// SPDX-License-Identifier: Apache-2.0
// Copying out. The recursion goes as deep as bracketed maps contain each other, which their writer limits.
#include "serial/shuffled_text.h"

namespace pyptoc::serial {

std::size_t ShuffledText::begin(std::span<const uint8_t> order) {
  maps_.push_back({order, entries_.size(), 0});
  entries_.resize(entries_.size() + order.size() + 1);
  return maps_.size() - 1;
}

void ShuffledText::entry(std::size_t map, std::size_t number) {
  entries_[maps_[map].first_entry + number] = {text_.size(), maps_.size()};
}

void ShuffledText::end(std::size_t map) {
  entry(map, maps_[map].order.size());
  maps_[map].next = maps_.size();
}

std::string ShuffledText::finish(char separator) const {
  std::string out;
  out.reserve(text_.size() + entries_.size());
  copy(out, {0, 0}, {text_.size(), maps_.size()}, separator);
  return out;
}

void ShuffledText::copy(std::string& out, Entry from, Entry to, char separator) const {
  std::size_t at = from.begin;
  for (std::size_t map = from.first_map; map < to.first_map; map = maps_[map].next) {
    const Map& inner = maps_[map];
    std::size_t begin = entries_[inner.first_entry].begin;
    out.append(text_, at, begin - at);
    copy_map(out, inner, separator);
    at = entries_[inner.first_entry + inner.order.size()].begin;
  }
  out.append(text_, at, to.begin - at);
}

void ShuffledText::copy_map(std::string& out, const Map& map, char separator) const {
  bool first = true;
  for (uint8_t number : map.order) {
    const Entry& from = entries_[map.first_entry + number];
    const Entry& to = entries_[map.first_entry + number + 1U];
    if (from.begin == to.begin) continue;
    if (!first && separator != 0) out += separator;
    first = false;
    copy(out, from, to, separator);
  }
}

}  // namespace pyptoc::serial
