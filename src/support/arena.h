// SPDX-License-Identifier: Apache-2.0
// Bump allocation for everything that lives exactly as long as one compilation.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace pyptoc::support {

// Objects are never destroyed one by one, hence they must be trivially destructible; the arena cannot leak silently.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  template <class T>
  T* copy(const T& value) {
    static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>);
    return new (allocate(sizeof(T), alignof(T))) T(value);
  }

  template <class T>
  std::span<const T> copy_list(const T* data, size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>);
    if (count == 0) return {};
    T* out = static_cast<T*>(allocate(sizeof(T) * count, alignof(T)));
    std::uninitialized_copy_n(data, count, out);
    return {out, count};
  }

  std::string_view copy_string(std::string_view text) {
    if (text.empty()) return {};
    char* out = static_cast<char*>(allocate(text.size(), 1));
    std::memcpy(out, text.data(), text.size());
    return {out, text.size()};
  }

  size_t bytes_reserved() const { return reserved_; }

 private:
  // Chunks grow so that small programs stay small and large ones make few requests.
  static constexpr size_t kFirstChunk = size_t{16} << 10;
  static constexpr size_t kLargestChunk = size_t{1} << 20;

  void* allocate(size_t size, size_t align) {
    size_t at = (used_ + align - 1) & ~(align - 1);
    if (chunk_ == nullptr || at + size > capacity_) {
      grow(size);
      at = 0;
    }
    used_ = at + size;
    return chunk_ + at;
  }

  void grow(size_t at_least) {
    size_t next = chunks_.empty() ? kFirstChunk : std::min(kLargestChunk, capacity_ * 2);
    capacity_ = std::max(next, at_least);
    chunks_.push_back(std::unique_ptr<std::byte[]>(new std::byte[capacity_]));
    chunk_ = chunks_.back().get();
    reserved_ += capacity_;
    used_ = 0;
  }

  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::byte* chunk_ = nullptr;
  size_t used_ = 0;
  size_t capacity_ = 0;
  size_t reserved_ = 0;
};

}  // namespace pyptoc::support
