// SPDX-License-Identifier: Apache-2.0
// Order of nodes and history of bytes.
#include "standin/graph.h"

#include <algorithm>
#include <iterator>

namespace standin {

int Graph::add(const std::vector<int>& predecessors) {
  const size_t node = ancestors_.size();
  std::vector<uint64_t> bits(node / 64 + 1, 0);
  for (int p : predecessors) {
    const std::vector<uint64_t>& above = ancestors_[static_cast<size_t>(p)];
    for (size_t i = 0; i < above.size(); ++i) bits[i] |= above[i];
    bits[static_cast<size_t>(p) / 64] |= uint64_t{1} << (p % 64);
  }
  ancestors_.push_back(std::move(bits));
  return static_cast<int>(node);
}

bool Graph::before(int first, int second) const {
  const std::vector<uint64_t>& above = ancestors_[static_cast<size_t>(second)];
  const size_t word = static_cast<size_t>(first) / 64;
  return word < above.size() && (above[word] >> (first % 64) & 1) != 0;
}

void Shadow::add_buffer(uint64_t begin, uint64_t size, int writer) {
  if (size != 0) cells_[begin] = Cell{begin + size, writer, {}};
}

// Makes a cell begin at `at` where one reaches across it; returns the first cell that begins at or after `at`.
std::map<uint64_t, Shadow::Cell>::iterator Shadow::split(uint64_t at) {
  auto next = cells_.lower_bound(at);
  if (next == cells_.begin()) return next;
  auto previous = std::prev(next);
  if (previous->second.end <= at) return next;
  Cell tail = previous->second;
  previous->second.end = at;
  return cells_.emplace_hint(next, at, std::move(tail));
}

void Shadow::read(uint64_t begin, uint64_t end, int node, const Conflict& conflict, const Unwritten& unwritten) {
  auto first = split(begin);
  split(end);
  for (auto it = first; it != cells_.end() && it->first < end; ++it) {
    Cell& cell = it->second;
    if (cell.writer == kNobody) {
      unwritten(it->first, cell.end);
    } else if (cell.writer != node && !graph_.before(cell.writer, node)) {
      conflict(it->first, cell.end, cell.writer, true);
    }
    auto& readers = cell.readers;
    readers.erase(
        std::remove_if(readers.begin(), readers.end(), [&](int r) { return r == node || graph_.before(r, node); }),
        readers.end());
    readers.push_back(node);
  }
}

void Shadow::write(uint64_t begin, uint64_t end, int node, const Conflict& conflict) {
  auto first = split(begin);
  split(end);
  auto it = first;
  for (; it != cells_.end() && it->first < end; ++it) {
    const Cell& cell = it->second;
    if (cell.writer != kNobody && cell.writer != node && !graph_.before(cell.writer, node)) {
      conflict(it->first, cell.end, cell.writer, true);
    }
    for (int reader : cell.readers) {
      if (reader != node && !graph_.before(reader, node)) conflict(it->first, cell.end, reader, false);
    }
  }
  if (first == it) return;
  cells_.erase(first, it);
  cells_[begin] = Cell{end, node, {}};
}

void Shadow::unwritten(uint64_t begin, uint64_t end, const Unwritten& unwritten) const {
  auto it = cells_.upper_bound(begin);
  if (it != cells_.begin()) --it;
  for (; it != cells_.end() && it->first < end; ++it) {
    if (it->second.writer == kNobody && it->second.end > begin) {
      unwritten(std::max(begin, it->first), std::min(end, it->second.end));
    }
  }
}

}  // namespace standin
