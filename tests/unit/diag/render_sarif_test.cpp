// SPDX-License-Identifier: Apache-2.0
// SARIF logs, read back with a JSON library. Whether they fit the schema is for tests/cli/schema_test.py.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "diag/render.h"
#include "sample.h"

namespace pyptoc::diag {
namespace {

using nlohmann::json;
using sample::FakeSources;
using sample::no_detail;
using sample::odd_thing;
using sample::wrong_thing;

json run_of(const Engine& engine, SourceProvider& sources, int exit_status) {
  std::ostringstream out;
  render_sarif(out, engine.sorted(), engine.summary(), sources, {"1.2.3", exit_status});
  const json log = json::parse(out.str());
  CHECK(log.at("version") == "2.1.0");
  return log.at("runs").at(0);
}

Place origin(int line, int column, int end_line, int end_column) {
  Place place;
  place.filename = "a dir/moe.py";
  place.begin_line = line;
  place.begin_column = column;
  place.end_line = end_line;
  place.end_column = end_column;
  return place;
}

TEST_CASE("a SARIF log of nothing is complete") {
  FakeSources sources;
  const json run = run_of(Engine(), sources, 0);
  CHECK(run.at("results").empty());
  CHECK(run.at("tool").at("driver").at("rules").empty());
  CHECK(run.at("tool").at("driver").at("version") == "1.2.3");
  CHECK(run.at("invocations").at(0) == json{{"executionSuccessful", true}, {"exitCode", 0}});
}

TEST_CASE("a SARIF result has its rule, place, notes and hints") {
  FakeSources sources;
  sources.paths[7] = "$.functions[0]";
  Engine engine;
  engine.set_pass("Simplify");
  Place place = origin(41, 16, 41, 20);
  place.offset = 7;
  engine.report(wrong_thing, place, "x").note("made here", origin(36, 9, -1, -1)).note("no place").help("do not");
  engine.report(odd_thing, kNowhere, "y");
  const json run = run_of(engine, sources, 1);
  CHECK(run.at("invocations").at(0) == json{{"executionSuccessful", false}, {"exitCode", 1}});

  const json& rules = run.at("tool").at("driver").at("rules");
  const json& odd = run.at("results").at(0);  // about no place, so first
  CHECK(odd.at("level") == "warning");
  CHECK(odd.count("locations") == 0);
  CHECK(rules.at(odd.at("ruleIndex").get<size_t>()).at("name") == "odd-thing");

  const json& wrong = run.at("results").at(1);
  CHECK(wrong.at("ruleId") == "E9101");
  CHECK(wrong.at("message").at("text") == "wrong thing `x`\nnote: no place\nhelp: do not");
  CHECK(wrong.at("properties").at("pass") == "Simplify");
  const json& location = wrong.at("locations").at(0);
  CHECK(location.at("physicalLocation").at("artifactLocation").at("uri") == "a%20dir/moe.py");
  CHECK(location.at("physicalLocation").at("region") ==
        json{{"startLine", 41}, {"startColumn", 16}, {"endLine", 41}, {"endColumn", 20}});
  CHECK(location.at("logicalLocations").at(0).at("fullyQualifiedName") == "$.functions[0]");
  const json& related = wrong.at("relatedLocations").at(0);
  CHECK(related.at("message").at("text") == "made here");
  CHECK(related.at("physicalLocation").at("region") == json{{"startLine", 36}, {"startColumn", 9}});
}

TEST_CASE("a SARIF place in a file without lines is in bytes") {
  FakeSources sources;  // answers with neither line nor path
  sources.name = "/tmp/100% mine.msgpack";
  Engine engine;
  Place place;
  place.offset = 12;
  place.end_offset = 15;
  place.syntax = true;
  engine.report(no_detail, place);
  const json run = run_of(engine, sources, 1);
  const json& physical = run.at("results").at(0).at("locations").at(0).at("physicalLocation");
  CHECK(physical.at("artifactLocation").at("uri") == "file:///tmp/100%25%20mine.msgpack");
  CHECK(physical.at("region") == json{{"byteOffset", 12}, {"byteLength", 3}});
}

TEST_CASE("errors that are not shown are counted in the SARIF log") {
  FakeSources sources;
  Engine engine;
  engine.set_error_limit(1);
  for (const char* name : {"a", "b", "c"}) engine.report(wrong_thing, kNowhere, name);
  const json run = run_of(engine, sources, 1);
  CHECK(run.at("results").size() == 1);
  CHECK(run.at("invocations").at(0).at("toolExecutionNotifications").at(0).at("message").at("text") ==
        "2 more errors are not shown (see `--error-limit`)");
}

}  // namespace
}  // namespace pyptoc::diag
