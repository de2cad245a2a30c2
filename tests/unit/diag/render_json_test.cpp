// SPDX-License-Identifier: Apache-2.0
// JSON lines, read back with a JSON library.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "diag/render.h"
#include "sample.h"

namespace pyptoc::diag {
namespace {

using nlohmann::json;
using sample::FakeSources;
using sample::no_detail;
using sample::odd_thing;
using sample::rendered;
using sample::wrong_thing;

std::vector<json> lines_of(const Engine& engine, SourceProvider& sources) {
  std::istringstream text(rendered(render_json, engine, sources));
  std::vector<json> lines;
  for (std::string line; std::getline(text, line);) {
    lines.push_back(json::parse(line));
  }
  return lines;
}

TEST_CASE("JSON lines end with a summary, even of nothing") {
  FakeSources sources;
  Engine engine;
  CHECK(rendered(render_json, engine, sources) ==
        "{\"$message_type\":\"summary\",\"errors\":0,\"warnings\":0,\"hidden_errors\":0}\n");
  engine.set_error_limit(1);
  engine.report(wrong_thing, kNowhere, "a");
  engine.report(wrong_thing, kNowhere, "b");
  engine.report(odd_thing, kNowhere, "c");
  const std::vector<json> lines = lines_of(engine, sources);
  REQUIRE(lines.size() == 3);
  CHECK(lines[2] == json{{"$message_type", "summary"}, {"errors", 2}, {"warnings", 1}, {"hidden_errors", 1}});
}

TEST_CASE("a JSON diagnostic carries code, spans, origin, path, pass and children") {
  FakeSources sources("[1,\n 2]");
  sources.lines[{"a.py", 2}] = "x = \u6f22 + bad";
  sources.paths[5] = "$.functions[0]";
  Engine engine;
  engine.set_pass("Simplify");
  engine
      .report(wrong_thing,
              {.filename = "a.py", .begin_line = 2, .begin_column = 9, .end_line = 2, .end_column = 12, .offset = 5},
              "bad")
      .note("made here", {.offset = 5})
      .help("do otherwise");
  const json line = lines_of(engine, sources).at(0);
  CHECK(line["$message_type"] == "diagnostic");
  CHECK(line["level"] == "error");
  CHECK(line["code"] == json{{"code", "E9101"}, {"name", "wrong-thing"}});
  CHECK(line["message"] == "wrong thing `bad`");
  CHECK(line["ir_path"] == "$.functions[0]");
  CHECK(line["pass"] == "Simplify");
  CHECK(line["origin"] ==
        json{{"file_name", "a.py"}, {"line_start", 2}, {"line_end", 2}, {"column_start", 9}, {"column_end", 12}});
  REQUIRE(line["spans"].size() == 2);
  const json origin_text = {{{"text", "x = \u6f22 + bad"}, {"highlight_start", 9}, {"highlight_end", 12}}};
  CHECK(line["spans"][0]["file_name"] == "a.py");
  CHECK(line["spans"][0]["is_primary"] == true);
  CHECK(line["spans"][0]["byte_start"].is_null());
  CHECK(line["spans"][0]["text"] == origin_text);
  CHECK(line["spans"][1]["file_name"] == "prog.json");
  CHECK(line["spans"][1]["is_primary"] == false);
  CHECK(line["spans"][1]["byte_start"] == 5);
  CHECK(line["spans"][1]["line_start"] == 2);
  CHECK(line["spans"][1]["column_start"] == 2);
  REQUIRE(line["children"].size() == 2);
  CHECK(line["children"][0]["level"] == "note");
  CHECK(line["children"][0]["message"] == "made here");
  CHECK(line["children"][0]["ir_path"] == "$.functions[0]");
  CHECK(line["children"][1]["level"] == "help");
  CHECK(line["children"][1]["spans"].empty());
  const std::string human = rendered(render_human, engine, sources);
  CHECK(human.starts_with(line["rendered"].get<std::string>()));
}

TEST_CASE("what is unknown is null in JSON") {
  FakeSources sources;
  Engine engine;
  engine.report(no_detail, kNowhere);
  const json line = lines_of(engine, sources).at(0);
  CHECK(line["spans"].empty());
  CHECK(line["ir_path"].is_null());
  CHECK(line["origin"].is_null());
  CHECK(line["pass"].is_null());
}

TEST_CASE("a fault of syntax is one primary span with its text") {
  FakeSources sources("[1,\n bad]");
  Engine engine;
  engine.report(no_detail, {.offset = 5, .syntax = true, .end_offset = 8});
  const json line = lines_of(engine, sources).at(0);
  REQUIRE(line["spans"].size() == 1);
  const json text = {{{"text", " bad]"}, {"highlight_start", 2}, {"highlight_end", 5}}};
  CHECK(line["spans"][0]["is_primary"] == true);
  CHECK(line["spans"][0]["byte_end"] == 8);
  CHECK(line["spans"][0]["line_end"] == 2);
  CHECK(line["spans"][0]["column_end"] == 5);
  CHECK(line["spans"][0]["text"] == text);
}

TEST_CASE("broken and hostile text still gives one readable line") {
  FakeSources sources;
  sources.lines[{"\xff.py", 1}] = "\x80\x1b[31m";
  Engine engine;
  engine.report(wrong_thing, {.filename = "\xff.py", .begin_line = 1, .begin_column = 1}, "\"\n\xe6\u2028\x9b");
  const std::string text = rendered(render_json, engine, sources);
  CHECK(std::count(text.begin(), text.end(), '\n') == 2);
  CHECK(text.find('\x1b') == std::string::npos);
  const json line = lines_of(engine, sources).at(0);
  CHECK(line["message"] == "wrong thing `\"\n\uFFFD\u2028\uFFFD`");
  CHECK(line["spans"][0]["file_name"] == "\uFFFD.py");
}

}  // namespace
}  // namespace pyptoc::diag
