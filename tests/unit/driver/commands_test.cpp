// SPDX-License-Identifier: Apache-2.0
// check, print, convert, opt, explain, list: what they print, write and answer.
#include <catch2/catch.hpp>

#include "fixture.h"

namespace pyptoc::driver {
namespace {

TEST_CASE("check says nothing about a program without faults") {
  Machine machine;
  const Outcome outcome = machine.run({"check", "prog.json"});
  CHECK(outcome.err == "");
  CHECK(outcome.out == "");
  CHECK(outcome.status == kExitDone);
}

TEST_CASE("programs are converted between all forms by the file's ending") {
  Machine machine;
  REQUIRE(machine.run({"convert", "prog.json", "-o", "canonical.json"}).status == kExitDone);
  REQUIRE(machine.run({"convert", "prog.json", "-o", "prog.msgpack"}).status == kExitDone);
  REQUIRE(machine.run({"convert", "prog.msgpack", "--output=again.json"}).status == kExitDone);
  CHECK(machine.read("/again.json") == machine.read("/canonical.json"));
  const Outcome text = machine.run({"convert", "prog.json", "-o", "prog.py"});
  CHECK(text.err == "");
  CHECK(machine.read("/prog.py") == machine.run({"print", "prog.json"}).out);
  const Outcome back = machine.run({"convert", "prog.py", "-o", "-", "--to", "py"});
  CHECK(back.err == "");
  CHECK(back.out == machine.read("/prog.py"));
}

TEST_CASE("standard input and output take the place of files") {
  Machine machine;
  const std::string json = machine.read("/prog.json");
  const Outcome as_json = machine.run({"convert", "-", "-o", "-"}, json);
  CHECK(as_json.err == "");
  CHECK(as_json.status == kExitDone);
  const Outcome packed = machine.run({"convert", "-", "-o", "-", "--to", "msgpack"}, as_json.out);
  const Outcome text = machine.run({"print", "-"}, packed.out);
  CHECK(text.out == machine.run({"print", "prog.json"}).out);
  // DSL text is told from the others by its beginning.
  CHECK(machine.run({"print", "-"}, text.out).out == text.out);

  machine.in_is_terminal = true;
  CHECK(machine.run({"check", "-"}, json).err == "pyptoc: reading the program from standard input\n");
  CHECK(machine.run({"check", "-q", "-"}, json).err == "");
}

TEST_CASE("a program that cannot be read is status 3, one with faults is status 1") {
  Machine machine;
  const Outcome missing = machine.run({"check", "missing.json"});
  CHECK(missing.err == "error[E0800]: cannot read `missing.json`: No such file or directory\n\n1 error\n");
  CHECK(missing.status == kExitFiles);
  CHECK(machine.run({"check", "/kernels"}).status == kExitFiles);

  const Outcome cut = machine.run({"check", "-"}, machine.read("/prog.json").substr(0, 1000));
  CHECK_THAT(cut.err, Catch::StartsWith("error[E01"));
  CHECK_THAT(cut.err, Catch::Contains("<stdin>:"));
  CHECK(cut.status == kExitProgramErrors);
}

TEST_CASE("output that cannot be written is status 3") {
  Machine machine;
  machine.files.deny_changes_in("/kernels");
  const Outcome outcome = machine.run({"convert", "prog.json", "-o", "kernels/x.json"});
  CHECK_THAT(outcome.err, Catch::StartsWith("error[E0801]: cannot write `kernels/x.json`: "));
  CHECK(outcome.status == kExitFiles);
}

TEST_CASE("print shows the program after a pass") {
  Machine machine;
  const Outcome before = machine.run({"print", "prog.json"});
  const Outcome after = machine.run({"print", "prog.json", "--after", "DeriveCallDirections"});
  CHECK(after.err == "");
  CHECK(after.status == kExitDone);
  CHECK_FALSE(after.out.empty());
  CHECK(after.out != before.out);
}

TEST_CASE("opt runs the passes that it is told") {
  Machine machine;
  const Outcome stopped = machine.run({"opt", "prog.json", "--stop-after", "DeriveCallDirections", "-o", "mid.py"});
  CHECK(stopped.err == "");
  CHECK(machine.read("/mid.py") == machine.run({"print", "prog.json", "--after", "DeriveCallDirections"}).out);

  // The rest of the pipeline, from the text, ends where the whole pipeline ends.
  const Outcome rest = machine.run({"opt", "mid.py", "--start-after", "DeriveCallDirections", "--to", "py", "-o", "-"});
  CHECK(rest.err == "");
  const std::string last(passes::pipeline().back().name);
  CHECK(rest.out == machine.run({"print", "prog.json", "--after", last}).out);

  const Outcome one = machine.run({"opt", "prog.json", "--passes", "Simplify,FlattenCallExpr", "--to=json"});
  CHECK(one.err == "");
  CHECK_THAT(one.out, Catch::StartsWith("{"));
}

// Simplify alone on a program that assigns a variable twice ended in a crash, as did a dump that somebody had changed.
TEST_CASE("E0428 opt does not run a pass on what it cannot take") {
  Machine machine;
  machine.write("/twice.py",
                "import pypto.language as pl\n\n\n@pl.program\nclass T:\n"
                "    @pl.function(type=pl.FunctionType.Orchestration)\n"
                "    def main(self, a: pl.Scalar[pl.INDEX]):\n        x = a\n        x = x + 1\n        y = x\n");
  const Outcome alone = machine.run({"opt", "twice.py", "--passes", "Simplify", "--to", "py"});
  CHECK(alone.status == 1);
  CHECK_THAT(alone.err,
             Catch::StartsWith("error[E0428]: pass `Simplify` needs a program with the property SSAForm, but "
                               "here `main`: defines `x` twice\n"));
  CHECK(machine.run({"opt", "twice.py", "--start-after", "ConvertToSSA", "--to", "py"}).status == 1);
  CHECK(machine.run({"opt", "twice.py", "--passes", "CtrlFlowTransform,ConvertToSSA,Simplify", "--to", "py"}).err ==
        "");
}

TEST_CASE("graph draws the program as it is or as a pass left it") {
  Machine machine;
  REQUIRE(machine.run({"graph", "prog.json", "-o", "x.html"}).err == "");
  CHECK_THAT(machine.read("/x.html"), Catch::StartsWith("<!DOCTYPE html>") && Catch::EndsWith("</html>\n"));
  REQUIRE(machine.run({"graph", "prog.json", "-o", "x.svg"}).err == "");
  CHECK_THAT(machine.read("/x.svg"), Catch::StartsWith("<svg ") && Catch::EndsWith("</svg>\n"));
  const Outcome dot = machine.run({"graph", "prog.json", "-o", "-"});
  CHECK_THAT(dot.out, Catch::StartsWith("digraph "));
  CHECK(machine.run({"graph", "prog.json", "-o", "-", "--to", "svg"}).out == machine.read("/x.svg"));
  // After the passes the orchestrator has a scope around its tasks.
  const Outcome after = machine.run({"graph", "prog.json", "-o", "-", "--after", "MaterializeRuntimeScopes"});
  CHECK_THAT(after.out, Catch::Contains("label=\"scope\""));
  CHECK_THAT(dot.out, !Catch::Contains("label=\"scope\""));

  const std::string entry = "pipeline";
  const Outcome part = machine.run({"graph", "prog.json", "-o", "-", "--function", entry});
  CHECK(part.out == dot.out);
  const Outcome unknown = machine.run({"graph", "prog.json", "-o", "-", "--function", "pipelin"});
  CHECK(unknown.err ==
        "error[E0933]: the program has no function `pipelin`\n   = help: did you mean `pipeline`?\n\n1 error\n");
  CHECK(unknown.status == kExitUsage);
}

TEST_CASE("explain prints the long text of a diagnostic") {
  Machine machine;
  const Outcome outcome = machine.run({"explain", "E0916"});
  CHECK(outcome.out ==
        "E0916 binary-to-terminal (error)\n\n"
        "    output in MessagePack is not for a terminal\n\n"
        "The output of the command is binary and standard output is a terminal, which it\n"
        "would upset. Send it to a file or a pipe, or choose another format.\n");
  CHECK(machine.run({"explain", "binary-to-terminal"}).out == outcome.out);
  CHECK_THAT(machine.run({"explain", "E0916", "--json"}).out, Catch::Contains("\"explanation\": \"The output"));
  CHECK(machine.run({"explain"}).out == machine.run({"list", "diagnostics"}).out);
}

TEST_CASE("list prints the compiler's tables") {
  Machine machine;
  for (const char* topic : {"passes", "ops", "targets", "diagnostics"}) {
    const Outcome text = machine.run({"list", topic});
    CHECK(text.err == "");
    CHECK(text.status == kExitDone);
    CHECK_FALSE(text.out.empty());
    const Outcome json = machine.run({"list", topic, "--json"});
    CHECK_THAT(json.out, Catch::StartsWith("[") && Catch::EndsWith("]\n"));
  }
  CHECK_THAT(machine.run({"list", "passes"}).out, Catch::Contains("DeriveCallDirections"));
  CHECK_THAT(machine.run({"list", "ops"}).out, Catch::Contains("tensor.create("));
  CHECK_THAT(machine.run({"list", "targets"}).out, Catch::Contains("a2a3 ") && Catch::Contains("a5 "));
  CHECK_THAT(machine.run({"list", "diagnostics"}).out, Catch::Contains("E0900 unknown-command\n"));
}

TEST_CASE("the version has three forms") {
  Machine machine;
  CHECK_THAT(machine.run({"--version"}).out, Catch::StartsWith("pyptoc ") && !Catch::Contains("sources"));
  CHECK_THAT(machine.run({"--version=verbose"}).out, Catch::Contains("\nsources: ") && Catch::Contains("\ncompiler: "));
  CHECK_THAT(machine.run({"--version=json"}).out, Catch::StartsWith("{\n") && Catch::Contains("\"sources\": "));
  CHECK(machine.run({"--version=long"}).err ==
        "error[E0905]: option `--version` expects `short`, `verbose` or `json`, found `long`\n\n1 error\n");
}

}  // namespace
}  // namespace pyptoc::driver
