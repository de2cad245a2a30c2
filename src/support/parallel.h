// SPDX-License-Identifier: Apache-2.0
// Independent pieces of work on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace pyptoc::support {

// Calls work(0) to work(count - 1), each once, on at most `workers` threads, this one included. Returns when all are
// done; then the exception of the lowest number is thrown again, if there was any. The calls must not touch the same
// things.
void for_each_parallel(std::size_t count, std::size_t workers, const std::function<void(std::size_t)>& work);

}  // namespace pyptoc::support
