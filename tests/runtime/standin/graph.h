// SPDX-License-Identifier: Apache-2.0
// Who comes before whom, and which bytes were last touched by whom.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace standin {

// A growing acyclic graph whose nodes know all their ancestors. Quadratic in its size (a bit for each pair), which is
// fine for tests and keeps every question one look-up.
class Graph {
 public:
  // Predecessors must exist already. Returns the new node's number.
  int add(const std::vector<int>& predecessors);
  // True when every permitted order runs `first` to its end before `second` begins.
  bool before(int first, int second) const;
  int size() const { return static_cast<int>(ancestors_.size()); }

 private:
  std::vector<std::vector<uint64_t>> ancestors_;
};

// For each byte its last writer and the readers since. Two accesses of which one writes must be ordered by the graph:
// what is not ordered can overlap in some permitted order, whether or not it does in this one.
class Shadow {
 public:
  static constexpr int kNobody = -1;
  using Conflict = std::function<void(uint64_t begin, uint64_t end, int other, bool other_wrote)>;
  using Unwritten = std::function<void(uint64_t begin, uint64_t end)>;

  explicit Shadow(const Graph& graph) : graph_(graph) {}

  void add_buffer(uint64_t begin, uint64_t size, int writer);
  void read(uint64_t begin, uint64_t end, int node, const Conflict& conflict, const Unwritten& unwritten);
  void write(uint64_t begin, uint64_t end, int node, const Conflict& conflict);
  // Calls back for each range of [begin, end) that nobody wrote.
  void unwritten(uint64_t begin, uint64_t end, const Unwritten& unwritten) const;

 private:
  struct Cell {
    uint64_t end;
    int writer;
    std::vector<int> readers;  // none of them before another
  };
  std::map<uint64_t, Cell>::iterator split(uint64_t at);

  const Graph& graph_;
  std::map<uint64_t, Cell> cells_;  // by begin; disjoint
};

}  // namespace standin
