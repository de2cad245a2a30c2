// SPDX-License-Identifier: Apache-2.0
// Order, duplicates, limit and warning policy.
#include "diag/engine.h"

#include <catch2/catch.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "sample.h"

namespace pyptoc::diag {
namespace {

using sample::odd_thing;
using sample::too_many;
using sample::unused_thing;
using sample::wrong_thing;

std::vector<std::string> messages(const Engine& engine) {
  std::vector<std::string> out;
  for (const Diagnostic& diagnostic : engine.sorted()) {
    out.push_back(diagnostic.message);
  }
  return out;
}

std::string joined_names(const Engine& engine) {
  std::string out;
  for (const std::string& message : messages(engine)) {
    const std::size_t tick = message.find('`');
    out += message.substr(tick + 1, message.size() - tick - 2);
  }
  return out;
}

Place origin(std::string_view file, std::int32_t line, std::int32_t column) {
  return {.filename = file, .begin_line = line, .begin_column = column};
}

TEST_CASE("a fresh engine has nothing to tell") {
  const Engine engine;
  CHECK(engine.empty());
  CHECK_FALSE(engine.has_errors());
  CHECK(engine.sorted().empty());
  CHECK(engine.summary().errors == 0);
}

TEST_CASE("a report is formatted and kept with place, pass, notes and help") {
  Engine engine;
  engine.set_pass("Simplify");
  {
    const std::string short_lived = "moe.py";
    engine.report(too_many, origin(short_lived, 4, 2), 1, 2)
        .note("first")
        .note("second", {.filename = short_lived, .begin_line = 9})
        .help("fewer");
  }
  const std::vector<Diagnostic> all = engine.sorted();
  REQUIRE(all.size() == 1);
  CHECK(all[0].code == &too_many);
  CHECK(all[0].message == "expected 1 things, found 2");
  CHECK(all[0].place.filename == "moe.py");
  CHECK(all[0].pass == "Simplify");
  REQUIRE(all[0].notes.size() == 2);
  CHECK(all[0].notes[0].text == "first");
  CHECK_FALSE(all[0].notes[0].place);
  CHECK(all[0].notes[1].place.value().begin_line == 9);
  CHECK(all[0].helps == std::vector<std::string>{"fewer"});
}

TEST_CASE("arguments of other types than the code's do not compile") {
  using Reporter = Engine::Builder (Engine::*)(const Code<std::string_view>&, const Place&, std::string_view);
  STATIC_REQUIRE(std::is_same_v<decltype(static_cast<Reporter>(&Engine::report<std::string_view>)), Reporter>);
  STATIC_REQUIRE(std::is_base_of_v<Code<std::string_view>, std::remove_cv_t<decltype(wrong_thing)>>);
}

TEST_CASE("diagnostics come in source order") {
  Engine engine;
  engine.report(wrong_thing, {.offset = 90}, "i");
  engine.report(wrong_thing, origin("b.py", 1, 1), "g");
  engine.report(wrong_thing, origin("a.py", 10, 1), "f");
  engine.report(odd_thing, origin("a.py", 2, 9), "e");
  engine.report(wrong_thing, origin("a.py", 2, 3), "d");
  engine.report(wrong_thing, {.offset = 7}, "h");
  engine.report(wrong_thing, {.offset = 500, .syntax = true}, "c");
  engine.report(wrong_thing, {.offset = 80, .syntax = true}, "b");
  engine.report(wrong_thing, kNowhere, "a");
  CHECK(joined_names(engine) == "abcdefghi");
}

TEST_CASE("equal places keep the order of their reports") {
  Engine engine;
  for (const char* name : {"c", "a", "b", "d"}) {
    engine.report(wrong_thing, origin("a.py", 1, 1), name);
  }
  CHECK(joined_names(engine) == "cabd");
}

TEST_CASE("exact duplicates are dropped, with what is added to them") {
  Engine engine;
  engine.report(wrong_thing, origin("a.py", 1, 1), "x").note("kept");
  engine.report(wrong_thing, origin("a.py", 1, 1), "x").note("dropped").help("dropped");
  engine.report(wrong_thing, origin("a.py", 1, 1), "y");
  engine.report(wrong_thing, origin("a.py", 1, 2), "x");
  engine.report(odd_thing, origin("a.py", 1, 1), "x");
  CHECK(engine.error_count() == 3);
  CHECK(engine.warning_count() == 1);
  const std::vector<Diagnostic> all = engine.sorted();
  REQUIRE(all.size() == 4);
  CHECK(all[0].notes.size() == 1);
  CHECK(all[0].helps.empty());
}

TEST_CASE("a builder still adds to its own diagnostic after other reports") {
  Engine engine;
  Engine::Builder first = engine.report(wrong_thing, kNowhere, "a");
  for (int i = 0; i < 100; ++i) {
    engine.report(wrong_thing, kNowhere, std::to_string(i));
  }
  first.note("late");
  CHECK(engine.sorted()[0].notes.at(0).text == "late");
}

TEST_CASE("the error limit hides errors but neither counts nor warnings") {
  Engine engine;
  engine.set_error_limit(2);
  for (std::int32_t line = 9; line >= 1; --line) {
    engine.report(wrong_thing, origin("a.py", line, 1), std::to_string(line));
  }
  engine.report(odd_thing, origin("a.py", 10, 1), "w");
  CHECK(joined_names(engine) == "12w");
  CHECK(engine.summary().errors == 9);
  CHECK(engine.summary().warnings == 1);
  CHECK(engine.summary().hidden_errors == 7);
  engine.set_error_limit(0);
  CHECK(joined_names(engine) == "123456789w");
  CHECK(engine.summary().hidden_errors == 0);
}

TEST_CASE("twenty errors are shown unless the limit says otherwise") {
  Engine engine;
  for (int i = 0; i < 30; ++i) {
    engine.report(wrong_thing, kNowhere, std::to_string(i));
  }
  CHECK(engine.sorted().size() == 20);
}

TEST_CASE("warnings follow the policy, errors do not") {
  using Action = WarningPolicy::Action;
  SECTION("disabled by name") {
    Engine engine(WarningPolicy{{{"odd-thing", Action::Disable}, {"wrong-thing", Action::Disable}}, false});
    engine.report(odd_thing, kNowhere, "x").note("nowhere to go");
    engine.report(unused_thing, kNowhere, "y");
    engine.report(wrong_thing, kNowhere, "z");
    CHECK(engine.warning_count() == 1);
    CHECK(engine.error_count() == 1);
  }
  SECTION("disabled by code, and enabled again by a later rule") {
    Engine engine(WarningPolicy{{{"W9101", Action::Disable}, {"odd-thing", Action::Enable}}, false});
    engine.report(odd_thing, kNowhere, "x");
    CHECK(engine.warning_count() == 1);
  }
  SECTION("one warning as an error") {
    Engine engine(WarningPolicy{{{"odd-thing", Action::Error}}, false});
    engine.report(odd_thing, kNowhere, "x").note("mine");
    engine.report(unused_thing, kNowhere, "y");
    CHECK(engine.has_errors());
    CHECK(engine.error_count() == 1);
    CHECK(engine.warning_count() == 1);
    const Diagnostic first = engine.sorted()[0];
    CHECK(first.severity == Severity::Error);
    REQUIRE(first.notes.size() == 2);
    CHECK(first.notes[1].text == "`-Werror` makes an error of the warning `odd-thing`");
  }
  SECTION("all warnings as errors, but those that are off") {
    Engine engine(WarningPolicy{{{"odd-thing", Action::Disable}}, true});
    engine.report(odd_thing, kNowhere, "x");
    engine.report(unused_thing, kNowhere, "y");
    CHECK(engine.error_count() == 1);
    CHECK(engine.warning_count() == 0);
  }
  SECTION("switched off after being made an error") {
    Engine engine(WarningPolicy{{{"odd-thing", Action::Error}, {"odd-thing", Action::Disable}}, false});
    engine.report(odd_thing, kNowhere, "x");
    CHECK(engine.empty());
  }
}

TEST_CASE("absorbing keeps order and drops duplicates") {
  Engine engine;
  engine.report(wrong_thing, kNowhere, "a");
  Engine other;
  other.report(wrong_thing, kNowhere, "a");
  other.report(wrong_thing, kNowhere, "c").help("kept");
  other.report(odd_thing, kNowhere, "b");
  engine.absorb(std::move(other));
  CHECK(joined_names(engine) == "acb");
  CHECK(engine.error_count() == 2);
  CHECK(engine.warning_count() == 1);
  CHECK(engine.sorted()[1].helps.size() == 1);
}

TEST_CASE("huge names are cut between characters") {
  Engine engine;
  std::string name;
  for (int i = 0; i < 5000; ++i) {
    name += "\u6f22";
  }
  engine.report(wrong_thing, kNowhere, name);
  const std::string message = engine.sorted()[0].message;
  CHECK(message.size() <= 2003);
  CHECK(message.substr(message.size() - 6) == "\u6f22...");
}

}  // namespace
}  // namespace pyptoc::diag
