// SPDX-License-Identifier: Apache-2.0
// The adversary: who runs next, how late notifies happen, and whom to hold back where. All of it follows from the seed.
//
// Held back is one rank (or one block of it) at one place: at the start of a task, before it publishes, between its
// round A and its transfer, between its last wait and its epilogue, and so on; each change between moving, notifying
// and waiting is such a place. It goes on only when nothing else can.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace standin::ranks {

enum class Doing : uint8_t { kNothing, kMove, kNotify, kWait };

class Schedule {
 public:
  Schedule(uint64_t seed, int ranks);

  uint64_t below(uint64_t n) { return random_() % n; }
  bool chance(uint64_t one_in) { return one_in != 0 && random_() % one_in == 0; }

  // True when the running block should give way before its next instruction.
  bool gives_way();
  // The block to run next, of `count`; `last` is the place of the one that ran last, or count.
  size_t pick(size_t count) { return static_cast<size_t>(below(count)); }
  bool by_priority() const { return how_ == How::kPriority; }
  uint32_t new_priority() { return static_cast<uint32_t>(random_()); }
  // True when a notify happens at once.
  bool happens_now() { return late_ == 0 || below(late_) == 0; }
  // True when a late notify should happen although blocks can run.
  bool perform_now() { return late_ > 1 && below(late_ * 4) == 0; }
  // Whether a block that comes to the `place`-th place of its rank's task `task` stays there.
  bool holds(int rank, int task, int block, uint32_t place);
  // How many blocks of a launch without sync start are resident at once.
  int resident(int blocks, int cores);

  std::string text() const;

 private:
  enum class How : uint8_t { kUniform, kLong, kPriority };
  std::mt19937_64 random_;
  How how_ = How::kUniform;
  uint64_t late_ = 0;  // 0: at once, 1: as late as possible, else one in so many
  uint64_t give_way_ = 1;
  int hold_rank_ = -1;
  int hold_task_ = 0;
  int hold_block_ = -1;  // all
  uint32_t hold_place_ = 0;
};

}  // namespace standin::ranks
