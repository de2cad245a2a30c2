// SPDX-License-Identifier: Apache-2.0
// Cooperative fibers: one stack each, switched by hand. One operating-system thread runs them all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace standin::ranks {

// Stacks are kept for the next fiber of their size: a run starts thousands of blocks.
class StackPool {
 public:
  StackPool() = default;
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;
  unsigned char* take(size_t bytes);
  void give(unsigned char* stack, size_t bytes);

 private:
  struct Stack {
    unsigned char* at;
    size_t bytes;
  };
  std::vector<Stack> free_;
};

// Runs `body` on its own stack. resume() is called from outside of every fiber and returns at the next suspend() or
// when the body has ended; suspend() is called from within. A body must not let an exception out.
class Fiber {
 public:
  Fiber(StackPool& pool, size_t stack_bytes, std::function<void()> body);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  void resume();
  void suspend();
  bool done() const { return done_; }

 private:
  static void enter(Fiber* self);
  friend void start_fiber(Fiber* self);
  struct Saved;

  StackPool& pool_;
  size_t stack_bytes_;
  unsigned char* stack_;
  std::function<void()> body_;
  std::unique_ptr<Saved> saved_;
  bool done_ = false;
};

}  // namespace standin::ranks
