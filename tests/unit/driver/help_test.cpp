// SPDX-License-Identifier: Apache-2.0
// The help and the tables that it is made from.
#include "driver/help.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "driver/option_table.h"
#include "fixture.h"
#include "paths.h"

namespace pyptoc::driver {
namespace {

TEST_CASE("no line of any help is longer than 80 columns or ends with a space") {
  std::vector<Command> commands = {Command::kNone};
  for (const CommandRow& row : command_table()) commands.push_back(row.command);
  for (const Command command : commands) {
    std::istringstream text(help_text(command));
    for (std::string line; std::getline(text, line);) {
      INFO(line);
      CHECK(line.size() <= kHelpWidth);
      CHECK_FALSE(line.ends_with(' '));
    }
  }
}

TEST_CASE("help goes to standard output, whatever else is on the line") {
  Machine machine;
  for (const CommandRow& row : command_table()) {
    const Outcome outcome = machine.run({std::string(row.name), "--help"});
    CHECK(outcome.out == help_text(row.command));
    CHECK(outcome.err.empty());
    CHECK(outcome.status == kExitDone);
  }
  CHECK(machine.run({"-h"}).out == help_text(Command::kNone));
  CHECK(machine.run({"build", "-h", "prog.json"}).out == help_text(Command::kBuild));
}

TEST_CASE("names of one command's options are distinct") {
  for (const CommandRow& command : command_table()) {
    std::set<std::string_view> names;
    for (const OptionRow& row : option_table()) {
      if (!row.commands.has(command.command)) continue;
      for (const std::string_view name : names_of(row)) CHECK(names.insert(name).second);
    }
  }
}

TEST_CASE("lines are broken between words") {
  CHECK(wrapped("aa bb cc", 0, 5) == "aa bb\ncc\n");
  CHECK(wrapped("aa bb cc", 2, 5) == "  aa\n  bb\n  cc\n");
  CHECK(wrapped("longer than that", 0, 4) == "longer\nthan\nthat\n");
  CHECK(wrapped("", 0, 4) == "\n");
}

TEST_CASE("every option of the specification is there") {
  const std::filesystem::path page = test_support::shared_dir() / "spec" / "cli.md";
  if (!std::filesystem::exists(page)) {
    WARN("the specification is not there, skipped");
    return;
  }
  std::ostringstream stream;
  stream << std::ifstream(page).rdbuf();
  const std::string text = stream.str();
  std::set<std::string, std::less<>> known;
  for (const OptionRow& row : option_table())
    for (const std::string_view name : names_of(row)) known.emplace(name);
  const std::regex option("--[a-z][a-z-]*[a-z]");
  size_t count = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), option), end; it != end; ++it, ++count) {
    INFO(it->str());
    CHECK(known.contains(it->str()));
  }
  CHECK(count > 20);
}

std::string texts_below(const std::filesystem::path& folder) {
  std::ostringstream all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) all << std::ifstream(entry.path()).rdbuf() << '\n';
  return all.str();
}

TEST_CASE("every option occurs in a test") {
  const std::filesystem::path tests = test_support::source_dir() / "tests";
  const std::string texts = texts_below(tests / "unit" / "driver") + texts_below(tests / "golden");
  for (const OptionRow& row : option_table()) {
    for (const std::string_view name : names_of(row)) {
      INFO(name);
      const std::string bare(name);
      CHECK((texts.find("\"" + bare) != std::string::npos || texts.find(" " + bare) != std::string::npos));
    }
  }
}

}  // namespace
}  // namespace pyptoc::driver
