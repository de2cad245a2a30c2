// SPDX-License-Identifier: Apache-2.0
// What occurs in a piece of a program, kept in its node: a pass that looks for something knows without a walk that it
// is not there. Most functions of a large program hold little of what most passes are for.
#pragma once

#include <cstdint>

namespace pyptoc::ir {

enum class Content : uint16_t {
  FunctionCall = 1 << 0,  // a Call or Submit of a function of the program
  Submit = 1 << 1,
  // A value of a DistributedTensorType, WindowBufferType or CommCtxType, or an operator of distributed programs
  // (collectives too), which are those named pld.*, dist.* and builtin.*.
  Window = 1 << 2,
  ElementWrite = 1 << 3,  // tensor.write
  ElementRead = 1 << 4,   // tensor.read
  Loop = 1 << 5,          // ForStmt, WhileStmt
  Branch = 1 << 6,        // IfStmt
  Scope = 1 << 7,         // any ScopeStmt
  Array = 1 << 8,         // a value of an ArrayType
  Pipe = 1 << 9,          // tiles handed to the other core of a cluster: tile.tpush_*, tile.tpop_*, and its set-up
  Width = 1 << 10,        // a Call or Submit that says how many blocks run (core_num)
  Assemble = 1 << 11,     // tensor.assemble
  Cube = 1 << 12,         // what may be the cube core's: an operator that is not the vector core's alone, cube memory
  // A scalar that is computed or gets a name, an element of a tuple; in the extents that types name too.
  Scalar = 1 << 13,
};

// A set of them. That of a node covers the node, all below it and the types of values, but not what those types name,
// unless said otherwise above; Context::make computes it.
class Contents {
 public:
  constexpr Contents() = default;
  constexpr Contents(Content one) : bits_(static_cast<uint16_t>(one)) {}  // NOLINT(google-explicit-constructor)
  constexpr bool has(Content one) const { return (bits_ & static_cast<uint16_t>(one)) != 0; }
  constexpr bool has_any(Contents of) const { return (bits_ & of.bits_) != 0; }
  constexpr Contents& operator|=(Contents more) {
    bits_ = static_cast<uint16_t>(bits_ | more.bits_);
    return *this;
  }
  friend constexpr Contents operator|(Contents a, Contents b) { return a |= b; }
  friend constexpr bool operator==(Contents a, Contents b) = default;

 private:
  uint16_t bits_ = 0;
};
constexpr Contents operator|(Content a, Content b) {
  return Contents(a) | Contents(b);
}

}  // namespace pyptoc::ir
