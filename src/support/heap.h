// SPDX-License-Identifier: Apache-2.0
// The heap of the process, for a program that knows how much it will need.
#pragma once

#include <cstddef>

namespace pyptoc::support {

// Has the next `bytes` of the heap backed by huge pages where the system has them for the asking: a compilation then
// takes a hundredth of the page faults, which are a seventh of its time otherwise. Takes address space, no memory; does
// nothing for less than two huge pages, and on other systems than Linux with glibc. Changes when malloc gives memory
// back, so it is for a program's main(), not for a library, and for one call while no other thread allocates.
void expect_heap(size_t bytes);

}  // namespace pyptoc::support
