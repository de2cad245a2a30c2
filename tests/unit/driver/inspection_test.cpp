// SPDX-License-Identifier: Apache-2.0
// Looking at passes: dumps, prints, times, logs; and how diagnostics are shown.
#include <catch2/catch.hpp>

#include "driver/pass_observer.h"
#include "fixture.h"

namespace pyptoc::driver {
namespace {

TEST_CASE("option --dump-passes writes the program after each pass that changed it") {
  Machine machine;
  REQUIRE(machine.files.make_directory("/dump").ok());
  machine.write("/dump/01-" + std::string(passes::pipeline()[0].name) + ".py", "old");
  machine.write("/dump/notes.txt", "mine");
  const Outcome outcome = machine.run({"check", "prog.json", "--dump-passes", "dump"});
  CHECK(outcome.err == "");
  const int row = passes::find_pass("DeriveCallDirections");
  const std::string dump = numbered_name(static_cast<size_t>(row)) + ".py";
  CHECK(machine.read("/dump/" + dump) == machine.run({"print", "prog.json", "--after", "DeriveCallDirections"}).out);
  CHECK(machine.read("/dump/notes.txt") == "mine");
  // A program without composite constructs passes the first row unchanged, so that dump is gone.
  CHECK_FALSE(machine.exists("/dump/01-" + std::string(passes::pipeline()[0].name) + ".py"));
  // What was dumped is a program that can be read again.
  CHECK(machine.run({"opt", "dump/" + dump, "--start-after", "DeriveCallDirections", "-o", "x.json"}).err == "");
}

TEST_CASE("a dump that cannot be written is status 3") {
  Machine machine;
  machine.write("/file", "");
  const Outcome outcome = machine.run({"check", "prog.json", "--dump-passes", "file/x"});
  CHECK_THAT(outcome.err, Catch::StartsWith("error[E0801]: cannot write `file/x`: "));
  CHECK(outcome.status == kExitFiles);
}

TEST_CASE("programs after passes are printed to standard error") {
  Machine machine;
  const std::string after = machine.run({"print", "prog.json", "--after", "DeriveCallDirections"}).out;
  const Outcome one = machine.run({"check", "prog.json", "--print-after", "DeriveCallDirections"});
  CHECK_THAT(one.err, Catch::StartsWith("# ----- after ") && Catch::Contains("-DeriveCallDirections\n" + after));
  CHECK(one.out == "");

  const Outcome all = machine.run({"check", "prog.json", "--print-after-all"});
  CHECK_THAT(all.err, Catch::Contains("(unchanged)\n") && Catch::Contains("-DeriveCallDirections\n" + after));
  const Outcome changed = machine.run({"check", "prog.json", "--print-changed"});
  CHECK_THAT(changed.err, !Catch::Contains("(unchanged)") && Catch::Contains("-DeriveCallDirections\n" + after));
}

TEST_CASE("times are shown as a table and as trace events") {
  Machine machine;
  const Outcome outcome =
      machine.run({"build", "prog.json", "-o", "out", "--time-passes", "--time-trace", "trace.json"});
  CHECK(outcome.status == kExitDone);
  CHECK_THAT(outcome.err, Catch::StartsWith("        ms   share  stage\n") && Catch::Contains("  read file\n") &&
                              Catch::Contains("-Simplify\n") && Catch::Contains("  verify\n") &&
                              Catch::Contains("  verification after passes\n") && Catch::Contains("  emit\n") &&
                              Catch::Contains("  publish\n") && Catch::Contains("100.0%  total\n"));
  const std::string trace = machine.read("/trace.json");
  CHECK_THAT(trace, Catch::StartsWith("{\n  \"traceEvents\": [\n") && Catch::Contains("\"ph\": \"X\"") &&
                        Catch::Contains("\"name\": \"publish\""));
}

TEST_CASE("option -v and -vv say what is done, on standard error only") {
  Machine machine;
  const Outcome steps = machine.run({"check", "prog.json", "-v"});
  CHECK(steps.err == "pyptoc: read prog.json (" + std::to_string(machine.read("/prog.json").size()) + " bytes)\n");
  CHECK(steps.out == "");
  const Outcome details = machine.run({"--verbose", "check", "prog.json", "-v"});
  CHECK_THAT(details.err, Catch::Contains("-Simplify"));
}

TEST_CASE("option --verify chooses what is verified") {
  Machine machine;
  CHECK_THAT(machine.run({"check", "prog.json", "--time-passes"}).err, Catch::Contains("verification after passes"));
  const Outcome input = machine.run({"check", "prog.json", "--time-passes", "--verify", "input"});
  CHECK_THAT(input.err, Catch::Contains("  verify\n") && !Catch::Contains("verification after passes"));
  const Outcome text = machine.run({"check", "prog.json", "--time-passes", "--verify", "text"});
  CHECK_THAT(text.err, Catch::Contains("verification after passes"));
  CHECK(text.status == kExitDone);
  const Outcome none = machine.run({"check", "prog.json", "--time-passes", "--verify=none"});
  CHECK_THAT(none.err, !Catch::Contains("verif"));
}

std::string with_two_faults(Machine& machine) {
  std::string json = machine.read("/prog.json");
  for (int i = 0; i < 2; ++i) json.replace(json.find("\"FP32\""), 6, "\"FP3X\"");
  return json;
}

TEST_CASE("option --error-limit says how many errors are shown") {
  Machine machine;
  const std::string json = with_two_faults(machine);
  CHECK_THAT(machine.run({"check", "-"}, json).err, Catch::EndsWith("\n2 errors\n"));
  const Outcome one = machine.run({"check", "-", "--error-limit", "1"}, json);
  CHECK_THAT(one.err, Catch::Contains("1 more"));
  CHECK(one.status == kExitProgramErrors);
  CHECK_THAT(machine.run({"check", "-", "--error-limit=0"}, json).err, Catch::EndsWith("\n2 errors\n"));
}

TEST_CASE("diagnostics can go to a file in their own format") {
  Machine machine;
  const std::string json = with_two_faults(machine);
  const Outcome outcome =
      machine.run({"check", "-", "--diagnostics-format", "json", "--diagnostics-output", "d.json"}, json);
  CHECK_THAT(outcome.err, Catch::StartsWith("error[E"));
  CHECK_THAT(machine.read("/d.json"), Catch::StartsWith("{\"$message_type\":\"diagnostic\""));
  // The file of an earlier run does not stay.
  CHECK(machine.run({"check", "prog.json", "--diagnostics-format=short", "--diagnostics-output=d.json"}).status == 0);
  CHECK(machine.read("/d.json") == "");
  const Outcome unwritable = machine.run({"check", "prog.json", "--diagnostics-output", "no/d.json"});
  CHECK_THAT(unwritable.err, Catch::StartsWith("error[E0801]: cannot write `no/d.json`: "));
  CHECK(unwritable.status == kExitFiles);
}

TEST_CASE("colours follow the option, then the environment, then the terminal") {
  Machine machine;
  const auto is_colored = [&](std::vector<std::string> arguments) {
    return machine.run(arguments).err.find('\033') != std::string::npos;
  };
  CHECK_FALSE(is_colored({"check", "missing"}));
  machine.err_is_terminal = true;
  CHECK(is_colored({"check", "missing"}));
  CHECK_FALSE(is_colored({"check", "missing", "--color", "never"}));
  machine.environment["TERM"] = "dumb";
  CHECK_FALSE(is_colored({"check", "missing"}));
  machine.environment["CLICOLOR_FORCE"] = "1";
  CHECK(is_colored({"check", "missing"}));
  machine.environment["CLICOLOR_FORCE"] = "0";
  CHECK_FALSE(is_colored({"check", "missing"}));
  machine.environment["CLICOLOR_FORCE"] = "1";
  machine.environment["NO_COLOR"] = "1";
  CHECK_FALSE(is_colored({"check", "missing"}));
  CHECK(is_colored({"--color=always", "check", "missing"}));
  CHECK_FALSE(is_colored({"check", "missing", "--color=always", "--color=auto"}));
  CHECK_FALSE(is_colored({"check", "missing", "--color=always", "--diagnostics-format=json"}));
}

}  // namespace
}  // namespace pyptoc::driver
