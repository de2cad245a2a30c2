// SPDX-License-Identifier: Apache-2.0
// Flags, barriers and the users of on-chip bytes.
#include "ranks/pipes.h"

#include <sys/mman.h>

#include <algorithm>
#include <stdexcept>

namespace standin::ranks {
namespace {

constexpr const char* kNames[kPipes] = {"PIPE_S", "PIPE_V", "PIPE_MTE2", "PIPE_MTE3"};
constexpr int kVector = 1;

std::string pair_text(int from, int to, int event) {
  return std::string(kNames[from]) + ", " + kNames[to] + ", event " + std::to_string(event);
}

}  // namespace

OnChip::OnChip(int64_t bytes) : bytes_(bytes) {
  void* at = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::runtime_error("no on-chip memory");
  data_ = static_cast<unsigned char*>(at);
}

OnChip::~OnChip() {
  munmap(data_, static_cast<size_t>(bytes_));
}

uint32_t Pipes::issue(int pipe) {
  Done& mine = known_[static_cast<size_t>(pipe)];
  const Done& scalar = known_[0];
  for (size_t q = 0; q < kPipes; ++q) mine[q] = std::max(mine[q], scalar[q]);
  return ++issued_[static_cast<size_t>(pipe)];
}

std::string Pipes::set_flag(int from, int to, int event) {
  for (const Flag& flag : flags_) {
    if (flag.from == from && flag.to == to && flag.event == event) {
      return "set_flag(" + pair_text(from, to, event) + ") while it is set";
    }
  }
  Done known = known_[static_cast<size_t>(from)];
  known[static_cast<size_t>(from)] = issued_[static_cast<size_t>(from)];
  for (size_t q = 0; q < kPipes; ++q) known[q] = std::max(known[q], known_[0][q]);
  flags_.push_back({from, to, event, known});
  return "";
}

std::string Pipes::wait_flag(int from, int to, int event) {
  for (size_t i = 0; i < flags_.size(); ++i) {
    const Flag& flag = flags_[i];
    if (flag.from != from || flag.to != to || flag.event != event) continue;
    Done& known = known_[static_cast<size_t>(to)];
    for (size_t q = 0; q < kPipes; ++q) known[q] = std::max(known[q], flag.known[q]);
    flags_.erase(flags_.begin() + static_cast<std::ptrdiff_t>(i));
    return "";
  }
  return "wait_flag(" + pair_text(from, to, event) + ") that nothing sets";
}

void Pipes::barrier(int pipe) {
  for (size_t p = 0; p < kPipes; ++p) {
    if (pipe < 0) {
      known_[p] = issued_;
    } else if (p == static_cast<size_t>(pipe)) {
      known_[p][p] = issued_[p];
    }
  }
}

std::string Pipes::end() const {
  if (flags_.empty()) return "";
  const Flag& flag = flags_.front();
  return "the kernel ends and nothing waited for set_flag(" + pair_text(flag.from, flag.to, flag.event) + ")";
}

bool Pipes::over(const Use& use, int pipe) const {
  if (use.pipe == pipe && pipe != kVector) return true;
  return known_[static_cast<size_t>(pipe)][static_cast<size_t>(use.pipe)] >= use.number;
}

std::string Pipes::touch(int pipe, int64_t begin, int64_t end, bool write) {
  if (begin < 0 || begin % 32 != 0) return "a tile that is not assigned to a 32-byte aligned place";
  if (end > memory_->bytes()) {
    return "a tile that ends at byte " + std::to_string(end) + " of " + std::to_string(memory_->bytes()) +
           " of on-chip memory";
  }
  const uint32_t number = issued_[static_cast<size_t>(pipe)];
  int64_t written = begin;  // bytes before this were written; uses_ is searched until it stops growing
  bool grows = !write;
  while (grows) {
    grows = false;
    for (const Use& use : uses_) {
      if (!use.write || use.begin > written || use.end <= written) continue;
      written = use.end;
      grows = true;
    }
  }
  if (!write && written < end) return std::string(kNames[pipe]) + " reads on-chip bytes that nothing wrote";
  for (const Use& use : uses_) {
    if (use.begin >= end || use.end <= begin || (!write && !use.write) || (use.pipe == pipe && use.number == number)) {
      continue;
    }
    if (!over(use, pipe)) {
      return std::string(kNames[pipe]) + (write ? " writes" : " reads") + " on-chip bytes that " + kNames[use.pipe] +
             (use.write ? " writes" : " reads") + ", and no flag or barrier orders them";
    }
  }
  auto replaced = [&](const Use& use) {
    if (write) return use.begin >= begin && use.end <= end && !(use.pipe == pipe && use.number == number);
    return !use.write && use.pipe == pipe && use.begin >= begin && use.end <= end;
  };
  uses_.erase(std::remove_if(uses_.begin(), uses_.end(), replaced), uses_.end());
  uses_.push_back({begin, end, pipe, number, write});
  return "";
}

}  // namespace standin::ranks
