// SPDX-License-Identifier: Apache-2.0
// pyptoc build: what it writes, when it does nothing, what it leaves when it fails.
#include <catch2/catch.hpp>

#include "fixture.h"

namespace pyptoc::driver {
namespace {

using Arguments = std::vector<std::string>;

Arguments build(Arguments more = {}) {
  Arguments arguments = {"build", "prog.json", "-o", "out"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST_CASE("a build writes the tree and says nothing") {
  Machine machine;
  const Outcome outcome = machine.run(build());
  CHECK(outcome.err == "");
  CHECK(outcome.out == "");
  CHECK(outcome.status == kExitDone);
  CHECK(machine.exists("/out/manifest.json"));
  CHECK(machine.exists("/out/kernel_config.py"));
  CHECK(machine.exists("/out/compiled_meta.json"));
}

TEST_CASE("option --print-outputs names exactly what a build writes") {
  Machine machine;
  const Outcome named = machine.run(build({"--print-outputs"}));
  CHECK(named.err == "");
  CHECK_FALSE(machine.exists("/out"));
  REQUIRE(machine.run(build()).status == kExitDone);
  std::string written;
  for (const auto& [path, content] : machine.files.snapshot("/out"))
    if (!path.ends_with("/") && path != "manifest.json" && path != "/out/manifest.json")
      written += (path.starts_with("/out/") ? path.substr(1) : "out/" + path) + "\n";
  CHECK(named.out == written + "out/manifest.json\n");
  CHECK_THAT(machine.run({"build", "prog.json", "--print-outputs"}).out, Catch::EndsWith("\nmanifest.json\n"));
}

TEST_CASE("the same bytes come out whatever the number of workers") {
  Machine machine;
  REQUIRE(machine.run(build()).status == kExitDone);
  REQUIRE(machine.run({"build", "/prog.json", "--output", "other/folder", "--jobs=4"}).status == kExitDone);
  CHECK(machine.files.snapshot("/out") == machine.files.snapshot("/other/folder"));
}

TEST_CASE("chip programs that are emitted at once come out as one after the other") {
  Machine machine;
  std::string text =
      "import pypto.language as pl\n\n\n@pl.program\nclass Many:\n"
      "    @pl.function(type=pl.FunctionType.AIV, attrs={\"external_source\": \"kernels/add.cpp\"})\n"
      "    def add(self, x: pl.Tensor[[16], pl.FP32], y: pl.Tensor[[16], pl.FP32], z: pl.Out[pl.Tensor[[16], pl.FP32]])"
      " -> pl.Tensor[[16], pl.FP32]:\n        return z\n";
  for (int i = 0; i < 20; ++i) {
    text += "\n    @pl.function(type=pl.FunctionType.Orchestration)\n    def run" + std::to_string(i) +
            "(self, a: pl.Tensor[[16], pl.FP32], out: pl.Out[pl.Tensor[[16], pl.FP32]])"
            " -> pl.Tensor[[16], pl.FP32]:\n";
    for (int k = 0; k < i; ++k)
      text += "        t" + std::to_string(k) + ": pl.Tensor[[16], pl.FP32] = self.add(a, a, out)\n";
    text += "        return self.add(a, a, out)\n";
  }
  machine.write("/many.py", text);
  const Outcome alone = machine.run({"build", "many.py", "-o", "one", "-j", "1"});
  CHECK(alone.err == "");
  CHECK(machine.run({"build", "many.py", "-o", "many", "--jobs=8"}).err == "");
  for (int i = 0; i < 20; ++i) {
    const std::string path = "/next_levels/run" + std::to_string(i) + "/orchestration/run" + std::to_string(i) + ".cpp";
    CHECK_THAT(machine.read("/one" + path), Catch::Contains("aicpu_orchestration_entry"));
    CHECK(machine.read("/one" + path) == machine.read("/many" + path));
  }
  CHECK(machine.read("/one/manifest.json") == machine.read("/many/manifest.json"));
}

TEST_CASE("a build says how much memory it needs") {
  Machine machine;
  REQUIRE(machine.run({"build", "/prog.json", "-o", "/out"}).status == 0);
  CHECK(machine.expected_heap == 6 * machine.read("/prog.json").size());
  REQUIRE(machine.run({"convert", "/prog.json", "-o", "/prog.py"}).status == 0);
  REQUIRE(machine.run({"build", "/prog.py", "-o", "/out"}).status == 0);
  CHECK(machine.expected_heap == 80 * machine.read("/prog.py").size());
  machine.expected_heap = 0;
  CHECK(machine.run({"build", "-", "-o", "/out"}, machine.read("/prog.json")).status == 0);
  CHECK(machine.expected_heap == 0);
  CHECK(machine.run({"build", "/none.json", "-o", "/out"}).status == 3);
  CHECK(machine.expected_heap == 0);
}

TEST_CASE("a build that is up to date touches nothing, and everything that counts makes it out of date") {
  Machine machine;
  REQUIRE(machine.run(build()).status == kExitDone);
  const auto is_idle = [&](const Arguments& arguments) {
    const Outcome outcome = machine.run(arguments);
    CHECK(outcome.status == kExitDone);
    return outcome.err.find("out is up to date\n") != std::string::npos;
  };
  const uint64_t operations = machine.files.operations();
  CHECK(is_idle(build({"-v"})));
  CHECK(machine.files.operations() == operations);
  CHECK_FALSE(is_idle(build({"-v", "--force"})));
  CHECK_FALSE(is_idle(build({"-v", "--time-passes"})));

  SECTION("another program") {
    machine.write("/prog.json", machine.read("/prog.json") + " ");
    CHECK_FALSE(is_idle(build({"-v"})));
  }
  SECTION("another kernel") {
    machine.write("/kernels/add.cpp", machine.read("/kernels/add.cpp") + "// changed\n");
    const Outcome outcome = machine.run(build({"-v"}));
    CHECK_THAT(outcome.err, Catch::Contains("kernels/add.cpp has changed"));
    CHECK_THAT(machine.read("/out/kernels/aiv/add.d/add.cpp") + machine.read("/out/kernels/aiv/add.cpp"),
               Catch::Contains("// changed"));
  }
  SECTION("other options") {
    CHECK_FALSE(is_idle(build({"-v", "--target", "a5"})));
    CHECK_FALSE(is_idle(build({"-v"})));
    CHECK_FALSE(is_idle(build({"-v", "--aiv-cores", "8"})));
    CHECK_FALSE(is_idle(build({"-v", "--emit", "orchestration"})));
    CHECK_FALSE(is_idle(build({"-v", "--analyze-deps"})));
    CHECK_FALSE(is_idle(build({"-v", "-Werror"})));
    CHECK_FALSE(is_idle(build({"-v", "-Werror=leftover-files"})));
  }
  SECTION("changed output") {
    machine.write("/out/kernel_config.py", "");
    CHECK_FALSE(is_idle(build({"-v"})));
  }
}

TEST_CASE("the dependency file names everything that was read, also when nothing is built") {
  Machine machine;
  const std::string kernels = "kernels/add.cpp";
  REQUIRE(machine.run(build({"--depfile", "out.d"})).err == "");
  const std::string first = machine.read("/out.d");
  CHECK_THAT(first, Catch::StartsWith("out/manifest.json: ") && Catch::Contains("prog.json") &&
                        Catch::Contains(kernels) && Catch::Contains("\nprog.json:\n"));
  REQUIRE(machine.files.remove_file("/out.d").ok());
  REQUIRE(machine.run(build({"--depfile", "out.d"})).err == "");
  CHECK(machine.read("/out.d") == first);
  REQUIRE(machine.run(build({"--depfile", "out.d", "--depfile-target", "a stamp"})).err == "");
  CHECK_THAT(machine.read("/out.d"), Catch::StartsWith("a\\ stamp: "));

  // Paths are those of the current folder.
  REQUIRE(machine.files.make_directory("/sub").ok());
  machine.files.set_current_directory("/sub");
  REQUIRE(machine.run({"build", "../prog.json", "-o", "x", "--depfile", "x.d"}).err == "");
  CHECK_THAT(machine.read("/sub/x.d"), Catch::Contains(" ../prog.json") && Catch::Contains(" ../" + kernels));
}

TEST_CASE("the output does not depend on where the program is") {
  Machine machine;
  REQUIRE(machine.run(build()).status == kExitDone);
  REQUIRE(machine.files.make_directory("/deep").ok());
  REQUIRE(machine.files.make_directory("/deep/er").ok());
  machine.files.set_current_directory("/deep/er");
  REQUIRE(machine.run({"build", "../../prog.json", "-o", "out"}).err == "");
  CHECK(machine.files.snapshot("/deep/er/out") == machine.files.snapshot("/out"));
}

TEST_CASE("sources above the program's folder are copied, found again and named relative to it") {
  Machine machine;
  REQUIRE(machine.files.make_directory("/below").ok());
  std::string json = machine.read("/prog.json");
  for (size_t at = json.find("\"kernels/"); at != std::string::npos; at = json.find("\"kernels/", at + 1))
    json.replace(at, 1, "\"../");
  machine.write("/below/prog.json", json);
  machine.write("/below/more.h", "int more;\n");
  machine.write("/kernels/add.cpp", "#include \"../below/more.h\"\n" + machine.read("/kernels/add.cpp"));
  REQUIRE(machine.run({"build", "below/prog.json", "-o", "out", "--depfile", "out.d"}).err == "");
  CHECK_THAT(machine.read("/out.d"), Catch::Contains(" below/../kernels/add.cpp \\\n"));
  CHECK_THAT(machine.read("/out/manifest.json"), Catch::Contains("{\"path\": \"../kernels/add.cpp\""));
  CHECK_THAT(machine.run({"build", "below/prog.json", "-o", "out", "-v"}).err, Catch::Contains("out is up to date"));
}

TEST_CASE("a program with faults leaves the old output as it is") {
  Machine machine;
  REQUIRE(machine.run(build()).status == kExitDone);
  const auto before = machine.files.snapshot("/out");
  REQUIRE(machine.files.remove_file("/kernels/mul.cpp").ok());
  const Outcome outcome = machine.run(build());
  CHECK_THAT(outcome.err, Catch::Contains("kernels/mul.cpp"));
  CHECK(outcome.status == kExitProgramErrors);
  CHECK(machine.files.snapshot("/out") == before);
}

TEST_CASE("a folder with other files is refused") {
  Machine machine;
  REQUIRE(machine.files.make_directory("/out").ok());
  machine.write("/out/notes.txt", "mine");
  const Outcome outcome = machine.run(build());
  CHECK(outcome.err ==
        "error[E0802]: output folder `out` holds `notes.txt` but no `manifest.json`\n"
        "   = help: name a new or empty folder with `-o`\n\n1 error\n");
  CHECK(outcome.status == kExitFiles);
}

TEST_CASE("a signal during a build is its exit status") {
  Machine machine;
  REQUIRE(machine.run(build()).status == kExitDone);
  const auto before = machine.files.snapshot("/out");
  machine.files.on_operation([&](uint64_t) { machine.interruption.note(15); });
  CHECK(machine.run(build({"--target", "a5"})).status == 128 + 15);
  CHECK(machine.files.snapshot("/out") == before);
}

}  // namespace
}  // namespace pyptoc::driver
