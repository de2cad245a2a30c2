// SPDX-License-Identifier: Apache-2.0
// A folder counts as up to date only if every byte of it and of its inputs is known to be.
#include "publish/up_to_date.h"

#include "fixture.h"
#include "support/sha256.h"

namespace pyptoc::publish {
namespace {

using namespace fixture;

const BuildKey kKey{"1.2.3", "one", "options"};

struct Built : Scene {
  Built() {
    REQUIRE(fs.make_directory("/w/src").ok());
    REQUIRE(fs.create_file("/w/src/k.cpp", "kernel").ok());
    ManifestFields fields = fields_of("one");
    fields.inputs = {{"k.cpp", support::sha256("kernel")}};
    REQUIRE(publish(fs, dir, first_tree(), fields, interruption, engine).ok());
  }
  std::string why(const BuildKey& key = kKey) {
    const UpToDate result = is_up_to_date(fs, dir, key, "/w/src");
    REQUIRE(result.yes == result.reason.empty());
    return result.yes ? "yes" : result.reason;
  }
};

TEST_CASE("nothing has changed") {
  Built built;
  const uint64_t before = built.fs.operations();
  CHECK(built.why() == "yes");
  CHECK(built.fs.operations() == before);
}

TEST_CASE("another key") {
  Built built;
  CHECK(built.why({"1.2.4", "one", "options"}) == "another version of pyptoc made it");
  CHECK(built.why({"1.2.3", "two", "options"}) == "the program has changed");
  CHECK(built.why({"1.2.3", "one", "other"}) == "options or templates have changed");
}

TEST_CASE("another folder than the build left") {
  Built built;
  SECTION("same size") {
    REQUIRE(built.fs.write_file("/w/out/turns", "edit\n").ok());
    CHECK(built.why() == "turns has changed");
  }
  SECTION("other size") {
    REQUIRE(built.fs.write_file("/w/out/turns", "").ok());
    CHECK(built.why() == "turns has changed");
  }
  SECTION("missing") {
    REQUIRE(built.fs.remove_file("/w/out/kernels/aiv/old.cpp").ok());
    CHECK(built.why() == "kernels/aiv/old.cpp is missing");
  }
  SECTION("a folder instead") {
    REQUIRE(built.fs.remove_file("/w/out/turns").ok());
    REQUIRE(built.fs.make_directory("/w/out/turns").ok());
    CHECK(built.why() == "turns has changed");
  }
  SECTION("an input") {
    REQUIRE(built.fs.write_file("/w/src/k.cpp", "edited").ok());
    CHECK(built.why() == "k.cpp has changed");
  }
  SECTION("no manifest") {
    REQUIRE(built.fs.remove_file("/w/out/manifest.json").ok());
    CHECK(built.why() == "there is no manifest");
  }
  SECTION("a manifest of others") {
    REQUIRE(built.fs.write_file("/w/out/manifest.json", "{}").ok());
    CHECK(built.why() == "the manifest is not one of this pyptoc");
  }
  SECTION("an unfinished update") {
    REQUIRE(built.fs.make_directory("/w/out/.pyptoc-stage").ok());
    CHECK(built.why() == "an update is unfinished");
  }
  SECTION("no folder") {
    built.dir = "/w/none";
    CHECK(built.why() == "there is no manifest");
  }
}

}  // namespace
}  // namespace pyptoc::publish
