// SPDX-License-Identifier: Apache-2.0
// Response files: quoting, nesting, faults.
#include "driver/response_file.h"

#include <catch2/catch.hpp>

#include "fixture.h"

namespace pyptoc::driver {
namespace {

using Words = std::vector<std::string>;

TEST_CASE("words of a response file are quoted as in a shell") {
  CHECK(split_words("") == Words{});
  CHECK(split_words(" \n\t ") == Words{});
  CHECK(split_words("a  b\nc\r\n") == Words{"a", "b", "c"});
  CHECK(split_words("'a b' \"c d\"e 'x'\"y\"") == Words{"a b", "c de", "xy"});
  CHECK(split_words("a\\ b \\\" '\\' \"\\\\\"") == Words{"a b", "\"", "\\", "\\"});
  CHECK(split_words("'' \"\"") == Words{"", ""});
  CHECK(split_words("# all of this\na # and this\n#b\nc#d") == Words{"a", "c#d"});
  CHECK(split_words("a\\") == Words{"a\\"});
  CHECK_FALSE(split_words("'a").has_value());
  CHECK_FALSE(split_words("a \"b").has_value());
}

TEST_CASE("response files are replaced by their words, also inside each other") {
  support::MemoryFileSystem files;
  diag::Engine diags;
  REQUIRE(files.write_file("/outer", "one @inner four").ok());
  REQUIRE(files.write_file("/inner", "two three").ok());
  CHECK(expand_response_files({"zero", "@outer", "@"}, files, diags) ==
        Words{"zero", "one", "two", "three", "four", "@"});
  CHECK(expand_response_files({"--", "@outer"}, files, diags) == Words{"--", "@outer"});
  CHECK(diags.empty());
}

TEST_CASE("response files that multiply are stopped") {
  support::MemoryFileSystem files;
  diag::Engine diags;
  std::string text;
  for (int i = 0; i < 50; ++i) text += "@again x ";
  REQUIRE(files.write_file("/again", text).ok());
  CHECK(expand_response_files({"@again"}, files, diags).size() < 1000000);
  CHECK(diags.has_errors());
}

TEST_CASE("a response file that cannot be read is a failure to read") {
  Machine machine;
  const Outcome outcome = machine.run({"@missing"});
  CHECK(outcome.err == "error[E0800]: cannot read `missing`: No such file or directory\n\n1 error\n");
  CHECK(outcome.status == kExitFiles);
}

TEST_CASE("a command can come from a response file") {
  Machine machine;
  machine.write("/args", "print # the command\n prog.json");
  const Outcome outcome = machine.run({"@args"});
  CHECK(outcome.status == kExitDone);
  CHECK(outcome.out == machine.run({"print", "prog.json"}).out);
}

}  // namespace
}  // namespace pyptoc::driver
