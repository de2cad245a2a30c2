// SPDX-License-Identifier: Apache-2.0
// Single files are the old or the new one after any fault.
#include "publish/replace_file.h"

#include <cerrno>

#include "fixture.h"

namespace pyptoc::publish {
namespace {

using support::MemoryFileSystem;

struct Scene {
  MemoryFileSystem fs;
  Interruption interruption;
  diag::Engine engine;
  Scene() {
    REQUIRE(fs.make_directory("/w").ok());
    REQUIRE(fs.create_file("/w/f", "old").ok());
    REQUIRE(fs.set_mode("/w/f", 0600).ok());
    fs.settle();
  }
  bool run(const std::string& path, std::string_view content, WhenSame when_same = WhenSame::kKeep) {
    return replace_file(fs, path, content, when_same, interruption, engine);
  }
};

TEST_CASE("a file is made or replaced, and its permissions stay") {
  Scene scene;
  CHECK(scene.run("/w/f", "new"));
  CHECK(scene.run("/w/g", "made"));
  CHECK(scene.fs.snapshot("/w") == fixture::Listing{{"f", "new"}, {"g", "made"}});
  CHECK(scene.fs.stat("/w/f").value()->mode == 0600);
  CHECK(scene.fs.stat("/w/g").value()->mode == 0644);
}

TEST_CASE("the same content is kept or replaced, as asked") {
  Scene scene;
  const auto before = scene.fs.stat("/w/f").value();
  CHECK(scene.run("/w/f", "old"));
  CHECK(scene.fs.stat("/w/f").value()->same_file(*before));
  CHECK(scene.run("/w/f", "old", WhenSame::kReplace));
  CHECK(!scene.fs.stat("/w/f").value()->same_file(*before));
}

TEST_CASE("a link stays a link") {
  Scene scene;
  scene.fs.make_symlink("f", "/w/l");
  CHECK(scene.run("/w/l", "new"));
  CHECK(scene.fs.snapshot("/w") == fixture::Listing{{"f", "new"}, {"l -> f", ""}});
}

TEST_CASE("what cannot be written is an error") {
  Scene scene;
  scene.fs.make_symlink("nowhere", "/w/dangling");
  CHECK(!scene.run("/w/no/f", "x"));
  CHECK(!scene.run("/w", "x"));
  CHECK(!scene.run("/w/dangling", "x"));
  CHECK(fixture::codes_of(scene.engine) == std::vector<std::string>{"E0801", "E0801", "E0801"});
  CHECK(scene.engine.sorted()[0].message == "cannot write `/w/no/f`: No such file or directory");
}

TEST_CASE("any fault leaves one of the two") {
  for (uint64_t n = 0;; ++n) {
    bool met = false;
    for (int fault = 0; fault < 4; ++fault) {
      Scene scene;
      const uint64_t at = scene.fs.operations() + n;
      if (fault == 0) scene.fs.fail_at(at, ENOSPC);
      if (fault == 1 || fault == 2) scene.fs.crash_at(at);
      if (fault == 3)
        scene.fs.on_operation([&](uint64_t number) {
          if (number == at) scene.interruption.note(2);
        });
      const bool done = scene.run("/w/f", "content");
      met = scene.fs.operations() > at;
      if (fault == 2) scene.fs.cut_power(MemoryFileSystem::PowerCut::kUnflushedContentLost);
      scene.fs.revive();
      CAPTURE(n, fault);
      const std::string now = scene.fs.read_file("/w/f").value();
      REQUIRE((now == "old" || now == "content"));
      if (done) REQUIRE(now == "content");
      if (fault == 0 || fault == 3) REQUIRE(scene.fs.list("/w")->size() == 1);
      if (fault == 3) REQUIRE(scene.engine.empty());
      if (fault == 0) REQUIRE(done == scene.engine.empty());
    }
    if (!met) {
      CHECK(n > 3);
      break;
    }
  }
}

}  // namespace
}  // namespace pyptoc::publish
