// SPDX-License-Identifier: Apache-2.0
// Text written in one order and delivered in another, each byte copied once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pyptoc::serial {

// Nodes are numbered in the order of visits, but the keys of maps are sorted, so that a map may have to be written in
// an order that is not the one of the file. The writer then brackets such a map's entries with begin() and end() and
// calls entry() before each; finish() copies everything to where it belongs. Such maps may contain each other.
class ShuffledText {
 public:
  std::string& text() { return text_; }

  // The entries of a map follow, at most `order.size()` of them. `order[k]` tells which of them, counted as written, is
  // the k-th in the file; it must stay. Entries with nothing written are left out.
  std::size_t begin(std::span<const uint8_t> order);
  void entry(std::size_t map, std::size_t number);
  void end(std::size_t map);

  // With `separator` between the entries of the bracketed maps, unless it is 0.
  std::string finish(char separator) const;

 private:
  struct Map {
    std::span<const uint8_t> order;
    std::size_t first_entry;  // in entries_: one for each, and one for the end
    std::size_t next;         // the map after this one and all in it
  };
  struct Entry {
    std::size_t begin;      // in text_
    std::size_t first_map;  // the first one in it, if it has any
  };
  void copy(std::string& out, Entry from, Entry to, char separator) const;
  void copy_map(std::string& out, const Map& map, char separator) const;

  std::string text_;
  std::vector<Map> maps_;  // in the order of begin()
  std::vector<Entry> entries_;
};

}  // namespace pyptoc::serial
