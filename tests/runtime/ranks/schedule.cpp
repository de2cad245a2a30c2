// SPDX-License-Identifier: Apache-2.0
// What a seed means.
#include "ranks/schedule.h"

#include <algorithm>

namespace standin::ranks {

Schedule::Schedule(uint64_t seed, int ranks) : random_(seed * 0x9E3779B97F4A7C15u + 1) {
  const auto count = static_cast<uint64_t>(std::max(ranks, 1));
  random_.discard(8);
  how_ = static_cast<How>(below(3));
  give_way_ = how_ == How::kLong ? 64 : how_ == How::kPriority ? 8 : 1 + below(4);
  late_ = below(3) == 0 ? 0 : below(2) == 0 ? 1 : 2 + below(64);
  if (below(5) == 0) return;  // nobody is held
  hold_rank_ = static_cast<int>(below(count));
  hold_task_ = static_cast<int>(below(4) == 0 ? below(24) : below(7));
  hold_block_ = below(3) == 0 ? static_cast<int>(below(4)) : -1;
  const uint64_t far = std::max<uint64_t>(6 * count, 8);
  hold_place_ = static_cast<uint32_t>(below(4) == 0 ? below(far) : below(7));
}

bool Schedule::gives_way() {
  return give_way_ <= 1 || below(give_way_) == 0;
}

bool Schedule::holds(int rank, int task, int block, uint32_t place) {
  return rank == hold_rank_ && task == hold_task_ && place == hold_place_ && (hold_block_ < 0 || block == hold_block_);
}

int Schedule::resident(int blocks, int cores) {
  const int most = std::min(blocks, cores);
  return most <= 1 ? 1 : 1 + static_cast<int>(below(static_cast<uint64_t>(most)));
}

std::string Schedule::text() const {
  static const char* const kHow[] = {"uniform", "long runs", "priorities"};
  std::string text = kHow[static_cast<size_t>(how_)];
  text += late_ == 0 ? ", notifies at once" : late_ == 1 ? ", notifies late" : ", notifies sometimes late";
  if (hold_rank_ >= 0) {
    text += ", rank " + std::to_string(hold_rank_) + " held in its task " + std::to_string(hold_task_) + " at place " +
            std::to_string(hold_place_);
    if (hold_block_ >= 0) text += " (block " + std::to_string(hold_block_) + ")";
  }
  return text;
}

}  // namespace standin::ranks
