// SPDX-License-Identifier: Apache-2.0
// Wrong use of the command line: exit status 2, exact texts.
#include <catch2/catch.hpp>

#include "fixture.h"

namespace pyptoc::driver {
namespace {

struct UsageCase {
  std::vector<std::string> arguments;
  std::string err;
};

std::string one_error(const std::string& text) {
  return text + "\n\n1 error\n";
}

const std::vector<UsageCase>& usage_cases() {
  static const std::vector<UsageCase> cases = {
      {{"bild"}, "error[E0900]: `bild` is not a command of pyptoc\n   = help: did you mean `build`?"},
      {{"frobnicate"},
       "error[E0900]: `frobnicate` is not a command of pyptoc\n   = help: `pyptoc --help` lists the commands"},
      {{"build", "p.json", "-o", "x", "--depfil", "d"},
       "error[E0901]: `pyptoc build` has no option `--depfil`\n   = help: did you mean `--depfile`?"},
      {{"check", "p.json", "--depfile=d"},
       "error[E0901]: `pyptoc check` has no option `--depfile`\n   = help: `--depfile` is an option of `pyptoc build`"},
      {{"check", "p.json", "-v=3"},
       "error[E0901]: `pyptoc check` has no option `-=3`\n   = help: a flag of one letter takes no value"},
      {{"--zzz"}, "error[E0901]: `pyptoc` has no option `--zzz`"},
      {{"check", "a.json", "b.json"}, "error[E0902]: `pyptoc check` expects one PROG, found also `b.json`"},
      {{"check"}, "error[E0903]: `pyptoc check` expects PROG, found nothing"},
      {{"check", ""}, "error[E0903]: `pyptoc check` expects PROG, found nothing"},
      {{"build", "p.json", "-o"}, "error[E0904]: option `-o` expects DIR, found nothing"},
      {{"build", "p.json", "-o", "x", "--target", "a3"},
       "error[E0905]: option `--target` expects `a2a3` or `a5`, found `a3`\n   = help: did you mean `a5`?"},
      {{"build", "p.json", "-o", "x", "-j", "0"},
       "error[E0905]: option `-j` expects a number from 1 to 1024, found `0`"},
      {{"build", "p.json", "-o", "x", "-jx"}, "error[E0905]: option `-j` expects a number from 1 to 1024, found `x`"},
      {{"build", "p.json", "-o", "x", "--aiv-cores", "99999999999999999999"},
       "error[E0905]: option `--aiv-cores` expects a number from 1 to 65536, found `99999999999999999999`"},
      {{"check", "p.json", "--error-limit", "-1"},
       "error[E0905]: option `--error-limit` expects a number of at least 0, found `-1`"},
      {{"build", "p.json", "-o", "-"}, "error[E0905]: option `-o` expects a folder, found `-`"},
      {{"check", "p.json", "--print-changed=yes"},
       "error[E0906]: option `--print-changed` takes no value, found `yes`"},
      {{"build", "p.json"}, "error[E0907]: `pyptoc build` needs `-o DIR`"},
      {{"convert", "p.json"}, "error[E0907]: `pyptoc convert` needs `-o FILE`"},
      {{"opt", "p.json"}, "error[E0907]: `pyptoc opt` needs `--passes`, `--start-after` or `--stop-after`"},
      {{"opt", "p.json", "--passes", "Simplify", "--stop-after", "Simplify"},
       "error[E0908]: `--passes` and `--stop-after` exclude each other"},
      {{"build", "p.json", "-o", "x", "--depfile-target", "t"},
       "error[E0909]: `--depfile-target` means nothing without `--depfile`"},
      {{"print", "p.json", "--after", "Simplfy"},
       "error[E0910]: `--after`: there is no pass `Simplfy`\n   = help: did you mean `Simplify`?"},
      {{"check", "p.json", "--print-after", "qqqqqqqqqqqqqqq"},
       "error[E0910]: `--print-after`: there is no pass `qqqqqqqqqqqqqqq`\n   = help: `pyptoc list passes` shows them"},
      {{"opt", "p.json", "--start-after", "DeriveCallDirections", "--stop-after", "Simplify"},
       "error[E0911]: pass `Simplify` runs before pass `DeriveCallDirections`, so nothing is left between them"},
      {{"check", "p.json", "-Wno-leftover-file"},
       "error[E0912]: there is no warning `leftover-file`\n   = help: did you mean `leftover-files`?"},
      {{"check", "p.json", "-Werror=E0800"},
       "error[E0912]: there is no warning `E0800`\n   = help: `E0800` is an error and stays one"},
      {{"explain", "E08000"}, "error[E0913]: there is no diagnostic `E08000`\n   = help: did you mean `E0800`?"},
      {{"list", "pases"},
       "error[E0914]: `pyptoc list` expects `passes`, `ops`, `targets`, `templates` or `diagnostics`, found `pases`\n"
       "   = help: did you mean `passes`?"},
      {{"convert", "p.json", "-o", "x.txt"},
       "error[E0915]: the format of `x.txt` is not known by its ending\n   = help: `--to` names the format"},
      {{"graph", "p.json", "-o", "x.png"},
       "error[E0931]: the kind of picture `x.png` is not known by its ending\n   = help: `--to` names the kind"},
      {{"@loop"}, "error[E0917]: response file `loop`: response files include each other"},
      {{"@open"}, "error[E0917]: response file `open`: a quote has no end"},
  };
  return cases;
}

TEST_CASE("wrong use of the command line is answered with status 2") {
  const UsageCase& usage = GENERATE(from_range(usage_cases()));
  Machine machine;
  machine.write("/loop", "@loop");
  machine.write("/open", "check 'prog.json");
  const Outcome outcome = machine.run(usage.arguments);
  CHECK(outcome.err == one_error(usage.err));
  CHECK(outcome.out.empty());
  CHECK(outcome.status == kExitUsage);
}

TEST_CASE("faults of the command line are reported together") {
  Machine machine;
  const Outcome outcome = machine.run({"build", "--emit", "al", "--verify=ech", "--forze", "p.json", "-o", "x"});
  CHECK(outcome.err ==
        "error[E0905]: option `--emit` expects `all` or `orchestration`, found `al`\n"
        "   = help: did you mean `all`?\n\n"
        "error[E0905]: option `--verify` expects `each`, `text`, `input` or `none`, found `ech`\n"
        "   = help: did you mean `each`?\n\n"
        "error[E0901]: `pyptoc build` has no option `--forze`\n"
        "   = help: did you mean `--force`?\n\n"
        "3 errors\n");
  CHECK(outcome.status == kExitUsage);
}

TEST_CASE("usage errors have the format that the same command line asks for") {
  Machine machine;
  CHECK(machine.run({"bild", "--diagnostics-format=short"}).err ==
        "error[E0900]: `bild` is not a command of pyptoc\nhelp: did you mean `build`?\n1 error\n");
  const Outcome json = machine.run({"bild", "--diagnostics-format", "json"});
  CHECK_THAT(json.err, Catch::StartsWith("{\"$message_type\":\"diagnostic\""));
  CHECK_THAT(json.err, Catch::Contains("E0900"));
  CHECK(json.status == kExitUsage);

  CHECK(machine.run({"bild", "--diagnostics-format", "short", "--diagnostics-output", "d.txt"}).status == kExitUsage);
  CHECK(machine.read("/d.txt") ==
        "error[E0900]: `bild` is not a command of pyptoc\nhelp: did you mean `build`?\n1 error\n");
}

TEST_CASE("binary output is kept from terminals") {
  Machine machine;
  machine.out_is_terminal = true;
  const Outcome outcome = machine.run({"convert", "prog.json", "--to", "msgpack", "-o", "-"});
  CHECK(outcome.err ==
        "error[E0916]: output in MessagePack is not for a terminal\n   = help: `--to json` is readable\n\n1 error\n");
  CHECK(outcome.status == kExitUsage);
}

TEST_CASE("without arguments the help is shown as a fault") {
  Machine machine;
  const Outcome outcome = machine.run({});
  CHECK_THAT(outcome.err, Catch::StartsWith("pyptoc compiles distributed PyPTO programs ahead of time.\n"));
  CHECK(outcome.out.empty());
  CHECK(outcome.status == kExitUsage);
}

}  // namespace
}  // namespace pyptoc::driver
