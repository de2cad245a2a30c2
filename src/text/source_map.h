// SPDX-License-Identifier: Apache-2.0
// Lines and columns of byte offsets in a text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace pyptoc::text {

struct LineColumn {
  int32_t line = 1;    // 1-based
  int32_t column = 1;  // 1-based, in characters
};

// Fast for queries that stay near each other, as those of a parser do.
class SourceMap {
 public:
  explicit SourceMap(std::string_view text);
  LineColumn at(uint32_t offset);
  uint32_t line_begin(uint32_t offset);

 private:
  void seek(uint32_t offset);

  std::string_view text_;
  std::vector<uint32_t> starts_;  // of lines, and one beyond the end
  bool ascii_ = true;
  size_t line_ = 0;
  // The last answer on a line that is not ASCII.
  uint32_t counted_to_ = 0;
  int32_t characters_ = 0;
};

}  // namespace pyptoc::text
