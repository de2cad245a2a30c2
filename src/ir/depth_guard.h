// SPDX-License-Identifier: Apache-2.0
// The checked limit of every recursion over the IR, whose depth the input decides.
#pragma once

#include <stdexcept>

namespace pyptoc::ir {

// Deeper nesting than a walk can follow on an ordinary stack. Readers refuse such files; passes can still produce such
// IR by inlining, and then the pass runner turns this into a diagnostic.
class NestingTooDeep : public std::runtime_error {
 public:
  NestingTooDeep() : std::runtime_error("nesting too deep") {}
};

inline constexpr int kMaxNesting = 1000;  // nested nodes; about 1 MB of stack, 16 with sanitizers

class DepthGuard {
 public:
  explicit DepthGuard(int& depth) : depth_(depth) {
    if (++depth_ > kMaxNesting) {
      --depth_;
      throw NestingTooDeep();
    }
  }
  ~DepthGuard() { --depth_; }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;

 private:
  int& depth_;
};

}  // namespace pyptoc::ir
