// SPDX-License-Identifier: Apache-2.0
// Who used which buffer so far, at one point of a walk over tasks.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace pyptoc::passes {

// Access number `access` of a task or of a host statement, as it was met at node `node` of the graph.
struct Use {
  int node = -1;
  int task = -1;  // -1: the orchestration itself
  int access = 0;
};

struct BufferUses {
  std::vector<Use> readers;  // since the last write of all that they read; in order of nodes
  std::vector<Use> writers;  // that the runtime's look-ups find
  std::vector<Use> hidden;   // writers that they do not find
};

// The uses of all buffers, with what is needed to leave a branch or a loop. What a frame costs depends on the buffers
// that are touched while it is open.
class TaskState {
 public:
  explicit TaskState(int roots)
      : uses_(static_cast<std::size_t>(roots)), saved_in_(static_cast<std::size_t>(roots), -1) {}

  const BufferUses& at(int root) const { return uses_[static_cast<std::size_t>(root)]; }
  BufferUses& change(int root) {
    save(root);
    return uses_[static_cast<std::size_t>(root)];
  }

  using Changes = std::vector<std::pair<int, BufferUses>>;  // by buffer

  void open() { frames_.emplace_back(); }
  // The end of what certainly ran.
  void keep() { close(); }
  // The end of what may have been left out: things are as they are now, or as they were at open().
  void keep_both();
  // The end of one of two ways: goes back to how things were at open(), and returns how they are now where that
  // differs.
  Changes undo();
  // The end of the other way, begun by open() after undo().
  void join(Changes other_way);

 private:
  struct Saved {
    int root;
    int saved_in;
    BufferUses uses;
  };
  void save(int root);
  std::vector<Saved> close();

  std::vector<BufferUses> uses_;
  std::vector<int> saved_in_;  // innermost frame that has the buffer's former uses
  std::vector<std::vector<Saved>> frames_;
};

}  // namespace pyptoc::passes
