// SPDX-License-Identifier: Apache-2.0
// Which tasks are known to come before which, for the passes that order tasks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pyptoc::passes {

// A part of a function that may or may not run while what is around it does: a branch, or the body of a loop. Parts are
// numbered in order of their beginning; a part holds those from its own number to `last`.
struct Part {
  int number = 0;
  int last = 0;

  bool holds(const Part& inner) const { return number <= inner.number && inner.number <= last; }
};

// Tasks are added in the order in which the orchestration submits them. An edge says that the earlier task ends before
// the later one begins, whenever both run. What follows from edges is kept for the kWindow tasks before each task;
// beyond that nothing is known, so that time and memory stay linear.
class TaskGraph {
 public:
  static constexpr int kWindow = 4096;

  // `first` is the first task of this run through the part that the task is in.
  int add(const Part& part, int first);
  // Everything that is known to come before `before` comes before `after` as well, but only where `before` runs too:
  // certainly when this run of its part is around `after`, else for the tasks of its own part.
  void order(int before, int after);
  // Tasks from now on are of a later iteration than those from `first` to `end`: what may be left out in the loop's
  // body did not run before because it runs now.
  void begin_iteration(const Part& body, int first, int end);
  void end_iteration() { last_ = {}; }
  bool ordered(int before, int after) const;
  int size() const { return static_cast<int>(nodes_.size()); }
  // Forgets all tasks from `size` on.
  void truncate(int size);

 private:
  struct Node {
    Part part;
    int first;
  };
  static constexpr int kWords = kWindow / 64;

  // The row of a task covers kWords words of 64 tasks each, the last of which holds the task itself.
  static int base_of(int task) { return task / 64 - (kWords - 1); }
  uint64_t* row(int task) { return &bits_[static_cast<std::size_t>(task) * kWords]; }
  const uint64_t* row(int task) const { return &bits_[static_cast<std::size_t>(task) * kWords]; }

  struct Iteration {
    Part body;
    int first = 0;
    int end = 0;
  };

  std::vector<Node> nodes_;
  std::vector<uint64_t> bits_;
  Iteration last_;  // the one before, while its loop is walked for the second time
};

}  // namespace pyptoc::passes
