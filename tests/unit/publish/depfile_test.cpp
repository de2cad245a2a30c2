// SPDX-License-Identifier: Apache-2.0
// Dependency files are given to make and Ninja themselves, with names that need every escape.
#include "publish/depfile.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "temporary_folder.h"

using pyptoc::publish::make_word;
using pyptoc::publish::render_depfile;

TEST_CASE("the text of a dependency file") {
  CHECK(render_depfile("out/stamp", {"prog.json", "my kernels/a.cpp", "prog.json"}) ==
        "out/stamp: \\\n  prog.json \\\n  my\\ kernels/a.cpp\n\nprog.json:\n\nmy\\ kernels/a.cpp:\n");
  CHECK(render_depfile("t", {}) == "t:\n");
  CHECK(render_depfile("t", {"a\nb", "", "50%"}) == "t: \\\n  50%\n");
}

TEST_CASE("escapes of one word") {
  CHECK(make_word("a b") == "a\\ b");
  CHECK(make_word("a#b") == "a\\#b");
  CHECK(make_word("a$b") == "a$$b");
  CHECK(make_word("a:b") == "a\\:b");
  CHECK(make_word("a\\b") == "a\\b");
  CHECK(make_word("a\\ b") == "a\\\\\\ b");
  CHECK(make_word("a\\") == "a\\\\");
}

namespace {

// In a folder with a stamp made by a rule with this depfile: touching each dependency, and only that, must remake it;
// removing one must not be an error.
// clang-format off
const char* const kCheck = R"sh(
set -eu
touch -d '2020-01-01' "a b" 'c#d' 'e$f' plain 'g:h'
$BUILD >/dev/null; cp log first
$BUILD >/dev/null; cmp log first || { echo "not idle"; exit 1; }
for f in "a b" 'c#d' 'e$f' plain 'g:h'; do
  before=$(wc -l < log); sleep 0.02; touch "$f"; $BUILD >/dev/null
  test "$(wc -l < log)" = $((before + 1)) || { echo "not rebuilt for $f"; exit 1; }
done
before=$(wc -l < log); $BUILD >/dev/null; test "$(wc -l < log)" = "$before" || { echo "not idle at the end"; exit 1; }
rm 'a b'; $BUILD >/dev/null
)sh";
// clang-format on

std::string depfile() {
  return render_depfile("stamp", {"a b", "c#d", "e$f", "plain", "g:h"});
}

}  // namespace

TEST_CASE("make understands it") {
  const TemporaryFolder folder;
  folder.write("saved.d", depfile());
  folder.write("Makefile", "stamp:\n\techo x >> log; cp saved.d stamp.d; touch stamp\n-include stamp.d\n");
  folder.write("check.sh", std::string("BUILD=make\n") + kCheck);
  CHECK(std::system(("cd '" + folder.path() + "' && sh check.sh").c_str()) == 0);
}

TEST_CASE("Ninja understands it") {
  const TemporaryFolder folder;
  folder.write("saved.d", depfile());
  folder.write(
      "build.ninja",
      "rule r\n  command = echo x >> log; cp saved.d stamp.d; touch stamp\n  depfile = stamp.d\nbuild stamp: r\n");
  folder.write("check.sh", std::string("BUILD=ninja\n") + kCheck);
  CHECK(std::system(("cd '" + folder.path() + "' && sh check.sh").c_str()) == 0);
}
