// SPDX-License-Identifier: Apache-2.0
// The signals that ask pyptoc to end.
#include "publish/interruption.h"

#include <unistd.h>

#include <csignal>

namespace pyptoc::publish {
namespace {

// A handler gets nothing but the number of its signal, so the object that it works on has to be found in one place per
// process. This pointer is that place and the only mutable global of pyptoc; install_signal_handlers() sets it once.
std::atomic<Interruption*> receiver{nullptr};
static_assert(std::atomic<Interruption*>::is_always_lock_free);

extern "C" void pyptoc_on_signal(int signal) {
  Interruption* interruption = receiver.load(std::memory_order_acquire);
  if (interruption == nullptr || !interruption->note(signal)) ::_exit(128 + signal);
}

}  // namespace

bool Interruption::note(int signal) {
  if (holds_.load() == 0) return false;
  int none = 0;
  return signal_.compare_exchange_strong(none, signal);
}

void install_signal_handlers(Interruption& interruption) {
  receiver.store(&interruption, std::memory_order_release);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = pyptoc_on_signal;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace pyptoc::publish
