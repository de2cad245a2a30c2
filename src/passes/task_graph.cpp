// SPDX-License-Identifier: Apache-2.0
// Rows of bits over a window of tasks.
#include "passes/task_graph.h"

#include <algorithm>

namespace pyptoc::passes {

int TaskGraph::add(const Part& part, int first) {
  nodes_.push_back({part, first});
  bits_.resize(nodes_.size() * kWords, 0);
  return static_cast<int>(nodes_.size()) - 1;
}

void TaskGraph::truncate(int size) {
  nodes_.resize(static_cast<size_t>(size));
  bits_.resize(nodes_.size() * kWords);
}

void TaskGraph::begin_iteration(const Part& body, int first, int end) {
  last_ = {body, first, end};
}

void TaskGraph::order(int before, int after) {
  if (before < 0 || before >= after || ordered(before, after)) return;
  const Node& from = nodes_[static_cast<size_t>(before)];
  const int from_base = base_of(before);
  const int to_base = base_of(after);
  uint64_t* to = row(after);
  const uint64_t* source = row(before);
  const bool of_last = before >= last_.first && before < last_.end && from.part.number != last_.body.number &&
                       last_.body.holds(from.part);
  const bool always = !of_last && from.part.holds(nodes_[static_cast<size_t>(after)].part);
  const int least = always ? 0 : from.first;  // the oldest task that may be taken over
  for (int word = std::max({to_base, from_base, least / 64}); word <= before / 64; ++word) {
    uint64_t bits = source[word - from_base];
    if (word == least / 64) bits &= ~uint64_t{0} << (least % 64);
    to[word - to_base] |= bits;
  }
  const int own = before / 64;
  if (own >= to_base) to[own - to_base] |= uint64_t{1} << (before % 64);
}

bool TaskGraph::ordered(int before, int after) const {
  if (before < 0 || before >= after) return false;
  const int word = before / 64 - base_of(after);
  return word >= 0 && (row(after)[word] >> (before % 64) & 1) != 0;
}

}  // namespace pyptoc::passes
