// SPDX-License-Identifier: Apache-2.0
// Lets malloc extend its heap once for all, and advises on the new part while it is still untouched.
#include "support/heap.h"

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>

#include <climits>
#include <cstdint>
#include <cstdlib>
#endif

namespace pyptoc::support {

#ifdef __GLIBC__

void expect_heap(size_t bytes) {
  constexpr uintptr_t kHugePage = uintptr_t{2} << 20;
  constexpr int kLargestThreshold = 32 << 20;  // glibc takes no more
  constexpr int kMostMappings = 65536;         // its default
  if (bytes < 2 * kHugePage) return;
  mallopt(M_MMAP_THRESHOLD, kLargestThreshold);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_MMAP_MAX, 0);  // the block is to lie in the heap, whatever its size
  void* block = std::malloc(bytes);
  mallopt(M_MMAP_MAX, kMostMappings);
  if (block == nullptr) return;
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(block) + kHugePage - 1) / kHugePage * kHugePage;
  const uintptr_t end = (reinterpret_cast<uintptr_t>(block) + bytes) / kHugePage * kHugePage;
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // refused: small pages, as without it
  std::free(block);
}

#else

void expect_heap(size_t) {}

#endif

}  // namespace pyptoc::support
