// SPDX-License-Identifier: Apache-2.0
// Broken programs by the thousand: each gives an error with a place, or IR where the change was harmless.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sample.h"

namespace pyptoc::serial::testing {
namespace {

using nlohmann::json;
using Pointer = json::json_pointer;

struct Tally {
  int inputs = 0;
  int accepted = 0;

  void check(const std::string& bytes, const ReadOptions& options = {}) {
    ++inputs;
    auto reading = read(bytes, options);
    if (reading->program != nullptr) {
      ++accepted;
      bool clean = !reading->diagnostics.has_errors();
      bool stable = json_of(write_json(reading->program)) == write_json(reading->program);
      if (!clean || !stable) FAIL("accepted, but not well: " << bytes.substr(0, 4000));
      return;
    }
    InputSource source("p.json", bytes);
    if (!reading->diagnostics.has_errors()) FAIL("refused without a word: " << bytes.substr(0, 4000));
    for (const diag::Diagnostic& diagnostic : reading->diagnostics.sorted()) {
      diag::InputPosition position = source.locate(diagnostic.place.offset);
      bool placed = diagnostic.place.offset <= bytes.size() && (diagnostic.place.syntax || !position.ir_path.empty());
      if (!placed) FAIL("an error without a place: " << diagnostic.message);
    }
  }
};

void collect(const json& value, const Pointer& at, std::vector<Pointer>& all) {
  all.push_back(at);
  if (value.is_object())
    for (const auto& [key, inner] : value.items()) collect(inner, at / key, all);
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], at / i, all);
}

// The program with the value replaced in each of several ways, its key renamed, and the entry removed.
void mutate(const json& program, const Pointer& at, Tally& tally) {
  const json& value = program[at];
  const json kReplacements[] = {nullptr, true, -1, 0.5, "zzz", json::array(), json::object(), {{"ref", 100000}}};
  std::size_t first = value.is_string() ? 0 : value.is_number() ? 3 : 5;  // a few of them, others for each kind
  for (std::size_t i = 0; i < 3; ++i) {
    json changed = program;
    changed[at] = kReplacements[(first + i) % std::size(kReplacements)];
    tally.check(changed.dump());
  }
  if (at.empty()) return;
  json removed = program;
  json renamed = program;
  json& around = removed[at.parent_pointer()];
  if (around.is_object()) {
    around.erase(at.back());
    json& map = renamed[at.parent_pointer()];
    map[at.back() + "x"] = value;
    map.erase(at.back());
    tally.check(renamed.dump());
  } else {
    around.erase(std::stoul(at.back()));
  }
  tally.check(removed.dump());
}

TEST_CASE("programs with one value changed, renamed or removed") {
  Tally tally;
  for (const char* name : {"tensor_memref.msgpack", "array_carry.msgpack"}) {
    json program = json::parse(json_of(data_file(name)));
    std::vector<Pointer> places;
    collect(program, Pointer(), places);
    // Spans are all alike, and there is one in every node.
    int spans = 0;
    for (const Pointer& at : places) {
      if (at.to_string().find("/span/") != std::string::npos && ++spans > 10) continue;
      mutate(program, at, tally);
    }
  }
  CHECK(tally.inputs > 1100);
  INFO(tally.accepted << " of " << tally.inputs << " accepted");
  CHECK(tally.accepted * 3 < tally.inputs);
}

TEST_CASE("ids and refs exchanged") {
  Tally tally;
  std::string text = json_of(data_file("comm_domain.msgpack"));
  for (std::string_view key : {"\"ref\":", "\"id\":"}) {
    for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
      std::size_t begin = at + key.size();
      std::size_t end = text.find_first_not_of("0123456789", begin);
      for (const char* number : {"0", "1", "7", "99999", "-3", "9223372036854775808", "1.5"}) {
        std::string changed = text;
        tally.check(changed.replace(begin, end - begin, number));
      }
    }
  }
  CHECK(tally.inputs > 300);
  INFO(tally.accepted << " of " << tally.inputs << " accepted");
  CHECK(tally.accepted * 3 < tally.inputs);
}

TEST_CASE("files cut short at every byte") {
  Tally tally;
  std::string bytes = data_file("tensor_memref.msgpack");
  std::string text = json_of(bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) tally.check(bytes.substr(0, size));
  for (std::size_t size = 0; size + 1 < text.size(); ++size) tally.check(text.substr(0, size));
  // The line end at the very end is no loss.
  CHECK(tally.accepted == 0);
}

TEST_CASE("files with one byte replaced") {
  Tally tally;
  std::string bytes = data_file("tensor_memref.msgpack");
  std::string text = json_of(bytes);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (char c : {'\x00', '\x91', '\xC1', '\xFF'}) {
      std::string changed = bytes;
      changed[at] = c;
      tally.check(changed);
    }
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (char c : {'"', '\xFF', '\\', '0'}) {
      std::string changed = text;
      changed[at] = c;
      tally.check(changed);
    }
  }
  INFO(tally.accepted << " of " << tally.inputs << " accepted");
  CHECK(tally.accepted * 3 < tally.inputs);
}

TEST_CASE("nesting without end, in every place that takes lists or maps") {
  Tally tally;
  std::string lists(1000000, '[');
  std::string nodes;
  for (int i = 0; i < 100000; ++i) nodes += R"({"type":"Neg","fields":{"operand":)";
  std::string types;
  for (int i = 0; i < 100000; ++i) types += R"({"type_kind":"TupleType","types":[)";
  for (const std::string* deep : {&lists, &nodes, &types}) {
    tally.check(*deep);
    tally.check(with_expr(*deep));
    tally.check(with_type(*deep));
    tally.check(with_attr(*deep));
  }
  CHECK(tally.accepted == 0);
}

}  // namespace
}  // namespace pyptoc::serial::testing
