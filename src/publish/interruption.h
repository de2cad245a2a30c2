// SPDX-License-Identifier: Apache-2.0
// The signals that ask pyptoc to end, for code that has temporary files to remove first.
#pragma once

#include <atomic>

namespace pyptoc::publish {

// A signal ends the process at once with status 128 + its number, unless somebody holds: then it is only noted, and the
// holder, who looks at pending() between its steps, cleans up and returns; the second signal does not wait for that.
// So no work is done in a signal handler, and a long compilation still ends when asked to.
class Interruption {
 public:
  Interruption() = default;
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool pending() const { return signal() != 0; }
  int signal() const { return signal_.load(std::memory_order_acquire); }  // 0: none came
  // The exit status that is due, 0 when no signal came. To be asked for at the end of main.
  int exit_status() const { return pending() ? 128 + signal() : 0; }

  class Hold {
   public:
    explicit Hold(Interruption& interruption) : interruption_(interruption) { interruption_.holds_.fetch_add(1); }
    ~Hold() { interruption_.holds_.fetch_sub(1); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    Interruption& interruption_;
  };
  [[nodiscard]] Hold hold() { return Hold(*this); }

  // What happens when a signal comes. True: noted; false: the process is to end now. Safe in a signal handler.
  bool note(int signal);

 private:
  std::atomic<int> signal_{0};
  std::atomic<int> holds_{0};
  static_assert(std::atomic<int>::is_always_lock_free);
};

// Directs SIGINT, SIGTERM and SIGHUP of this process to `interruption`, which must live as long as the process; those
// that are ignored (nohup) stay so. For main only.
void install_signal_handlers(Interruption& interruption);

}  // namespace pyptoc::publish
