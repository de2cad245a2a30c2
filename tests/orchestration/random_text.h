// SPDX-License-Identifier: Apache-2.0
// What generators of random orchestrations have in common: choices by a seed, names, lines.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace pyptoc::orchestration {

class RandomText {
 protected:
  using Names = std::vector<std::string>;

  explicit RandomText(uint32_t seed) : random_(seed) {}

  size_t pick(size_t n) { return random_() % n; }
  bool chance(size_t percent) { return pick(100) < percent; }
  const std::string& any(const Names& names) { return names[pick(names.size())]; }
  std::string fresh(const char* prefix) { return prefix + std::to_string(++count_); }
  void line(int depth, const std::string& text) {
    text_ += std::string(static_cast<size_t>(depth) * 4, ' ') + text + "\n";
  }
  // Another tensor than `not_this`, so that a kernel gets two names.
  std::string other(const Names& tensors, const std::string& not_this) {
    for (int i = 0; i < 20; ++i)
      if (const std::string& one = any(tensors); one != not_this) return one;
    return not_this == "x" ? "y" : "x";
  }

  std::string text_;

 private:
  std::mt19937 random_;
  int count_ = 0;
};

}  // namespace pyptoc::orchestration
