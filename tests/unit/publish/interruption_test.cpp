// SPDX-License-Identifier: Apache-2.0
// Signals to a real process, with and without somebody who holds.
#include "publish/interruption.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <functional>

using pyptoc::publish::install_signal_handlers;
using pyptoc::publish::Interruption;

namespace {

// The wait status of a process that runs `body`.
int run_child(const std::function<int(Interruption&)>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    Interruption interruption;
    install_signal_handlers(interruption);
    ::_exit(body(interruption));
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status;
}

bool exited_with(int status, int code) {
  return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

}  // namespace

TEST_CASE("a signal ends the process with its number") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const int status = run_child([&](Interruption&) {
      ::raise(signal);
      return 1;
    });
    CHECK(exited_with(status, 128 + signal));
  }
}

TEST_CASE("who holds goes on to its end, but only once") {
  const int noted = run_child([](Interruption& interruption) {
    {
      const auto outer = interruption.hold();
      const auto inner = interruption.hold();
      ::raise(SIGTERM);
      if (!interruption.pending() || interruption.signal() != SIGTERM) return 1;
    }
    return interruption.exit_status();
  });
  CHECK(exited_with(noted, 128 + SIGTERM));
  const int twice = run_child([](Interruption& interruption) {
    const auto hold = interruption.hold();
    ::raise(SIGTERM);
    ::raise(SIGINT);
    return 1;
  });
  CHECK(exited_with(twice, 128 + SIGINT));
  const int after = run_child([](Interruption& interruption) {
    { const auto hold = interruption.hold(); }
    ::raise(SIGINT);
    return 1;
  });
  CHECK(exited_with(after, 128 + SIGINT));
}

TEST_CASE("a signal that is ignored stays so") {
  const int status = run_child([](Interruption&) {
    Interruption second;
    ::signal(SIGHUP, SIG_IGN);
    install_signal_handlers(second);
    ::raise(SIGHUP);
    return 7;
  });
  CHECK(exited_with(status, 7));
}
