// SPDX-License-Identifier: Apache-2.0
// Which variables a use can see, in time that does not depend on how many there are.
#pragma once

#include <vector>

#include "ir/node_map.h"

namespace pyptoc::ir {

// Blocks form a tree; the open ones are the path from block 0, which never closes, to the innermost. A variable belongs
// to the block that defines it and can be seen while that block is open. A block that leaks hands its variables on to
// an enclosing one when it closes.
//
// What an expression needs is one number: the innermost of the blocks of its variables. While that one is open, so are
// the others.
class Scopes {
 public:
  Scopes() { blocks_.push_back({0, 0, State::Open}); }

  int open() {
    blocks_.push_back({current_, blocks_[index(current_)].depth + 1, State::Open});
    current_ = static_cast<int>(blocks_.size()) - 1;
    return current_;
  }
  // Closes the innermost block.
  void close() {
    Block& block = blocks_[index(current_)];
    block.state = State::Closed;
    current_ = block.parent;
  }
  // From now on the variables of a closed block belong to `outer`, which encloses it and is open.
  void leak(int block, int outer) {
    blocks_[index(block)].parent = outer;
    blocks_[index(block)].state = State::Leaked;
  }
  int current() const { return current_; }

  void define(const Node* var) {
    int* block = owner_.find(var);
    if (block == nullptr || !is_open(resolve(*block))) owner_[var] = current_;
  }
  // The block to need for this variable, or -1 when it cannot be seen.
  int block_of(const Node* var) {
    int* block = owner_.find(var);
    if (block == nullptr) return -1;
    *block = resolve(*block);
    return is_open(*block) ? *block : -1;
  }
  bool was_defined(const Node* var) const { return owner_.contains(var); }

  bool is_open(int block) const { return blocks_[index(block)].state == State::Open; }
  int innermost(int a, int b) const { return blocks_[index(a)].depth >= blocks_[index(b)].depth ? a : b; }
  // The block that stands for `block` after leaks.
  int resolve(int block) {
    int root = block;
    while (blocks_[index(root)].state == State::Leaked) root = blocks_[index(root)].parent;
    while (blocks_[index(block)].state == State::Leaked) {
      int next = blocks_[index(block)].parent;
      blocks_[index(block)].parent = root;
      block = next;
    }
    return root;
  }

 private:
  enum class State : uint8_t { Open, Closed, Leaked };
  struct Block {
    int parent;
    int depth;
    State state;
  };
  static size_t index(int block) { return static_cast<size_t>(block); }

  std::vector<Block> blocks_;
  NodeMap<int> owner_;
  int current_ = 0;
};

}  // namespace pyptoc::ir
