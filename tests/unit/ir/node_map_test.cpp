// SPDX-License-Identifier: Apache-2.0
// Maps keyed by nodes, against an ordinary map; and the rows that their places must not make.
#include "ir/node_map.h"

#include <catch2/catch.hpp>
#include <deque>
#include <map>

#include "ir/epoch_map.h"
#include "ir/stmt.h"

namespace pyptoc::ir {
namespace {

class Nodes {
 public:
  const Node* make(uint32_t serial) {
    Node& node = nodes_.emplace_back();
    node.kind = NodeKind::BreakStmt;
    node.serial = serial;
    return &node;
  }

 private:
  std::deque<Node> nodes_;
};

TEST_CASE("a map of nodes holds what was put into it") {
  Nodes nodes;
  for (uint32_t stride : {1u, 2u, 3u, 4u, 7u, 64u, 1000u, 4096u, 65536u}) {
    INFO("numbers " << stride << " apart");
    NodeMap<int> map;
    EpochMap<int> epochs;
    std::map<const Node*, int> expected;
    epochs.insert(nodes.make(5), -1);
    epochs.forget();
    for (int i = 0; i < 3000; ++i) {
      const Node* key = nodes.make(1 + static_cast<uint32_t>(i) * stride);
      expected[key] = i;
      CHECK(map.insert(key, i));
      CHECK_FALSE(map.insert(key, -1));
      CHECK(epochs.insert(key, 0));
      epochs[key] = i;
    }
    CHECK(map.size() == expected.size());
    for (const auto& [key, value] : expected) {
      REQUIRE(map.find(key) != nullptr);
      CHECK(*map.find(key) == value);
      REQUIRE(epochs.find(key) != nullptr);
      CHECK(*epochs.find(key) == value);
      const Node* twin = nodes.make(key->serial);  // of another Context
      CHECK(map.find(twin) == nullptr);
      CHECK(epochs.find(twin) == nullptr);
    }
    epochs.forget();
    CHECK(epochs.find(expected.begin()->first) == nullptr);
  }
}

// With the place at the number itself, nodes of two phases whose numbers are the table's size apart made one row as
// long as a phase, and each search for one of the second phase, or for a node of neither, went along it.
TEST_CASE("numbers that a table's size lies between do not make long rows") {
  constexpr uint32_t kPhase = 4096;
  constexpr size_t kSize = 4 * kPhase;  // of a table with room for two phases, half full
  std::vector<int> taken(kSize, 0);
  Nodes nodes;
  size_t longest = 0;
  for (uint32_t first : {uint32_t{0}, static_cast<uint32_t>(kSize)}) {
    for (uint32_t i = 0; i < kPhase; ++i) {
      size_t at = place_in_table(nodes.make(first + i)) % kSize;
      size_t passed = 0;
      for (; taken[at] != 0; at = (at + 1) % kSize) ++passed;
      taken[at] = 1;
      longest = std::max(longest, passed);
    }
  }
  CHECK(longest < 1024);
  size_t steps = 0;
  for (uint32_t i = 0; i < kPhase; ++i)
    for (size_t at = place_in_table(nodes.make(7 * kSize + i)) % kSize; taken[at] != 0; at = (at + 1) % kSize) ++steps;
  CHECK(steps / kPhase < 256);
}

}  // namespace
}  // namespace pyptoc::ir
