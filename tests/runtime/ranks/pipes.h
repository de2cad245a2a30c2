// SPDX-License-Identifier: Apache-2.0
// The pipes and the on-chip memory of one core while it runs one block.
//
// Instructions of one pipe run in order; different pipes run at their own pace unless a flag or a barrier orders them.
// Vector instructions that depend on each other need a barrier of their pipe between them. Values are computed when an
// instruction is issued; what is checked is that every permitted timing would have given the same.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ranks/clock.h"

namespace standin::ranks {

class OnChip {
 public:
  explicit OnChip(int64_t bytes);
  ~OnChip();
  OnChip(const OnChip&) = delete;
  OnChip& operator=(const OnChip&) = delete;
  int64_t bytes() const { return bytes_; }
  unsigned char* at(int64_t offset) { return data_ + offset; }

 private:
  int64_t bytes_;
  unsigned char* data_;
};

// The four pipes by the numbers of the library; -1 for those that vector kernels do not have.
inline constexpr int kPipeOfLibrary[8] = {0, 1, -1, 2, 3, -1, -1, -1};

class Pipes {
 public:
  using Done = std::array<uint32_t, kPipes>;

  explicit Pipes(OnChip* memory) : memory_(memory) {}
  OnChip& memory() { return *memory_; }

  // Issues an instruction of a pipe; its number within the pipe.
  uint32_t issue(int pipe);
  // What is known to be over, by pipe, when the next instruction of `pipe` starts.
  const Done& known(int pipe) const { return known_[static_cast<size_t>(pipe)]; }

  // Each returns what is wrong, or an empty text.
  std::string set_flag(int from, int to, int event);
  std::string wait_flag(int from, int to, int event);
  void barrier(int pipe);  // -1: all
  std::string end() const;

  // The last issued instruction of `pipe` touches on-chip bytes.
  std::string touch(int pipe, int64_t begin, int64_t end, bool write);

 private:
  struct Use {
    int64_t begin;
    int64_t end;
    int pipe;
    uint32_t number;
    bool write;
  };
  struct Flag {
    int from;
    int to;
    int event;
    Done known;
  };
  bool over(const Use& use, int pipe) const;

  OnChip* memory_;
  std::array<uint32_t, kPipes> issued_{};
  std::array<Done, kPipes> known_{};
  std::vector<Flag> flags_;
  std::vector<Use> uses_;
};

}  // namespace standin::ranks
