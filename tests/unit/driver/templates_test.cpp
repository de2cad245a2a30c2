// SPDX-License-Identifier: Apache-2.0
// pyptoc list templates and --template-dir.
#include "codegen/embedded_templates.h"
#include "fixture.h"
#include "support/file_tools.h"
#include "support/json_writer.h"

namespace pyptoc::driver {

TEST_CASE("list templates names each template with the values that it uses", "[list]") {
  const Outcome text = Machine().run({"list", "templates"});
  CHECK(text.status == 0);
  CHECK(text.out.find("collectives/broadcast/kernel.cpp.in            dtype_cpp root\n") != std::string::npos);
  CHECK(text.out.find("collectives/barrier/kernel.cpp.in\n") != std::string::npos);
}

TEST_CASE("list templates --json holds the texts, so that they can be written to a folder and changed", "[list]") {
  const Outcome json = Machine().run({"list", "templates", "--json"});
  CHECK(json.status == 0);
  for (const codegen::EmbeddedTemplate& file : codegen::embedded_templates()) {
    INFO(file.path);
    support::JsonWriter expected;
    expected.begin_object().member("path", file.path).member("text", file.text).end();
    const std::string whole = expected.take();
    const std::string path = whole.substr(0, whole.find(",\n"));
    const std::string text = whole.substr(whole.find("\"text\""));
    CHECK(json.out.find(path.substr(path.find("\"path\""))) != std::string::npos);
    CHECK(json.out.find(text.substr(0, text.find('\n'))) != std::string::npos);
  }
}

TEST_CASE("a template folder must be there", "[build]") {
  Machine machine;
  const Outcome missing =
      machine.run({"build", "/prog.json", "-o", "/out", "--emit", "orchestration", "--template-dir", "/t"});
  CHECK(missing.status == kExitFiles);
  CHECK(missing.err.find("error[E0800]: cannot read `/t`") != std::string::npos);
  REQUIRE(machine.files.make_directory("/t").ok());
  const Outcome built = machine.run({"build", "/prog.json", "-o", "/out", "--template-dir", "/t"});
  CHECK(built.status == 0);
  CHECK(machine.run({"-v", "build", "/prog.json", "-o", "/out", "--template-dir", "/t"}).err.find("is up to date") !=
        std::string::npos);
  CHECK(machine.run({"-v", "build", "/prog.json", "-o", "/out"}).err.find("is up to date") == std::string::npos);
}

TEST_CASE("a program and its templates may move together", "[build]") {
  Machine machine;
  for (const char* folder : {"/a", "/b", "/b/templates", "/a/templates", "/templates"})
    REQUIRE(machine.files.make_directory(folder).ok());
  std::vector<std::string> manifests;
  for (const auto& [place, templates] :
       {std::pair{"/a", "/a/templates"}, {"/b", "/b/templates"}, {"/b", "/templates"}}) {
    if (manifests.size() < 2) REQUIRE(machine.files.make_directory(std::string(place) + "/kernels").ok());
    for (const char* name :
         {"prog.json", "kernels/add.cpp", "kernels/mul.cpp", "kernels/scale.cpp", "kernels/vector.h"})
      machine.write(std::string(place) + "/" + name, machine.read(std::string("/") + name));
    const Outcome outcome =
        machine.run({"build", std::string(place) + "/prog.json", "-o", "/out", "--template-dir", templates});
    CHECK(outcome.err == "");
    manifests.push_back(machine.read("/out/manifest.json"));
  }
  CHECK(manifests[0] == manifests[1]);
  CHECK(manifests[0] != manifests[2]);
}

// A machine with a program that needs one kernel, and the templates in `/t`.
struct TemplateMachine : Machine {
  TemplateMachine() {
    write("/barrier.py",
          "import pypto.language as pl\n"
          "import pypto.language.distributed as pld\n\n\n"
          "@pl.function(type=pl.FunctionType.Orchestration)\n"
          "def pipeline(signal: pl.InOut[pld.DistributedTensor[[4], pl.INT32]]) -> pld.DistributedTensor[[4], "
          "pl.INT32]:\n"
          "    signal = pld.tensor.barrier(signal)\n"
          "    return signal\n");
    for (const codegen::EmbeddedTemplate& file : codegen::embedded_templates()) {
      const std::string path = "/t/" + std::string(file.path);
      REQUIRE(support::make_directories(files, support::parent_path(path)).ok());
      write(path, std::string(file.text));
    }
  }
  Outcome build() {
    return run({"-v", "build", "/barrier.py", "-o", "/out", "--template-dir", "/t", "--depfile", "/d"});
  }
  void append(const std::string& path, const std::string& text) { write(path, read(path) + text); }
};

TEST_CASE("templates of a folder are inputs of the build", "[build]") {
  TemplateMachine machine;
  REQUIRE(machine.run({"build", "/barrier.py", "-o", "/built-in"}).status == 0);
  REQUIRE(machine.build().status == 0);
  const std::string kernel = "/kernels/aiv/__builtin_barrier__fp32.cpp";
  CHECK(machine.read("/out" + kernel) == machine.read("/built-in" + kernel));
  CHECK(machine.read("/out/manifest.json").find("t/collectives/common/rounds.hpp.in") != std::string::npos);
  CHECK(machine.read("/d").find("t/collectives/barrier/kernel.cpp.in") != std::string::npos);
  CHECK(machine.build().err.find("is up to date") != std::string::npos);
  machine.append("/t/collectives/allgather/kernel.cpp.in", "// not read\n");
  CHECK(machine.build().err.find("is up to date") != std::string::npos);
  machine.append("/t/collectives/common/rounds.hpp.in", "// mine\n");
  CHECK(machine.build().err.find("collectives/common/rounds.hpp.in has changed") != std::string::npos);
  CHECK(machine.read("/out" + kernel).find("// mine\n") != std::string::npos);
}

TEST_CASE("a fault of a folder's template names its file and line", "[build]") {
  TemplateMachine machine;
  machine.write("/t/collectives/barrier/kernel.cpp.in", "// {{root}}\n{{include collectives/common/none}}\n");
  const Outcome outcome = machine.build();
  CHECK(outcome.status == kExitProgramErrors);
  CHECK(outcome.err.find("error[E0692]: template uses `root`, which has no value for this collective\n"
                         "  --> /t/collectives/barrier/kernel.cpp.in:1\n") != std::string::npos);
  CHECK(outcome.err.find("error[E0800]: cannot read `/t/collectives/common/none`") != std::string::npos);
  CHECK_FALSE(machine.exists("/out/manifest.json"));
}

}  // namespace pyptoc::driver
