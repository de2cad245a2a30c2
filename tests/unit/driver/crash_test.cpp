// SPDX-License-Identifier: Apache-2.0
// Bugs of pyptoc itself: status 70, a folder to repeat them from; and the end of memory.
#include <catch2/catch.hpp>
#include <new>

#include "driver/crash_report.h"
#include "fixture.h"
#include "serial/reader.h"
#include "support/internal_error.h"

namespace pyptoc::driver {
namespace {

// The folder that a report names.
std::string crash_folder(const std::string& text) {
  const size_t at = text.find("pyptoc-crash-");
  return at == std::string::npos ? "" : text.substr(at, std::string("pyptoc-crash-").size() + 12);
}

TEST_CASE("a bug outside of passes is status 70 and leaves the input and the command") {
  Machine machine;
  bool thrown = false;
  machine.files.on_operation([&](uint64_t) {
    if (!std::exchange(thrown, true)) throw support::InternalError("two and two are five", "src/x.cpp", 7);
  });
  const Outcome outcome = machine.run({"build", "prog.json", "-o", "my out", "--target=a5"});
  CHECK(outcome.status == kExitBug);
  CHECK_THAT(outcome.err, Catch::StartsWith("error[E0999]: bug in pyptoc outside of passes: ") &&
                              Catch::Contains("two and two are five") && Catch::Contains("src/x.cpp:7"));
  const std::string folder = crash_folder(outcome.err);
  REQUIRE_FALSE(folder.empty());
  CHECK(machine.read("/" + folder + "/program.json") == machine.read("/prog.json"));
  CHECK(machine.read("/" + folder + "/repeat.sh") ==
        "#!/bin/sh\npyptoc build " + folder + "/program.json -o 'my out' --target=a5\n");
  CHECK_THAT(machine.read("/" + folder + "/report.txt"),
             Catch::Contains("pyptoc build prog.json -o 'my out' --target=a5\n"));
  CHECK_FALSE(machine.exists("/my out"));
}

TEST_CASE("where the crash folder cannot be written the report says so") {
  Machine machine;
  machine.files.on_operation([&](uint64_t) { throw support::InternalError("again and again", "src/x.cpp", 7); });
  CHECK(machine.run({"build", "prog.json", "-o", "out"}).status == kExitBug);

  Machine denied;
  bool thrown = false;
  REQUIRE(denied.files.make_directory("/locked").ok());
  denied.files.set_current_directory("/locked");
  denied.files.deny_changes_in("/locked");
  denied.files.on_operation([&](uint64_t) {
    if (!std::exchange(thrown, true)) throw support::InternalError("once", "src/x.cpp", 7);
  });
  const Outcome outcome = denied.run({"build", "/prog.json", "-o", "/out"});
  CHECK(outcome.status == kExitBug);
  CHECK_THAT(outcome.err, Catch::Contains("= note: cannot write `pyptoc-crash-") &&
                              Catch::Contains("= note: this repeats it: pyptoc build /prog.json -o /out\n"));
}

TEST_CASE("a bug in a pass leaves the program before it and a command that runs that pass") {
  Machine machine;
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  System system{machine.files, in, out, err, machine.interruption, [] { return uint64_t{0}; }, {}};
  Options options;
  options.command = Command::kBuild;
  options.program = "prog.json";
  options.aiv_cores = 12;
  options.analyze_deps = true;
  Timings timings(system.now_ns);
  Session session(system, options, timings, false);
  const ir::Program* program = load_program(session);
  REQUIRE(program != nullptr);
  report_crash(session, {"in pass `Simplify`", "lost a node", "Simplify", program}, {"build", "prog.json"});

  const std::vector<diag::Diagnostic> reported = session.diags.sorted();
  REQUIRE(reported.size() == 1);
  CHECK(reported[0].message == "bug in pyptoc in pass `Simplify`: lost a node");
  const std::string folder = crash_folder(reported[0].notes[0].text);
  const std::string repeat =
      "pyptoc opt " + folder + "/program.json --passes Simplify --target a2a3 --aiv-cores 12 --analyze-deps -o -";
  CHECK(machine.read("/" + folder + "/repeat.sh") == "#!/bin/sh\n" + repeat + "\n");
  // The command is one that pyptoc understands.
  CHECK(machine
            .run({"opt", folder + "/program.json", "--passes", "Simplify", "--target", "a2a3", "--aiv-cores", "12",
                  "--analyze-deps", "-o", "-"})
            .status == kExitDone);
}

TEST_CASE("the end of memory is a failure of the machine and no bug") {
  Machine machine;
  machine.files.on_operation([](uint64_t) { throw std::bad_alloc(); });
  const Outcome outcome = machine.run({"build", "prog.json", "-o", "out"});
  CHECK(outcome.err == "error[E0998]: there is not enough memory\n\n1 error\n");
  CHECK(outcome.status == kExitFiles);
}

TEST_CASE("words are quoted for a shell where they need it") {
  CHECK(shell_word("plain-1.2/x=y") == "plain-1.2/x=y");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("a b") == "'a b'");
  CHECK(shell_word("it's $HOME") == "'it'\\''s $HOME'");
}

}  // namespace
}  // namespace pyptoc::driver
