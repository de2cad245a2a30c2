// SPDX-License-Identifier: Apache-2.0
// What publish() does to a folder when nothing goes wrong, and what it refuses.
#include "publish/publisher.h"

#include "fixture.h"

namespace pyptoc::publish {
namespace {

using namespace fixture;
using support::FileKind;

void check_second_after_first(Scene& scene, bool in_place) {
  REQUIRE(scene.one().ok());
  REQUIRE(scene.listing() == Scene::listing_one());
  const auto kept = scene.stat("kernel_config.py");
  const PublishReport report = scene.two();
  CHECK(scene.engine.empty());
  CHECK(report.outcome == PublishOutcome::kWritten);
  CHECK(report.kept == 1);
  CHECK(report.written == 4);
  CHECK(report.removed == 3);
  CHECK(report.in_place_reason.empty() != in_place);
  CHECK(scene.listing() == Scene::listing_two());
  CHECK(scene.stat("kernel_config.py").mtime_ns == kept.mtime_ns);
  CHECK(scene.stat("kernel_config.py").same_file(kept));
  CHECK(scene.beside().empty());
}

TEST_CASE("a build makes the folder, and the folders above it") {
  Scene scene;
  scene.dir = "/w/a/b/out";
  const PublishReport report = scene.one();
  CHECK(report.outcome == PublishOutcome::kWritten);
  CHECK(report.written == 5);
  CHECK(scene.fs.snapshot("/w/a/b/out") == Scene::listing_one());
  CHECK(scene.fs.list("/w/a/b")->size() == 1);
}

TEST_CASE("the next build replaces what changed and nothing else") {
  Scene scene;
  check_second_after_first(scene, false);
}

TEST_CASE("where the folder cannot be replaced, its files are") {
  Scene scene;
  SECTION("no exchange") {
    scene.fs.set_supports_exchange(false);
  }
  SECTION("no second names for files") {
    scene.fs.set_supports_links(false);
  }
  SECTION("a mount point") {
    REQUIRE(scene.fs.make_directory("/w/out").ok());
    scene.fs.make_mount_point("/w/out");
    REQUIRE(scene.one().in_place_reason == "it is a mount point");
  }
  SECTION("the current folder") {
    REQUIRE(scene.one().ok());
    scene.fs.set_current_directory("/w/out");
    scene.dir = ".";
  }
  SECTION("above the current folder") {
    REQUIRE(scene.one().ok());
    scene.fs.set_current_directory("/w/out/kernels");
    scene.dir = "..";
  }
  SECTION("a parent that cannot be written") {
    REQUIRE(scene.fs.make_directory("/w/out").ok());
    scene.fs.deny_changes_in("/w");
  }
  SECTION("another owner") {
    REQUIRE(scene.fs.make_directory("/w/out").ok());
    scene.fs.set_owner("/w/out", 1000);
  }
  check_second_after_first(scene, true);
}

TEST_CASE("a build that changes nothing touches nothing") {
  Scene scene;
  REQUIRE(scene.one().ok());
  const auto folder = scene.stat("");
  const auto manifest = scene.stat("manifest.json");
  const PublishReport report = scene.one();
  CHECK(report.outcome == PublishOutcome::kUnchanged);
  CHECK(report.kept == 5);
  CHECK(scene.stat("").same_file(folder));
  CHECK(scene.stat("").mtime_ns == folder.mtime_ns);
  CHECK(scene.stat("manifest.json").mtime_ns == manifest.mtime_ns);
}

TEST_CASE("a file that lost its content, its kind or its existence is made again") {
  Scene scene;
  REQUIRE(scene.one().ok());
  SECTION("edited") {
    REQUIRE(scene.fs.write_file("/w/out/kernel_config.py", "edit\n").ok());
  }
  SECTION("removed") {
    REQUIRE(scene.fs.remove_file("/w/out/kernel_config.py").ok());
  }
  SECTION("a link to a file with the same content") {
    REQUIRE(scene.fs.rename("/w/out/kernel_config.py", "/w/elsewhere").ok());
    scene.fs.make_symlink("/w/elsewhere", "/w/out/kernel_config.py");
  }
  const PublishReport report = scene.one();
  CHECK(report.outcome == PublishOutcome::kWritten);
  CHECK(report.written == 1);
  CHECK(scene.listing() == Scene::listing_one());
}

TEST_CASE("an empty folder is used, a link to a folder is followed") {
  Scene scene;
  REQUIRE(scene.fs.make_directory("/w/out").ok());
  REQUIRE(scene.fs.set_mode("/w/out", 0700).ok());
  scene.fs.make_symlink("out", "/w/link");
  for (const std::string dir : {"/w/link", "/w/out/", "/w/./out/.", "w/link/../out"}) {
    scene.dir = dir;
    REQUIRE(scene.one().ok());
    CHECK(scene.listing() == Scene::listing_one());
    REQUIRE(scene.two().ok());
    CHECK(scene.listing() == Scene::listing_two());
    CHECK(scene.beside() == std::vector<std::string>{"link"});
    CHECK(scene.fs.stat("/w/link").value()->kind == FileKind::kSymlink);
    CHECK(scene.stat("").mode == 0700);
  }
}

TEST_CASE("files of others stay where a manifest tells them apart") {
  Scene scene;
  SECTION("in a swap") {}
  SECTION("in place") {
    scene.fs.set_supports_exchange(false);
  }
  REQUIRE(scene.one().ok());
  scene.put("notes.txt", "mine\n");
  scene.put("kernels/aiv/__pycache__/old.pyc", "cache\n");
  REQUIRE(scene.fs.make_directory("/w/out/empty").ok());
  scene.fs.make_symlink("/nowhere", "/w/out/kernels/link");
  const auto notes = scene.stat("notes.txt");
  REQUIRE(scene.two().ok());
  Listing expected = Scene::listing_two();
  expected["notes.txt"] = "mine\n";
  expected["empty/"] = "";
  expected["kernels/"] = "";
  expected["kernels/link -> /nowhere"] = "";
  expected["kernels/aiv/"] = "";
  expected["kernels/aiv/__pycache__/"] = "";
  expected["kernels/aiv/__pycache__/old.pyc"] = "cache\n";
  CHECK(scene.listing() == expected);
  CHECK(scene.stat("notes.txt").same_file(notes));
  CHECK(scene.stat("notes.txt").mtime_ns == notes.mtime_ns);
}

TEST_CASE("a file that somebody puts there during the swap is not lost") {
  Scene scene;
  REQUIRE(scene.one().ok());
  // Before each operation of the second build, in turn, until one comes too late for its end.
  for (uint64_t n = 0;; ++n) {
    const uint64_t at = scene.fs.operations() + n;
    bool done = false;
    scene.fs.on_operation([&](uint64_t number) {
      if (number != at || done) return;
      done = true;
      scene.put("late/by.txt", "late\n");
    });
    REQUIRE(scene.two().ok());
    scene.fs.on_operation({});
    if (!done) break;
    CAPTURE(n);
    REQUIRE(scene.listing()["late/by.txt"] == "late\n");
    REQUIRE(support::remove_tree(scene.fs, "/w/out/late").ok());
    REQUIRE(scene.one().ok());
    REQUIRE(scene.listing() == Scene::listing_one());
  }
}

TEST_CASE("folders of others are refused") {
  Scene scene;
  REQUIRE(support::make_directories(scene.fs, "/w/out/a").ok());
  scene.put("b/thesis.tex", "");
  CHECK(scene.one().outcome == PublishOutcome::kFailed);
  CHECK(message_of(scene.engine) == "output folder `/w/out` holds `b/thesis.tex` but no `manifest.json`");
  CHECK(codes_of(scene.engine) == std::vector<std::string>{"E0802"});
  CHECK(scene.beside().empty());
}

TEST_CASE("folders without files are as good as nothing") {
  // Ninja makes the folders of outputs before it runs what writes them.
  Scene scene;
  REQUIRE(support::make_directories(scene.fs, "/w/out/next_levels/a/kernels").ok());
  REQUIRE(scene.one().ok());
  const auto listing = scene.listing();
  const auto wanted = Scene::listing_one();
  for (const auto& entry : wanted) CHECK(std::count(listing.begin(), listing.end(), entry) == 1);
  CHECK(scene.beside().empty());
}

TEST_CASE("files of others in the way are refused") {
  Scene scene;
  REQUIRE(scene.one().ok());
  std::string in_the_way = "next_levels/a/kernels/new.cpp";
  SECTION("a file") {
    scene.put(in_the_way, "mine");
  }
  SECTION("a folder") {
    scene.put(in_the_way + "/x", "mine");
  }
  SECTION("a link where a folder has to be") {
    in_the_way = "next_levels";
    scene.fs.make_symlink("/w", "/w/out/next_levels");
  }
  SECTION("a file where a folder has to be") {
    in_the_way = "next_levels/a";
    scene.put(in_the_way, "mine");
  }
  SECTION("something in a folder that becomes a file") {
    in_the_way = "back";
    scene.put("back/mine", "");
  }
  const Listing before = scene.listing();
  CHECK(scene.two().outcome == PublishOutcome::kFailed);
  CHECK(codes_of(scene.engine) == std::vector<std::string>{"E0803"});
  CHECK(message_of(scene.engine) ==
        "`" + in_the_way + "` in output folder `/w/out` is in the way and no earlier build made it");
  CHECK(scene.listing() == before);
  CHECK(scene.beside().empty());
}

TEST_CASE("a file that is there with the right bytes becomes one of the build") {
  Scene scene;
  REQUIRE(scene.one().ok());
  scene.put("next_levels/a/kernels/new.cpp", "new\n");
  const auto before = scene.stat("next_levels/a/kernels/new.cpp");
  CHECK(scene.two().kept == 2);
  CHECK(scene.listing() == Scene::listing_two());
  CHECK(scene.stat("next_levels/a/kernels/new.cpp").same_file(before));
}

TEST_CASE("a manifest that cannot be trusted protects the folder") {
  Scene scene;
  SECTION("of something else") {
    scene.put("manifest.json", R"({"name": "web page", "icons": []})");
    CHECK(!scene.one().ok());
    CHECK(message_of(scene.engine) ==
          "`/w/out/manifest.json` is not a manifest of pyptoc: expected a number at `schema`");
  }
  SECTION("broken") {
    REQUIRE(scene.one().ok());
    REQUIRE(scene.fs.write_file("/w/out/manifest.json", "{").ok());
    CHECK(!scene.two().ok());
    CHECK(message_of(scene.engine) == "`/w/out/manifest.json` is not a manifest of pyptoc: it is not JSON");
  }
  SECTION("a folder") {
    REQUIRE(support::make_directories(scene.fs, "/w/out/manifest.json").ok());
    CHECK(!scene.one().ok());
    CHECK(message_of(scene.engine) == "`/w/out/manifest.json` is not a manifest of pyptoc: it is not a plain file");
  }
  SECTION("that lists what is outside") {
    REQUIRE(scene.fs.create_file("/w/precious", "").ok());
    OutputTree tree = make_tree({{"XXprecious", ""}});
    std::string text = render_manifest(fields_of("evil"), tree);
    text.replace(text.find("XXprecious"), 10, "../precious");
    scene.put("manifest.json", text);
    CHECK(!scene.one().ok());
    CHECK(scene.fs.stat("/w/precious")->has_value());
  }
  CHECK(codes_of(scene.engine) == std::vector<std::string>{"E0804"});
}

TEST_CASE("a manifest of a newer pyptoc is left alone") {
  Scene scene;
  scene.put("manifest.json", R"({"schema": 99, "pyptoc_version": "9.9"})");
  CHECK(!scene.one().ok());
  CHECK(codes_of(scene.engine) == std::vector<std::string>{"E0805"});
  CHECK(message_of(scene.engine) ==
        "`/w/out/manifest.json` has manifest schema 99, newer than the 1 that this pyptoc knows");
}

TEST_CASE("what is not a folder is refused") {
  Scene scene;
  SECTION("a file") {
    REQUIRE(scene.fs.create_file("/w/out", "text").ok());
    CHECK(!scene.one().ok());
    CHECK(message_of(scene.engine) == "expected a folder for the output, found the file `/w/out`");
    CHECK(scene.fs.read_file("/w/out").value() == "text");
  }
  SECTION("a link to nowhere") {
    scene.fs.make_symlink("nowhere", "/w/out");
    CHECK(!scene.one().ok());
    CHECK(message_of(scene.engine) == "expected a folder for the output, found the dangling link `/w/out`");
  }
  CHECK(codes_of(scene.engine) == std::vector<std::string>{"E0807"});
}

TEST_CASE("a folder that cannot be made is an error and leaves nothing") {
  Scene scene;
  SECTION("below a file") {
    REQUIRE(scene.fs.create_file("/w/f", "").ok());
    scene.dir = "/w/f/out";
  }
  SECTION("no name") {
    scene.dir = "";
  }
  SECTION("the parent of nothing") {
    scene.dir = "/w/none/..";
  }
  SECTION("not allowed") {
    scene.fs.deny_changes_in("/w");
  }
  const Listing before = scene.fs.snapshot("/w");
  CHECK(!scene.one().ok());
  CHECK(codes_of(scene.engine) == std::vector<std::string>{"E0801"});
  CHECK(scene.fs.snapshot("/w") == before);
}

TEST_CASE("a build waits for another one, but not for ever") {
  Scene scene;
  REQUIRE(scene.one().ok());
  const bool beside = GENERATE(true, false);
  auto other = beside ? scene.fs.try_lock_file("/w/.out.pyptoc-lock") : scene.fs.try_lock_directory("/w/out");
  REQUIRE(other.ok());
  SECTION("it ends") {
    int pauses = 0;
    scene.fs.on_pause([&] {
      if (++pauses == 2) other.value().reset();
    });
    CHECK(scene.two().ok());
    CHECK(pauses == 2);
    CHECK(scene.listing() == Scene::listing_two());
  }
  SECTION("it does not end") {
    CHECK(scene.two().outcome == PublishOutcome::kFailed);
    CHECK(codes_of(scene.engine) == std::vector<std::string>{"E0806"});
    CHECK(message_of(scene.engine) == "another build is writing into output folder `/w/out`");
    CHECK(scene.listing() == Scene::listing_one());
  }
  SECTION("a signal comes while it waits") {
    scene.fs.on_pause([&] { scene.interruption.note(2); });
    CHECK(scene.two().outcome == PublishOutcome::kInterrupted);
    CHECK(scene.engine.empty());
    CHECK(scene.interruption.exit_status() == 130);
  }
}

TEST_CASE("without locks nothing is written, and no folder is left") {
  Scene scene;
  scene.fs.set_supports_locks(false);
  scene.dir = "/w/a/b/out";
  CHECK(!scene.one().ok());
  CHECK(scene.fs.snapshot("/w").empty());
  scene.dir = "/w/out";
  CHECK(!scene.one().ok());
  CHECK(codes_of(scene.engine) == std::vector<std::string>{"E0808", "E0808"});
  CHECK(!scene.fs.stat("/w/out")->has_value());
}

TEST_CASE("a signal at any step leaves the old folder or the new one, and nothing beside it") {
  const bool in_place = GENERATE(false, true);
  bool finished = false;
  for (uint64_t n = 0; !finished; ++n) {
    Scene scene;
    scene.fs.set_supports_exchange(!in_place);
    REQUIRE(scene.one().ok());
    const uint64_t at = scene.fs.operations() + n;
    scene.fs.on_operation([&](uint64_t number) {
      if (number == at) scene.interruption.note(15);
    });
    const PublishReport report = scene.two();
    finished = !scene.interruption.pending();
    CAPTURE(n, in_place);
    REQUIRE(scene.engine.empty());
    REQUIRE(scene.beside().empty());
    if (report.outcome == PublishOutcome::kInterrupted) {
      REQUIRE(scene.listing() == Scene::listing_one());
    } else {
      REQUIRE(report.outcome == PublishOutcome::kWritten);
      REQUIRE(scene.listing() == Scene::listing_two());
    }
  }
}

}  // namespace
}  // namespace pyptoc::publish
