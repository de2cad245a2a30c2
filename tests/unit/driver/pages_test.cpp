// SPDX-License-Identifier: Apache-2.0
// Pages for the installation and the documentation: complete, and the stored copy of the reference is not stale.
#include "driver/pages.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "driver/option_table.h"
#include "fixture.h"
#include "paths.h"

namespace pyptoc::driver {
namespace {

std::string stored(const std::string& path) {
  std::ifstream in(test_support::source_dir().string() + "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("docs/cli.md is what --print-markdown prints") {
  Machine machine;
  INFO("to bring it up to date: pyptoc --print-markdown > docs/cli.md");
  CHECK(stored("docs/cli.md") == machine.run({"--print-markdown"}).out);
}

TEST_CASE("every command and option is in the completions and on the pages") {
  Machine machine;
  std::vector<std::string> pages = {machine.run({"--print-man-page"}).out, machine.run({"--print-markdown"}).out};
  for (const char* shell : {"bash", "zsh", "fish"}) pages.push_back(machine.run({"--print-completion", shell}).out);
  // The manual page writes `\-` and fish no dashes at all.
  for (std::string& page : pages)
    for (size_t at = page.find("\\-"); at != std::string::npos; at = page.find("\\-", at)) page.erase(at, 1);
  for (const CommandRow& row : command_table())
    for (const std::string& page : pages) CHECK_THAT(page, Catch::Contains(std::string(row.name)));
  for (const OptionRow& row : option_table()) {
    for (const std::string_view name : names_of(row)) {
      INFO(name);
      for (size_t i = 0; i + 1 < pages.size(); ++i) CHECK(pages[i].find(name) != std::string::npos);
      const bool is_long = name.starts_with("--");
      const std::string fish = (is_long ? " -l " : " -s ") + std::string(name.substr(is_long ? 2 : 1)) + " ";
      CHECK(pages.back().find(fish) != std::string::npos);
    }
  }
}

TEST_CASE("a shell that is not known is a fault") {
  Machine machine;
  const Outcome outcome = machine.run({"--print-completion", "powershell"});
  CHECK(outcome.err ==
        "error[E0905]: option `--print-completion` expects `bash`, `zsh` or `fish`, found `powershell`\n\n1 error\n");
  CHECK(outcome.status == kExitUsage);
}

TEST_CASE("the file for Make is found beside an installed pyptoc only") {
  Machine machine;
  machine.executable = "/usr/bin/pyptoc";
  const Outcome missing = machine.run({"--print-make-include"});
  CHECK(missing.err == "error[E0932]: `share/pyptoc/pyptoc.mk` is not beside this pyptoc\n\n1 error\n");
  CHECK(missing.status == kExitUsage);
  REQUIRE(machine.files.make_directory("/usr").ok());
  REQUIRE(machine.files.make_directory("/usr/share").ok());
  REQUIRE(machine.files.make_directory("/usr/share/pyptoc").ok());
  machine.write("/usr/share/pyptoc/pyptoc.mk", "");
  CHECK(machine.run({"--print-make-include"}).out == "/usr/share/pyptoc/pyptoc.mk\n");
}

TEST_CASE("schemas are printed by name") {
  Machine machine;
  for (const char* topic : {"ir", "manifest", "diagnostics"}) {
    const Outcome outcome = machine.run({"schema", topic});
    CHECK(outcome.err == "");
    CHECK_THAT(outcome.out, Catch::StartsWith("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\"") &&
                                Catch::EndsWith("}\n"));
  }
  CHECK(machine.run({"schema", "diagnostic"}).err ==
        "error[E0930]: `pyptoc schema` expects `ir`, `manifest` or `diagnostics`, found `diagnostic`\n"
        "   = help: did you mean `diagnostics`?\n\n1 error\n");
}

}  // namespace
}  // namespace pyptoc::driver
