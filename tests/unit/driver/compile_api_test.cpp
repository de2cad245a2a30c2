// SPDX-License-Identifier: Apache-2.0
// pyptoc as a library.
#include <catch2/catch.hpp>

#include "fixture.h"
#include "pyptoc/compile.h"

namespace pyptoc {
namespace {

CompileRequest example() {
  driver::Machine machine;
  CompileRequest request;
  for (const char* name : {"prog.json", "kernels/add.cpp", "kernels/mul.cpp", "kernels/scale.cpp", "kernels/vector.h"})
    request.files[name] = machine.read("/" + std::string(name));
  return request;
}

TEST_CASE("a program is compiled in memory to what the command writes") {
  const CompileResult result = compile(example());
  CHECK(result.diagnostics == "");
  CHECK(result.status == 0);

  driver::Machine machine;
  REQUIRE(machine.run({"build", "prog.json", "-o", "out"}).status == 0);
  for (const auto& [path, content] : result.files) CHECK(machine.read("/out/" + path) == content);
  CHECK(result.files.contains("manifest.json"));
}

TEST_CASE("faults come back as diagnostics and no files") {
  CompileRequest request = example();
  request.files.erase("kernels/add.cpp");
  request.options = {"--diagnostics-format", "json"};
  const CompileResult result = compile(request);
  CHECK(result.status == driver::kExitProgramErrors);
  CHECK_THAT(result.diagnostics, Catch::StartsWith("{\"$message_type\":\"diagnostic\""));
  CHECK(result.files.empty());

  request.files["kernels/add.cpp/below"] = "";
  request.files["kernels/add.cpp"] = "";
  CHECK(compile(request).status == driver::kExitUsage);
}

TEST_CASE("the library knows its version") {
  driver::Machine machine;
  CHECK(machine.run({"--version"}).out == "pyptoc " + std::string(version_string()) + "\n");
}

}  // namespace
}  // namespace pyptoc
