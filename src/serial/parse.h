// SPDX-License-Identifier: Apache-2.0
// From bytes to the tree of their values.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "diag/engine.h"
#include "serial/value_tree.h"

namespace pyptoc::serial {

enum class Encoding : uint8_t { Json, MessagePack, Unknown };

// By the first byte that is no space: a JSON value, or a map or list of MessagePack.
Encoding encoding_of(std::string_view bytes);

struct IdEntry {
  int64_t id;
  uint32_t map;  // the value that has it
};

struct ParseOptions {
  uint32_t max_nesting = 512;
  std::size_t max_errors = 1000;
};

// Fills an empty tree from its input. False when reading stopped at an error, which `diagnostics` then has; the tree
// holds what came before. Duplicate keys and numbers out of range are reported and read past. `ids` gets every map with
// an integer called `id`.
bool parse_values(Encoding encoding, const ParseOptions& options, diag::Engine& diagnostics, ValueTree& tree,
                  std::vector<IdEntry>& ids);

}  // namespace pyptoc::serial
