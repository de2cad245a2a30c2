// SPDX-License-Identifier: Apache-2.0
// Stack switching: a few instructions on x86-64, ucontext (a system call for each switch) elsewhere.
#include "ranks/fiber.h"

#include <sys/mman.h>

#include <cstdlib>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace standin::ranks {

StackPool::~StackPool() {
  for (const Stack& stack : free_) munmap(stack.at, stack.bytes);
}

unsigned char* StackPool::take(size_t bytes) {
  for (size_t i = free_.size(); i-- > 0;) {
    if (free_[i].bytes != bytes) continue;
    unsigned char* at = free_[i].at;
    free_[i] = free_.back();
    free_.pop_back();
    return at;
  }
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) std::abort();
  return static_cast<unsigned char*>(at);
}

void StackPool::give(unsigned char* stack, size_t bytes) {
  free_.push_back({stack, bytes});
}

#if defined(__x86_64__)

extern "C" void standin_switch_stack(void** save, void* load);
// Saves what the calling convention keeps across calls, changes the stack pointer, restores the same from there.
__asm__(
    ".text\n"
    ".globl standin_switch_stack\n"
    ".type standin_switch_stack, @function\n"
    "standin_switch_stack:\n"
    "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
    "  ret\n"
    ".size standin_switch_stack, .-standin_switch_stack\n"
    // the first switch to a fiber returns here with the fiber in rbx; a null return address ends the unwinder's walk
    ".type standin_first_entry, @function\n"
    "standin_first_entry:\n"
    "  movq %rbx, %rdi\n"
    "  pushq $0\n"
    "  jmp *%r12\n"
    ".size standin_first_entry, .-standin_first_entry\n");
extern "C" void standin_first_entry();

struct Fiber::Saved {
  void* inside = nullptr;
  void* outside = nullptr;
};

void start_fiber(Fiber* self) {
  Fiber::enter(self);
}

Fiber::Fiber(StackPool& pool, size_t stack_bytes, std::function<void()> body)
    : pool_(pool), stack_bytes_(stack_bytes), stack_(pool.take(stack_bytes)), body_(std::move(body)) {
  saved_ = std::make_unique<Saved>();
  void** top = reinterpret_cast<void**>(stack_ + stack_bytes_);
  // from low to high: r15 r14 r13 r12 rbx rbp, return address; 16-byte aligned at the entry as after a call
  *--top = nullptr;
  *--top = nullptr;
  *--top = reinterpret_cast<void*>(&standin_first_entry);
  *--top = nullptr;
  *--top = this;
  *--top = reinterpret_cast<void*>(&start_fiber);
  for (int i = 0; i < 3; ++i) *--top = nullptr;
  saved_->inside = top;
}

void Fiber::resume() {
  standin_switch_stack(&saved_->outside, saved_->inside);
}

void Fiber::suspend() {
  standin_switch_stack(&saved_->inside, saved_->outside);
}

#else

struct Fiber::Saved {
  ucontext_t inside;
  ucontext_t outside;
};

namespace {
Fiber* starting = nullptr;
}

void start_fiber(Fiber* self) {
  Fiber::enter(self);
}

Fiber::Fiber(StackPool& pool, size_t stack_bytes, std::function<void()> body)
    : pool_(pool), stack_bytes_(stack_bytes), stack_(pool.take(stack_bytes)), body_(std::move(body)) {
  saved_ = std::make_unique<Saved>();
  getcontext(&saved_->inside);
  saved_->inside.uc_stack.ss_sp = stack_;
  saved_->inside.uc_stack.ss_size = stack_bytes_;
  saved_->inside.uc_link = nullptr;
  makecontext(
      &saved_->inside, +[] { start_fiber(starting); }, 0);
}

void Fiber::resume() {
  starting = this;
  swapcontext(&saved_->outside, &saved_->inside);
}

void Fiber::suspend() {
  swapcontext(&saved_->inside, &saved_->outside);
}

#endif

Fiber::~Fiber() {
  pool_.give(stack_, stack_bytes_);
}

void Fiber::enter(Fiber* self) {
  self->body_();
  self->done_ = true;
  self->suspend();
  std::abort();  // a fiber that ended is not resumed
}

}  // namespace standin::ranks
