// SPDX-License-Identifier: Apache-2.0
// What the renderers ask about the files behind the places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyptoc::diag {

// A byte offset of the input file, made readable.
struct InputPosition {
  std::int64_t line = -1;        // 1-based; -1 for binary input or when unknown
  std::int64_t column = -1;      // 1-based, in characters
  std::string ir_path;           // `$.functions[4].value`; empty when unknown
  std::string text;              // the line, or, of a long one, the part around the column; empty when there is none
  std::int64_t text_column = 1;  // column of the first character of `text`
  bool cut_before = false;       // the line goes on to the left
  bool cut_after = false;        // the line goes on to the right
};

// The default answers are those of a provider that can read nothing.
class SourceProvider {
 public:
  virtual ~SourceProvider() = default;
  // One line, 1-based, of a Python source without its line end; nothing when the file is not readable or too short.
  virtual std::optional<std::string> origin_line(std::string_view filename, int line);
  virtual InputPosition locate(std::uint32_t offset);
  // As the user wrote it; `<stdin>` for `-`.
  virtual std::string_view input_name();
};

// Lines and columns of one text, for locate(). Builds its table on first use, and then looks at a few kilobytes per
// query, however long the text and its lines are. The text must outlive it.
class TextIndex {
 public:
  explicit TextIndex(std::string_view text) : text_(text) {}
  // Everything but `ir_path`. An offset beyond the end means the end.
  InputPosition position(std::uint32_t offset);

 private:
  // A place between two characters and what is known there.
  struct Mark {
    std::size_t offset = 0;
    std::size_t line_start = 0;
    std::int64_t line = 1;
    std::int64_t column = 1;
  };
  void build();
  void step(Mark& mark) const;
  InputPosition around(const Mark& mark) const;

  std::string_view text_;
  std::vector<Mark> marks_;  // one per kStride bytes
};

}  // namespace pyptoc::diag
