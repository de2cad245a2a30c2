// SPDX-License-Identifier: Apache-2.0
// Every operation of publish() in turn fails, is the last one, or meets a full disk: the folder is the old or the new
// one.
#include <cerrno>
#include <functional>

#include "fixture.h"

namespace pyptoc::publish {
namespace {

using namespace fixture;
using PowerCut = support::MemoryFileSystem::PowerCut;

struct Situation {
  std::string name;
  std::function<void(Scene&)> prepare;  // before the first build
  bool in_place = false;
  bool first_build = false;  // the folder does not exist when the fault comes
};

std::vector<Situation> situations() {
  const auto mount = [](Scene& scene) {
    REQUIRE(scene.fs.make_directory("/w/out").ok());
    scene.fs.make_mount_point("/w/out");
  };
  const auto deny = [](Scene& scene) {
    REQUIRE(scene.fs.make_directory("/w/out").ok());
    scene.fs.deny_changes_in("/w");
  };
  return {{"swap", [](Scene&) {}, false, false},
          {"new folder", [](Scene&) {}, false, true},
          {"no exchange", [](Scene& scene) { scene.fs.set_supports_exchange(false); }, true, false},
          {"no links", [](Scene& scene) { scene.fs.set_supports_links(false); }, true, false},
          {"mount point", mount, true, false},
          {"parent denied", deny, true, false}};
}

// A scene right before its second build, everything flushed.
struct Trial : Scene {
  explicit Trial(const Situation& which) : situation(which) {
    which.prepare(*this);
    if (!which.first_build) {
      REQUIRE(one().ok());
      put("notes.txt", "mine\n");
      old_listing = listing();
    }
    fs.settle();
    new_listing = Scene::listing_two();
    if (!which.first_build) new_listing["notes.txt"] = "mine\n";
  }

  bool exists() { return fs.stat("/w/out")->has_value(); }
  bool is_old() { return exists() != situation.first_build && listing() == old_listing; }
  bool is_new() { return exists() && listing() == new_listing; }
  bool is_either() { return is_old() || is_new(); }

  // The next build works, and leaves nothing of what happened.
  void check_next_build() {
    diag::Engine fresh;
    REQUIRE(publish(fs, dir, second_tree(), fields_of("two"), interruption, fresh).ok());
    REQUIRE(fresh.empty());
    REQUIRE(is_new());
    REQUIRE(beside().empty());
  }

  const Situation& situation;
  Listing old_listing;
  Listing new_listing;
};

// Second builds with `fault` set at each of their operations in turn, up to one that ends before it; each is checked.
void at_each_operation(const std::function<void(Trial&, uint64_t)>& fault,
                       const std::function<void(Trial&, PublishReport)>& check) {
  for (const Situation& situation : situations()) {
    uint64_t n = 0;
    for (bool met = true; met; ++n) {
      Trial trial(situation);
      const uint64_t at = trial.fs.operations() + n;
      fault(trial, at);
      const PublishReport report = trial.two();
      met = trial.fs.operations() > at;
      CAPTURE(situation.name, n);
      check(trial, report);
    }
    CAPTURE(situation.name);
    REQUIRE(n > 20);
  }
}

bool contains(const std::vector<std::string>& codes, const std::string& code) {
  return std::ranges::find(codes, code) != codes.end();
}

TEST_CASE("a kill at any operation leaves the old folder or the new one") {
  bool mixture = false;
  at_each_operation([](Trial& trial, uint64_t at) { trial.fs.crash_at(at); },
                    [&](Trial& trial, const PublishReport&) {
                      trial.fs.revive();
                      // What the folder is without any recovery.
                      if (!trial.situation.in_place) REQUIRE(trial.is_either());
                      if (!trial.fs.stat("/w/out/.pyptoc-stage/journal")->has_value()) {
                        if (trial.exists()) REQUIRE(support::remove_tree(trial.fs, "/w/out/.pyptoc-stage").ok());
                        REQUIRE(trial.is_either());
                      } else {
                        mixture = mixture || !trial.is_either();
                        REQUIRE(trial.recovered());
                        REQUIRE(trial.is_new());
                        REQUIRE(trial.beside().empty());
                      }
                      trial.check_next_build();
                    });
  CHECK(mixture);  // else the trials in place were none
}

TEST_CASE("a file that somebody puts there during a swap that is killed is not lost") {
  const Situation situation = situations()[0];
  bool late_met = true;
  for (uint64_t late = 0; late_met; ++late) {
    late_met = false;
    bool crash_met = true;
    for (uint64_t after = 1; crash_met; ++after) {
      Trial trial(situation);
      const uint64_t begin = trial.fs.operations() + late;
      bool put = false;
      trial.fs.on_operation([&](uint64_t number) {
        if (number != begin || put) return;
        put = true;
        const uint64_t before = trial.fs.operations();
        trial.put("late.txt", "late\n");
        trial.fs.crash_at(number + (trial.fs.operations() - before) + after);
      });
      trial.two();
      trial.fs.on_operation({});
      crash_met = trial.fs.crashed();
      late_met = late_met || put;
      trial.fs.revive();
      CAPTURE(late, after);
      REQUIRE(trial.recovered());
      if (put) REQUIRE(trial.listing()["late.txt"] == "late\n");
      REQUIRE(trial.beside().empty());
    }
  }
}

TEST_CASE("recovery itself can be killed at any operation") {
  const Situation situation = situations()[2];
  Trial whole(situation);
  const uint64_t begin = whole.fs.operations();
  REQUIRE(whole.two().ok());
  const uint64_t count = whole.fs.operations() - begin;
  for (uint64_t first = 0; first < count; ++first) {
    bool met = true;
    for (uint64_t second = 0; met; ++second) {
      Trial trial(situation);
      trial.fs.crash_at(trial.fs.operations() + first);
      trial.two();
      trial.fs.revive();
      const uint64_t at = trial.fs.operations() + second;
      trial.fs.crash_at(at);
      trial.recovered();
      met = trial.fs.operations() > at;
      trial.fs.revive();
      CAPTURE(first, second);
      diag::Engine fresh;
      REQUIRE(recover(trial.fs, trial.dir, trial.interruption, fresh));
      REQUIRE(trial.is_either());
      REQUIRE(trial.beside().empty());
    }
  }
}

TEST_CASE("a power cut at any operation leaves the old folder or the new one") {
  const PowerCut how = GENERATE(PowerCut::kOnlyFlushed, PowerCut::kUnflushedContentLost);
  at_each_operation([](Trial& trial, uint64_t at) { trial.fs.crash_at(at); },
                    [&](Trial& trial, const PublishReport&) {
                      trial.fs.cut_power(how);
                      if (!trial.situation.in_place) REQUIRE(trial.is_either());
                      REQUIRE(trial.recovered());
                      REQUIRE(trial.is_either());
                      trial.check_next_build();
                    });
}

TEST_CASE("what was reported as done survives a power cut") {
  for (const Situation& situation : situations()) {
    Trial trial(situation);
    REQUIRE(trial.two().ok());
    trial.fs.cut_power(PowerCut::kOnlyFlushed);
    CAPTURE(situation.name);
    CHECK(trial.is_new());
  }
}

TEST_CASE("an error at any operation leaves the old folder, or is told to have come too late") {
  const int code = GENERATE(EIO, ENOSPC, EPERM, EROFS);
  std::vector<std::string> seen;
  at_each_operation([&](Trial& trial, uint64_t at) { trial.fs.fail_at(at, code); },
                    [&](Trial& trial, const PublishReport& report) {
                      trial.fs.revive();
                      const auto codes = codes_of(trial.engine);
                      seen.insert(seen.end(), codes.begin(), codes.end());
                      CAPTURE(code, codes);
                      REQUIRE(codes.size() <= 1);
                      if (contains(codes, "E0809")) {
                        REQUIRE(!report.ok());
                        REQUIRE(trial.recovered());
                        REQUIRE(trial.is_new());
                      } else if (report.ok()) {
                        REQUIRE((codes.empty() || contains(codes, "W0800")));
                        if (codes.empty()) REQUIRE(trial.is_new());
                      } else {
                        REQUIRE(contains(codes, "E0801"));
                        if (trial.exists()) REQUIRE(support::remove_tree(trial.fs, "/w/out/.pyptoc-stage").ok());
                        REQUIRE(trial.is_old());
                      }
                      trial.check_next_build();
                    });
  CHECK(contains(seen, "E0801"));
  CHECK(contains(seen, "E0809"));
  CHECK(contains(seen, "W0800"));
}

TEST_CASE("a full disk leaves the old folder or the new one") {
  for (const Situation& situation : situations()) {
    bool fits = false;
    for (uint64_t room = 0; !fits; room += 7) {
      Trial trial(situation);
      trial.fs.set_capacity(trial.fs.bytes_used() + room);
      const PublishReport report = trial.two();
      fits = report.ok();
      CAPTURE(situation.name, room);
      REQUIRE(fits == trial.engine.empty());
      REQUIRE((fits ? trial.is_new() : trial.is_old()));
      REQUIRE(trial.beside().empty());
      trial.fs.revive();
      trial.check_next_build();
    }
  }
}

TEST_CASE("a journal that was made to do harm does none") {
  Scene scene;
  REQUIRE(scene.one().ok());
  REQUIRE(scene.fs.create_file("/w/precious", "old").ok());
  scene.put(".pyptoc-stage/0", "evil");
  SECTION("a path that leads out") {
    scene.put(".pyptoc-stage/journal", "pyptoc journal 1\ninstall 0 ../precious\nend\n");
  }
  SECTION("a staged file that is elsewhere") {
    scene.put(".pyptoc-stage/journal", "pyptoc journal 1\ninstall ../manifest.json x\nend\n");
  }
  SECTION("cut off") {
    scene.put(".pyptoc-stage/journal", "pyptoc journal 1\nremove turns\nremo");
  }
  SECTION("an unknown step") {
    scene.put(".pyptoc-stage/journal", "pyptoc journal 1\nexecute sh\nend\n");
  }
  SECTION("only the ends, overlapping") {
    scene.put(".pyptoc-stage/journal", "pyptoc journal 1\n");
  }
  CHECK(!scene.two().ok());
  CHECK(codes_of(scene.engine) == std::vector<std::string>{"E0811"});
  CHECK(scene.fs.read_file("/w/precious").value() == "old");
  CHECK(scene.fs.read_file("/w/out/turns").value() == "file\n");
}

TEST_CASE("a journal does not write through a link") {
  Scene scene;
  REQUIRE(scene.one().ok());
  REQUIRE(scene.fs.make_directory("/w/other").ok());
  scene.fs.make_symlink("/w/other", "/w/out/link");
  scene.put(".pyptoc-stage/0", "evil");
  scene.put(".pyptoc-stage/journal", "pyptoc journal 1\ninstall 0 link/x\nend\n");
  CHECK(!scene.two().ok());
  CHECK(codes_of(scene.engine) == std::vector<std::string>{"E0809"});
  CHECK(scene.fs.list("/w/other")->empty());
}

}  // namespace
}  // namespace pyptoc::publish
