// SPDX-License-Identifier: Apache-2.0
// The memory of all ranks: what it holds, who touched which bytes last, and at which addresses each rank sees it.
//
// A rank sees a peer's window at an address of its own: the same window has as many addresses as the domain has ranks,
// and an address that another rank uses is a failure. What kernels load and store as scalars is at those addresses (the
// view); what memory holds stands elsewhere, and bytes are copied to the view right before a load and back right after
// a store.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ranks/clock.h"

namespace standin::ranks {

// kBack: the bytes were written back along with a cache line, unchanged as far as the writer knows.
enum class Touch : uint8_t { kRead, kWrite, kAtomic, kBack };

struct Touched {
  Access by;
  Touch how;
};

// Logical bytes of a buffer within its store; what lies between two is padding that nobody may touch.
struct NamedBytes {
  std::string name;
  uint64_t begin;
  uint64_t end;
  bool signal = false;  // some block waited on a word of it
};

// The memory behind one window of one rank, or behind one local buffer.
class Store {
 public:
  struct Cell {
    uint64_t end;
    Access writer;
    std::vector<Touched> others;  // since then, none of them known to be before another
  };

  Store(int owner_rank, int64_t space_key, unsigned char* at, uint64_t bytes, int writer)
      : owner(owner_rank), space(space_key), data(at), size(bytes) {
    if (bytes != 0) cells_[0] = Cell{bytes, {writer, Agent::kScalar, 0}, {}};
  }

  // Calls `f(begin, end, cell)` for each part of [begin, end) with one history. `f` may change the cell.
  template <typename F>
  void visit(uint64_t begin, uint64_t end, const F& f) {
    if (Cell* whole = exactly(begin, end)) return f(begin, end, *whole);
    auto it = split(begin);
    split(end);
    for (; it != cells_.end() && it->first < end; ++it) f(it->first, it->second.end, it->second);
  }
  // Forgets what came before: `writer` wrote all of it.
  void overwrite(uint64_t begin, uint64_t end, Access writer);
  NamedBytes* buffer_at(uint64_t offset);
  bool is_signal(uint64_t offset) {
    const NamedBytes* buffer = buffer_at(offset);
    return buffer != nullptr && buffer->signal;
  }

  int owner;
  int64_t space;  // windows of one domain share it: equal offsets of equal spaces correspond
  unsigned char* data;
  uint64_t size;
  std::vector<NamedBytes> buffers;

 private:
  using Cells = std::map<uint64_t, Cell>;
  Cells::iterator split(uint64_t at);
  // The cell of these bytes, if they are one and known to be: the words of a signal are, after their first use.
  Cell* exactly(uint64_t begin, uint64_t end) {
    const uint64_t word = begin / kWord;
    Cells::value_type* known = begin % kWord == 0 && word < words_.size() ? words_[word] : nullptr;
    return known != nullptr && known->second.end == end ? &known->second : nullptr;
  }
  void know(Cells::value_type& cell);

  static constexpr uint64_t kWord = 4;
  static constexpr uint64_t kMostWords = uint64_t{1} << 18;
  Cells cells_;
  std::vector<Cells::value_type*> words_;  // by offset: the cell that begins there, null where it is not known
};

struct Region {
  uint64_t begin;
  uint64_t size;
  int viewer;
  Store* store;
};

class Space {
 public:
  Space();
  ~Space();
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;

  // Zero-filled; `writer` is kInitial or kNobody.
  Store* add_store(int owner, int64_t space, uint64_t size, int writer);
  // Where `viewer` sees the store from now on.
  uint64_t add_view(int viewer, Store* store);
  // The view that holds the address, if any. Valid until the next add_view.
  const Region* find(uint64_t address);
  bool holds(uint64_t address) const { return address - view_ < kReserve; }
  const std::vector<std::unique_ptr<Store>>& stores() const { return stores_; }

 private:
  static constexpr uint64_t kReserve = uint64_t{1} << 41;
  uint64_t view_ = 0;
  uint64_t main_ = 0;
  uint64_t view_used_ = 0;
  uint64_t main_used_ = 0;
  std::vector<Region> regions_;  // by address
  size_t last_ = 0;
  std::vector<std::unique_ptr<Store>> stores_;
};

}  // namespace standin::ranks
