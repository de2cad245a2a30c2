// SPDX-License-Identifier: Apache-2.0
// Address space, views and histories.
#include "ranks/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace standin::ranks {
namespace {

uint64_t reserve(uint64_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::runtime_error("the stand-in cannot reserve address space");
  return reinterpret_cast<uint64_t>(at);
}

}  // namespace

void Store::know(Cells::value_type& cell) {
  if (cell.first % kWord != 0 || size / kWord > kMostWords) return;
  if (words_.empty()) words_.resize(size / kWord + 1);
  words_[cell.first / kWord] = &cell;
}

Store::Cells::iterator Store::split(uint64_t at) {
  auto next = cells_.lower_bound(at);
  if (next != cells_.end() && next->first == at) {
    know(*next);
    return next;
  }
  if (next == cells_.begin()) return next;
  auto previous = std::prev(next);
  if (previous->second.end <= at) return next;
  Cell tail = previous->second;
  previous->second.end = at;
  auto made = cells_.emplace_hint(next, at, std::move(tail));
  know(*made);
  return made;
}

void Store::overwrite(uint64_t begin, uint64_t end, Access writer) {
  Cell* whole = exactly(begin, end);
  if (whole == nullptr) {
    auto first = split(begin);
    auto last = split(end);
    if (first != last && std::next(first) == last) {
      whole = &first->second;
    } else {
      for (auto it = first; it != last; ++it)
        if (it->first % kWord == 0 && it->first / kWord < words_.size()) words_[it->first / kWord] = nullptr;
      cells_.erase(first, last);
      cells_[begin] = Cell{end, writer, {}};
      return;
    }
  }
  whole->writer = writer;
  whole->others.clear();
}

NamedBytes* Store::buffer_at(uint64_t offset) {
  for (NamedBytes& buffer : buffers) {
    if (offset >= buffer.begin && offset < buffer.end) return &buffer;
  }
  return nullptr;
}

Space::Space() : view_(reserve(kReserve)), main_(reserve(kReserve)) {}

Space::~Space() {
  munmap(reinterpret_cast<void*>(view_), kReserve);
  munmap(reinterpret_cast<void*>(main_), kReserve);
}

Store* Space::add_store(int owner, int64_t space, uint64_t size, int writer) {
  const uint64_t rounded = (size + 63) / 64 * 64;
  if (main_used_ + rounded > kReserve) throw std::runtime_error("the stand-in's address space is full");
  auto* at = reinterpret_cast<unsigned char*>(main_ + main_used_);
  main_used_ += rounded;
  stores_.push_back(std::make_unique<Store>(owner, space, at, size, writer));
  return stores_.back().get();
}

// Gaps differ from view to view, so that distances between two ranks' addresses mean nothing.
uint64_t Space::add_view(int viewer, Store* store) {
  const uint64_t gap = 1024 * (1 + (regions_.size() * 7 + static_cast<uint64_t>(viewer) * 3) % 5);
  const uint64_t begin = (view_used_ + gap + 1023) / 1024 * 1024;
  if (begin + store->size + 8192 > kReserve) throw std::runtime_error("the stand-in's address space is full");
  view_used_ = begin + store->size;
  regions_.push_back({view_ + begin, store->size, viewer, store});
  return view_ + begin;
}

const Region* Space::find(uint64_t address) {
  if (last_ < regions_.size() && address - regions_[last_].begin < regions_[last_].size) return &regions_[last_];
  auto after = std::upper_bound(regions_.begin(), regions_.end(), address,
                                [](uint64_t a, const Region& r) { return a < r.begin; });
  if (after == regions_.begin()) return nullptr;
  --after;
  if (address - after->begin >= after->size) return nullptr;
  last_ = static_cast<size_t>(after - regions_.begin());
  return &*after;
}

}  // namespace standin::ranks
