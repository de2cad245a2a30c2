// SPDX-License-Identifier: Apache-2.0
// Work on several threads: each piece once, and the first failure comes out.
#include "support/parallel.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace pyptoc::support {
namespace {

TEST_CASE("each piece of work is done once, however many workers there are") {
  for (const size_t workers : {size_t{0}, size_t{1}, size_t{3}, size_t{64}}) {
    for (const size_t count : {size_t{0}, size_t{1}, size_t{50}}) {
      std::vector<std::atomic<int>> done(count);
      for_each_parallel(count, workers, [&](size_t i) { ++done[i]; });
      for (const std::atomic<int>& times : done) CHECK(times == 1);
    }
  }
}

TEST_CASE("of several failures the one of the lowest number comes out, after all work is done") {
  std::atomic<int> done = 0;
  const auto work = [&](size_t i) {
    ++done;
    if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
  };
  CHECK_THROWS_WITH(for_each_parallel(40, 4, work), "7");
  CHECK(done == 40);
}

}  // namespace
}  // namespace pyptoc::support
