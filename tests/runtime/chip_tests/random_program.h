// SPDX-License-Identifier: Apache-2.0
// Random chip programs with collectives, together with what they mean: each statement is written as text and as a
// function that does on all ranks, one rank after the other, what the text says.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace chip_tests {

// Memory of all ranks while a program is interpreted. Buffers of a chip program are numbered.
struct Machine {
  using Buffer = std::vector<int32_t>;
  std::vector<std::vector<Buffer>> ranks;  // [rank][buffer]
  std::vector<int64_t> scalars;            // `n`, `k`, variables of loops

  Buffer& at(size_t rank, int buffer) { return ranks[rank][static_cast<size_t>(buffer)]; }
};
using Actions = std::vector<std::function<void(Machine&)>>;

// Elements are whole numbers in all of them. What tasks compute in floats stays below kFloatLimit, so that the sum of
// what a few ranks have is exact.
enum class ElementType { kInt32, kInt16, kInt8, kFloat, kHalf, kBfloat };
inline constexpr int kElementTypes = 6;
inline constexpr int32_t kFloatLimit = 61;
inline bool is_float(ElementType type) {
  return type >= ElementType::kFloat;
}

struct RandomProgram {
  ElementType type = ElementType::kInt32;
  int ranks = 2;
  int64_t n = 0;      // host scalars
  int64_t width = 1;  // core_num
  std::string text;
  Actions actions;
  Machine start;  // buffers 0, 1 and 2 are the host's tensors xs, ys and zs, [ranks, ranks, columns]
};

RandomProgram random_program(uint64_t seed);

}  // namespace chip_tests
