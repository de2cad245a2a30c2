// SPDX-License-Identifier: Apache-2.0
// The values of an input in preorder, 24 bytes each: what reading builds the IR from, and what paths are
// found in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "serial/keys.h"

namespace pyptoc::serial {

enum class ValueKind : uint8_t {
  Null,
  Bool,
  Int,
  BigInt,  // above the signed 64-bit range
  Float,
  Text,         // stands in the input as it is
  DecodedText,  // had escapes
  List,
  Map,
  Span,    // a well-formed span; the next value holds its numbers
  Faulty,  // reported already
};

// How far building the node of a map has come.
enum class NodeState : uint8_t { Untouched, InWork, Made, Failed };

struct TextRange {
  uint32_t begin;
  uint32_t size;
};

struct Value {
  uint32_t offset;  // of the first byte in the input
  uint32_t next;    // the value after this one and everything in it
  KeyId key;        // in the map around it
  ValueKind kind;
  NodeState state;  // of a map that is a node
  uint16_t height;  // of a node that is made: nodes on the longest way down, itself included
  union {
    int64_t integer;
    uint64_t big_integer;
    double real;
    bool boolean;
    TextRange text;
    uint64_t count;        // entries of a list or map
    const ir::Node* node;  // of a map whose node is made
  };
};
static_assert(sizeof(Value) == 24);

// A span that has all its parts; it takes two values instead of six, since every node has one.
struct SpanValue {
  TextRange filename;
  int32_t begin_line;
  int32_t begin_column;
  int32_t end_line;
  int32_t end_column;
};

class ValueTree {
 public:
  explicit ValueTree(std::string_view input) : input_(input) {}

  std::string_view input() const { return input_; }
  uint32_t size() const { return size_; }
  Value& operator[](uint32_t index) { return chunks_[index >> kChunkBits][index & (kChunkSize - 1)]; }
  const Value& operator[](uint32_t index) const { return chunks_[index >> kChunkBits][index & (kChunkSize - 1)]; }

  // Appends a value that ends where the next one begins.
  uint32_t append(ValueKind kind, uint32_t offset, KeyId key) {
    if ((size_ & (kChunkSize - 1)) == 0 && (size_ >> kChunkBits) == chunks_.size()) add_chunk();
    uint32_t index = size_++;
    Value& value = (*this)[index];
    value.offset = offset;
    value.next = size_;
    value.key = key;
    value.kind = kind;
    value.state = NodeState::Untouched;
    value.height = 0;
    value.big_integer = 0;
    return index;
  }

  bool is_text(uint32_t index) const {
    return (*this)[index].kind == ValueKind::Text || (*this)[index].kind == ValueKind::DecodedText;
  }
  // Valid as long as the input and the tree.
  std::string_view text(uint32_t index) const {
    const Value& value = (*this)[index];
    std::string_view from = value.kind == ValueKind::DecodedText ? std::string_view(decoded_) : input_;
    return from.substr(value.text.begin, value.text.size);
  }
  std::string_view input_text(TextRange range) const { return input_.substr(range.begin, range.size); }
  TextRange keep_decoded(std::string_view text);

  // Turns the map, the last value so far, into a Span when that loses nothing. Call when it is complete.
  void shorten_span(uint32_t map);
  SpanValue span(uint32_t index) const;

  // The entry of a map, or 0: the root is no entry.
  uint32_t find(uint32_t map, KeyId key) const;
  KeyTable& keys() { return keys_; }
  std::string_view key_text(uint32_t index) const { return keys_.text((*this)[index].key); }

 private:
  void add_chunk();

  // Chunks, because growing one array would need the memory twice.
  static constexpr uint32_t kChunkBits = 14;
  static constexpr uint32_t kChunkSize = 1U << kChunkBits;

  std::string_view input_;
  std::vector<std::unique_ptr<Value[]>> chunks_;
  uint32_t size_ = 0;
  std::string decoded_;
  KeyTable keys_;
};

}  // namespace pyptoc::serial
