// SPDX-License-Identifier: Apache-2.0
// Offsets of the input as paths, lines and columns; lines of Python sources.
#include <catch2/catch.hpp>

#include "sample.h"

namespace pyptoc::serial::testing {
namespace {

TEST_CASE("offsets become paths, lines and columns") {
  std::string text =
      "{\"type\":\"Program\",\n \"fields\":{\"é\":1, \"functions\":[{\"value\":\n  [10, {\"x y\":\"z\"}]}]}}";
  InputSource source("p.json", text);
  CHECK(source.input_name() == "p.json");
  auto at = [&](std::string_view what) {
    diag::InputPosition position = source.locate(static_cast<uint32_t>(text.find(what)));
    return fmt::format("{}:{} {}", position.line, position.column, position.ir_path);
  };
  CHECK(at("{\"type\"") == "1:1 $");
  CHECK(at("\"Program\"") == "1:9 $.type");
  CHECK(at("1, ") == "2:16 $[\"é\"]");
  CHECK(at("{\"value\"") == "2:32 $.functions[0]");
  CHECK(at("10,") == "3:4 $.functions[0].value[0]");
  CHECK(at("{\"x y\"") == "3:8 $.functions[0].value[1]");
  CHECK(at("\"z\"") == "3:15 $.functions[0].value[1][\"x y\"]");
  CHECK(source.locate(static_cast<uint32_t>(text.find("10,"))).text == "  [10, {\"x y\":\"z\"}]}]}}");
  CHECK(source.locate(100000).line == 3);
}

TEST_CASE("the path of every node leads to it") {
  for (const char* name : {"comm_domain", "tile_slots"}) {
    std::string bytes = data_file(std::string(name) + ".msgpack");
    auto reading = read(bytes);
    REQUIRE(reading->program != nullptr);
    InputSource source("p.msgpack", bytes);
    const ir::Function* f = reading->program->functions[0];
    CHECK(source.ir_path(reading->program->span->offset) == "$");
    CHECK(source.ir_path(f->span->offset) == "$.functions[0].value");
    CHECK(source.ir_path(f->body->span->offset) == "$.functions[0].value.body");
    if (!f->params.empty()) CHECK(source.ir_path(f->params[0]->span->offset) == "$.functions[0].value.params[0]");
    diag::InputPosition position = source.locate(f->span->offset);
    CHECK(position.line == -1);
    CHECK(position.text.empty());
  }
}

TEST_CASE("places in input that cannot be read to its end") {
  InputSource cut("p.json", "{\"a\":[1,{\"b\":");
  CHECK(cut.ir_path(8) == "$.a[1]");
  CHECK(cut.ir_path(13) == "$.a[1]");
  InputSource empty("p.json", "");
  CHECK(empty.ir_path(0).empty());
  CHECK(empty.locate(0).line == 1);
  InputSource unknown("p.bin", "\xC1");
  CHECK(unknown.ir_path(0).empty());
}

TEST_CASE("lines of Python sources, each file read once") {
  int reads = 0;
  InputSource source("p.json", "{}", [&](std::string_view filename) -> std::optional<std::string> {
    ++reads;
    if (filename != "m.py") return std::nullopt;
    return "first\r\nsecond\n\nlast";
  });
  CHECK(source.origin_line("m.py", 1) == "first");
  CHECK(source.origin_line("m.py", 2) == "second");
  CHECK(source.origin_line("m.py", 3) == "");
  CHECK(source.origin_line("m.py", 4) == "last");
  CHECK(source.origin_line("m.py", 5) == std::nullopt);
  CHECK(source.origin_line("m.py", 0) == std::nullopt);
  CHECK(source.origin_line("m.py", -1) == std::nullopt);
  CHECK(reads == 1);
  CHECK(source.origin_line("other.py", 1) == std::nullopt);
  CHECK(source.origin_line("other.py", 2) == std::nullopt);
  CHECK(reads == 2);
  InputSource none("p.json", "{}");
  CHECK(none.origin_line("m.py", 1) == std::nullopt);
}

}  // namespace
}  // namespace pyptoc::serial::testing
