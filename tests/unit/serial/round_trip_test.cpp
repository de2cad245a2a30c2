// SPDX-License-Identifier: Apache-2.0
// What the front end wrote comes back byte for byte, through both encodings.
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "paths.h"
#include "sample.h"

namespace pyptoc::serial::testing {
namespace {

namespace fs = std::filesystem;

void check_round_trip(const std::string& bytes) {
  std::unique_ptr<Reading> first = read(bytes);
  INFO(faults(bytes));
  REQUIRE(first->program != nullptr);
  CHECK((write_msgpack(first->program) == bytes));

  std::string json = write_json(first->program);
  std::unique_ptr<Reading> second = read(json);
  INFO(faults(json));
  REQUIRE(second->program != nullptr);
  CHECK((write_json(second->program) == json));
  CHECK((write_msgpack(second->program) == bytes));
}

TEST_CASE("files of the repository survive both encodings") {
  for (const char* name : {"array_carry", "tensor_memref", "comm_domain", "tile_slots", "submit"}) {
    INFO(name);
    std::string bytes = data_file(std::string(name) + ".msgpack");
    REQUIRE(!bytes.empty());
    check_round_trip(bytes);
  }
}

TEST_CASE("files of the corpus survive both encodings") {
  fs::path corpus = test_support::shared_dir() / "corpus";
  if (!fs::exists(corpus)) {
    WARN("skipped: there is no corpus beside the repository");
    return;
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(corpus))
    if (entry.path().extension() == ".msgpack") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  CHECK(files.size() > 700);
  for (const fs::path& file : files) {
    INFO(file.string());
    check_round_trip(file_bytes(file));
  }
}

TEST_CASE("every node has a span of its own that knows its offset") {
  std::string bytes = data_file("comm_domain.msgpack");
  std::string json = json_of(bytes);
  for (const std::string* text : {&bytes, &json}) {
    std::unique_ptr<Reading> reading = read(*text);
    REQUIRE(reading->program != nullptr);
    CHECK(reading->program->span->offset == 0);
    std::vector<const ir::Span*> spans;
    std::vector<const ir::Node*> open = {reading->program};
    while (!open.empty()) {
      const ir::Node* node = open.back();
      open.pop_back();
      spans.push_back(node->span);
      REQUIRE(node->span->offset < text->size());
      if (text == &json) CHECK((*text)[node->span->offset] == '{');
      if (text == &bytes) CHECK(static_cast<unsigned char>((*text)[node->span->offset]) == 0x83);
      if (spans.size() < 2000) ir::for_each_child(node, [&](const ir::Node* child) { open.push_back(child); });
    }
    CHECK(spans.size() > 40);
    // Nodes visited twice share their own span only.
    std::sort(spans.begin(), spans.end());
    spans.erase(std::unique(spans.begin(), spans.end()), spans.end());
    std::vector<uint32_t> offsets;
    for (const ir::Span* span : spans) offsets.push_back(span->offset);
    std::sort(offsets.begin(), offsets.end());
    CHECK(std::adjacent_find(offsets.begin(), offsets.end()) == offsets.end());
  }
}

TEST_CASE("nodes are made in the order of their canonical numbers") {
  std::unique_ptr<Reading> reading = read(data_file("submit.msgpack"));
  std::string json = write_json(reading->program);
  uint32_t first = reading->program->serial;
  // The Program is number 0 but finished last; the first node that is finished has no children.
  CHECK(first == reading->context.last_serial());
  CHECK(json.find("\"id\":0,\"type\":\"Program\"}\n") == json.size() - 25);
}

}  // namespace
}  // namespace pyptoc::serial::testing
