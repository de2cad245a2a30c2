// SPDX-License-Identifier: Apache-2.0
// Arena and access record of the stand-in.
#include "standin/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace standin {
namespace {

constexpr uint64_t kAlign = 1024;
constexpr uint64_t kGap = 4096;
constexpr unsigned char kRead = 1;
constexpr unsigned char kWritten = 2;

unsigned char* reserve(uint64_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? nullptr : static_cast<unsigned char*>(at);
}

// Joins what continues the last range in the same way.
void add_access(std::vector<Access>& list, uint64_t begin, uint64_t end, unsigned char flags) {
  const bool reads = (flags & kRead) != 0;
  const bool writes = (flags & kWritten) != 0;
  if (!list.empty() && list.back().end == begin && list.back().reads == reads && list.back().writes == writes) {
    list.back().end = end;
  } else {
    list.push_back({begin, end, reads, writes});
  }
}

}  // namespace

Memory*& recording_memory() {
  static thread_local Memory* current = nullptr;
  return current;
}

Memory::Memory(uint64_t capacity) : capacity_((capacity + kPage - 1) / kPage * kPage) {
  unsigned char* bytes = reserve(capacity_);
  touched_ = reserve(capacity_);
  base_ = reinterpret_cast<uint64_t>(bytes);
  if (bytes == nullptr || touched_ == nullptr) {
    if (bytes != nullptr) munmap(bytes, capacity_);
    if (touched_ != nullptr) munmap(touched_, capacity_);
    capacity_ = 0;  // every allocation is refused
  }
  page_dirty_.resize(capacity_ / kPage);
}

Memory::~Memory() {
  if (capacity_ == 0) return;
  munmap(reinterpret_cast<void*>(base_), capacity_);
  munmap(touched_, capacity_);
}

std::optional<size_t> Memory::allocate(uint64_t size, std::string name, int maker) {
  const uint64_t begin = (used_ + kGap + kAlign - 1) / kAlign * kAlign;
  if (size > capacity_ || begin + kGap > capacity_ - size) return std::nullopt;
  used_ = begin + size;
  std::memset(reinterpret_cast<void*>(base_ + begin), 0xA5, size);
  Buffer made{std::move(name), base_ + begin, size, maker};
  buffers_.push_back(std::move(made));
  return buffers_.size() - 1;
}

const Buffer* Memory::find(uint64_t address) const {
  auto after = std::upper_bound(buffers_.begin(), buffers_.end(), address,
                                [](uint64_t a, const Buffer& b) { return a < b.begin; });
  if (after == buffers_.begin()) return nullptr;
  const Buffer& candidate = *(after - 1);
  return address - candidate.begin < candidate.size ? &candidate : nullptr;
}

uint64_t Memory::piece_end(uint64_t address) const {
  if (const Buffer* inside = find(address)) return inside->begin + inside->size;
  auto after = std::upper_bound(buffers_.begin(), buffers_.end(), address,
                                [](uint64_t a, const Buffer& b) { return a < b.begin; });
  return after == buffers_.end() ? base_ + capacity_ : after->begin;
}

void Memory::begin_record() {
  recording_ = true;
  recording_memory() = this;
}

void Memory::mark_page(uint64_t page) {
  last_page_ = page;
  if (page_dirty_[page]) return;
  page_dirty_[page] = true;
  dirty_pages_.push_back(page);
}

std::vector<Access> Memory::end_record() {
  recording_ = false;
  recording_memory() = nullptr;
  std::sort(dirty_pages_.begin(), dirty_pages_.end());
  std::vector<Access> result;
  for (uint64_t page : dirty_pages_) {
    page_dirty_[page] = false;
    const uint64_t page_end = (page + 1) * kPage;
    for (uint64_t i = page * kPage; i < page_end;) {
      const unsigned char flags = touched_[i];
      const uint64_t begin = i;
      while (i < page_end && touched_[i] == flags) ++i;
      if (flags != 0) add_access(result, base_ + begin, base_ + i, flags);
    }
    std::memset(touched_ + page * kPage, 0, kPage);
  }
  dirty_pages_.clear();
  last_page_ = UINT64_MAX;
  return result;
}

}  // namespace standin
