// SPDX-License-Identifier: Apache-2.0
// Map keyed by the functions of a program.
#pragma once

#include <deque>
#include <vector>

#include "ir/op.h"

namespace pyptoc::ir {

// The key is Function::op, which is the operator of the function's calls too: a function and what a pass makes of it
// under the same name are one key. Operators of one Context only. References stay valid.
template <class V>
class FunctionMap {
 public:
  const V* find(const Op* op) const {
    const uint32_t place = op->function < places_.size() ? places_[op->function] : 0;
    return place != 0 ? &values_[place - 1] : nullptr;
  }
  V* find(const Op* op) { return const_cast<V*>(static_cast<const FunctionMap*>(this)->find(op)); }
  bool contains(const Op* op) const { return find(op) != nullptr; }
  V& operator[](const Op* op) {
    if (op->function >= places_.size()) places_.resize(op->function + 1 + places_.size() / 2, 0);
    uint32_t& place = places_[op->function];
    if (place == 0) {
      values_.emplace_back();
      place = static_cast<uint32_t>(values_.size());
    }
    return values_[place - 1];
  }
  bool empty() const { return values_.empty(); }

 private:
  std::vector<uint32_t> places_;  // by Op::function: place in values_ + 1
  std::deque<V> values_;
};

}  // namespace pyptoc::ir
