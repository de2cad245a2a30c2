// SPDX-License-Identifier: Apache-2.0
// A place with everything that the source provider knows about it; shared by all renderers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "diag/place.h"
#include "diag/source.h"

namespace pyptoc::diag {

// Part of one line. Columns count characters from 1; `end` is the one after the last.
struct MarkedLine {
  std::int64_t number = -1;
  std::string text;              // raw
  std::int64_t text_column = 1;  // column of the first character of `text`
  bool cut_before = false;
  bool cut_after = false;
  std::int64_t begin = -1;   // -1: nothing to mark
  std::int64_t end = -1;     // at most `begin`: unknown
  bool to_line_end = false;  // the marked part goes on in later lines
};

struct Location {
  std::string file;  // where people look first: the Python file, or the input; empty for no place at all
  std::int64_t line = -1;
  std::int64_t column = -1;
  bool in_origin = false;              // `file` is the Python source
  std::string_view input_name;         // empty when the place has no offset
  std::optional<InputPosition> input;  // of the offset
  std::int64_t input_end_line = -1;
  std::int64_t input_end_column = -1;
  std::optional<MarkedLine> excerpt;

  std::string_view ir_path() const { return input ? std::string_view(input->ir_path) : std::string_view(); }
};

Location resolve(const OwnedPlace& place, SourceProvider& sources, bool with_excerpt);

// `moe.py:41:16 (prog.json $.functions[4])`, `prog.json:3:7`, `prog.json $.functions[4]`; raw text.
std::string describe(const Location& location, const OwnedPlace& place);
// `moe.py:41:16`, or as above when the origin is unknown.
std::string describe_briefly(const Location& location, const OwnedPlace& place);

}  // namespace pyptoc::diag
