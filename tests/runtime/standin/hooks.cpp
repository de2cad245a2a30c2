// SPDX-License-Identifier: Apache-2.0
// Receives the loads and stores of kernels that were compiled with -fsanitize=thread: that option makes the compiler
// call these functions before each access, and the kernels are linked without the library that usually answers.
#include <atomic>
#include <cstdint>
#include <cstring>

#include "ranks/block.h"
#include "standin/memory.h"

namespace {

// A kernel runs either alone, on the memory of one run, or as a block among others.
void note(const volatile void* at, uint64_t bytes, bool write) {
  if (standin::Memory* memory = standin::recording_memory()) {
    memory->note(reinterpret_cast<uint64_t>(at), bytes, write);
  } else if (standin::ranks::Block* block = standin::ranks::current_block()) {
    try {
      block->scalar(reinterpret_cast<uint64_t>(at), bytes, write);
    } catch (const standin::ranks::Stopped&) {
      block->abandon();
    }
  }
}

}  // namespace

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_read_range(void* at, unsigned long bytes) {
  note(at, bytes, false);
}
void __tsan_write_range(void* at, unsigned long bytes) {
  note(at, bytes, true);
}
void __tsan_vptr_read(void** at) {
  note(at, 8, false);
}
void __tsan_vptr_update(void** at, void*) {
  note(at, 8, true);
}

#define STANDIN_HOOKS(n)                     \
  void __tsan_read##n(void* at) {            \
    note(at, n, false);                      \
  }                                          \
  void __tsan_write##n(void* at) {           \
    note(at, n, true);                       \
  }                                          \
  void __tsan_unaligned_read##n(void* at) {  \
    note(at, n, false);                      \
  }                                          \
  void __tsan_unaligned_write##n(void* at) { \
    note(at, n, true);                       \
  }                                          \
  void __tsan_volatile_read##n(void* at) {   \
    note(at, n, false);                      \
  }                                          \
  void __tsan_volatile_write##n(void* at) {  \
    note(at, n, true);                       \
  }
STANDIN_HOOKS(1)
STANDIN_HOOKS(2)
STANDIN_HOOKS(4)
STANDIN_HOOKS(8)
STANDIN_HOOKS(16)
#undef STANDIN_HOOKS

// The linker's --wrap option sends a kernel's calls of these here: the compiler does not instrument them.
void* __wrap_memcpy(void* to, const void* from, size_t bytes) {
  note(from, bytes, false);
  note(to, bytes, true);
  return std::memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, const void* from, size_t bytes) {
  note(from, bytes, false);
  note(to, bytes, true);
  return std::memmove(to, from, bytes);
}
void* __wrap_memset(void* to, int value, size_t bytes) {
  note(to, bytes, true);
  return std::memset(to, value, bytes);
}

}  // extern "C"
