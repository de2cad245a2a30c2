// SPDX-License-Identifier: Apache-2.0
// The device memory of one run: buffers in one arena that is never reused, and a record of the bytes that a kernel
// touches.
//
// Buffers stand apart, so that an access just outside one is seen and harms nothing. New memory holds an odd pattern.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace standin {

// Bytes [begin, end) of the arena; `reads` means read before this kernel itself wrote them.
struct Access {
  uint64_t begin;
  uint64_t end;
  bool reads;
  bool writes;
};

struct Buffer {
  std::string name;
  uint64_t begin;  // an address
  uint64_t size;
  int maker;           // node that made it, -1 for a tensor of the caller
  int scope = 0;       // number of the scope in which it was made
  bool input = false;  // a tensor that the caller passed in as IN
};

class Memory {
 public:
  explicit Memory(uint64_t capacity);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // A new buffer of `size` bytes, aligned to 1024. Nothing when the arena is full.
  std::optional<size_t> allocate(uint64_t size, std::string name, int maker);

  // The buffer that holds the address, if any. Gaps between buffers belong to none.
  const Buffer* find(uint64_t address) const;

  // Where the buffer that holds the address, or the gap that does, ends.
  uint64_t piece_end(uint64_t address) const;

  Buffer& buffer(size_t i) { return buffers_[i]; }
  const std::vector<Buffer>& buffers() const { return buffers_; }

  // Between these two, note() collects. Ranges come sorted and disjoint.
  void begin_record();
  std::vector<Access> end_record();

  // Called for every load and store of a kernel; addresses outside the arena (stack, constants) are nobody's business.
  // Inline and word by word: compiled kernels come through here for every element.
  void note(uint64_t address, uint64_t bytes, bool write) {
    const uint64_t offset = address - base_;
    if (offset >= capacity_ || !recording_) return;
    const uint64_t end = offset + bytes < capacity_ ? offset + bytes : capacity_;
    for (uint64_t page = offset / kPage; page * kPage < end; ++page) {
      if (page != last_page_) mark_page(page);
    }
    uint64_t i = offset;
    for (; i + 4 <= end; i += 4) mark<uint32_t>(touched_ + i, write);
    for (; i < end; ++i) mark<uint8_t>(touched_ + i, write);
  }

 private:
  static constexpr uint64_t kPage = 4096;
  static constexpr uint32_t kReadFlags = 0x01010101;  // one flag byte for each byte of memory
  static constexpr uint32_t kWriteFlags = 0x02020202;

  template <typename Word>
  static void mark(unsigned char* at, bool write) {
    Word flags;
    std::memcpy(&flags, at, sizeof(Word));
    const Word written = static_cast<Word>(flags >> 1 & kReadFlags);
    flags = static_cast<Word>(flags | (write ? kWriteFlags : kReadFlags & ~written));
    std::memcpy(at, &flags, sizeof(Word));
  }
  void mark_page(uint64_t page);

  uint64_t capacity_;
  uint64_t base_ = 0;
  uint64_t used_ = 0;
  unsigned char* touched_ = nullptr;  // one byte of flags for each byte of the arena
  bool recording_ = false;
  uint64_t last_page_ = UINT64_MAX;
  std::vector<bool> page_dirty_;
  std::vector<uint64_t> dirty_pages_;
  std::vector<Buffer> buffers_;
};

// The memory to which the loads and stores of the running kernel are reported; null outside a kernel. The hooks that
// the compiler inserts into instrumented kernels have no argument through which it could be passed.
Memory*& recording_memory();

}  // namespace standin
