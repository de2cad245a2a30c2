// SPDX-License-Identifier: Apache-2.0
// Every program in every order that its tasks permit gives what it means: 200 random orders for each set of arguments,
// against the interpreter.
#include <catch2/catch.hpp>
#include <deque>

#include "orchestration/programs.h"
#include "orchestration/random_programs.h"

namespace pyptoc::orchestration {
namespace {

void run_all(const std::vector<Case>& cases, int seeds) {
  std::deque<Lowered> lowered;  // does not move
  std::vector<const Lowered*> list;
  for (const Case& one : cases) lowered.emplace_back(one);
  for (const Lowered& one : lowered) {
    CHECK(one.error() == "");
    if (one.error().empty()) list.push_back(&one);
  }
  const Batch batch = compile(list);
  REQUIRE(batch.error == "");
  size_t at = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (!lowered[i].error().empty()) continue;
    for (const Runnable& one : batch.programs[at])
      for (const Sample& sample : cases[i].samples) {
        INFO(cases[i].name << ", orchestration " << one.meant->name << ", first scalar "
                           << (sample.scalars.empty() ? 0.0 : sample.scalars[0]));
        const std::string problem = wrong(one, sample, seeds);
        INFO((problem.empty() ? std::string() : cases[i].text));
        CHECK(problem == "");
      }
    ++at;
  }
}

TEST_CASE("programs with write-after-read hazards, in any order") {
  REQUIRE(hazards().size() >= 20);
  run_all(hazards(), 200);
}

std::vector<Case> random_programs(uint32_t from, uint32_t count, Case (*make)(uint32_t seed) = random_program) {
  std::vector<Case> out;
  for (uint32_t seed = from; seed < from + count; ++seed) out.push_back(make(seed));
  return out;
}

TEST_CASE("random programs, in any order") {
  run_all(random_programs(1, 60), 10);
}

TEST_CASE("random programs with manual scopes, in any order") {
  run_all(random_programs(1, 40, random_manual_program), 5);
}

TEST_CASE("random programs of many constructs, in any order") {
  run_all(random_programs(1, 40, random_constructs), 10);
}

// Edges found at compile time stand beside those of the runtime.
TEST_CASE("programs whose dependencies are derived at compile time, in any order") {
  std::vector<Case> all;
  for (std::vector<Case> cases : {hazards(), scope_escapes(), constructs(), random_programs(100, 20),
                                  random_programs(100, 20, random_constructs)})
    all.insert(all.end(), cases.begin(), cases.end());
  for (Case& one : all) one.analyze_deps = true;
  run_all(all, 10);
}

// Hidden: takes minutes. Run it after a change of the passes that order tasks.
TEST_CASE("many random programs", "[.many]") {
  for (uint32_t from = 1000; from < 4000; from += 100) run_all(random_programs(from, 100), 8);
}

TEST_CASE("many random programs with manual scopes", "[.many]") {
  for (uint32_t from = 1000; from < 3000; from += 100) run_all(random_programs(from, 100, random_manual_program), 5);
}

TEST_CASE("ids that name one task or another, in any order") {
  run_all(uncertain_ids(), 200);
}

TEST_CASE("many random programs of many constructs", "[.many]") {
  for (uint32_t from = 1000; from < 4000; from += 100) run_all(random_programs(from, 100, random_constructs), 8);
}

TEST_CASE("buffers used behind the scope that makes them, in any order") {
  REQUIRE(scope_escapes().size() >= 15);
  run_all(scope_escapes(), 200);
}

TEST_CASE("what orchestrations are made of, in any order") {
  REQUIRE(constructs().size() >= 40);
  run_all(constructs(), 200);
}

}  // namespace
}  // namespace pyptoc::orchestration
