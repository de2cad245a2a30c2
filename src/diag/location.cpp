// SPDX-License-Identifier: Apache-2.0
// Asking the source provider about a place, and putting the answer into words.
#include "diag/location.h"

#include <fmt/core.h>

#include <utility>

namespace pyptoc::diag {
namespace {

// Longer lines of a Python source are cut before anything looks at their characters.
constexpr std::size_t kLongestOriginLine = 1U << 16U;

std::string with_line_and_column(std::string_view file, std::int64_t line, std::int64_t column) {
  if (line < 1) {
    return std::string(file);
  }
  return column < 1 ? fmt::format("{}:{}", file, line) : fmt::format("{}:{}:{}", file, line, column);
}

std::optional<MarkedLine> origin_excerpt(const OwnedPlace& place, SourceProvider& sources) {
  if (place.begin_line < 1) {
    return std::nullopt;
  }
  std::optional<std::string> text = sources.origin_line(place.filename, place.begin_line);
  if (!text) {
    return std::nullopt;
  }
  MarkedLine line;
  line.number = place.begin_line;
  line.cut_after = text->size() > kLongestOriginLine;
  if (line.cut_after) {
    text->resize(kLongestOriginLine);
  }
  line.text = *std::move(text);
  line.begin = place.begin_column;
  line.end = place.end_line == place.begin_line ? place.end_column : -1;
  line.to_line_end = place.end_line > place.begin_line;
  return line;
}

std::optional<MarkedLine> syntax_excerpt(const Location& location, const OwnedPlace& place) {
  const InputPosition& position = *location.input;
  if (position.line < 1 || position.text.empty()) {
    return std::nullopt;
  }
  MarkedLine line;
  line.number = position.line;
  line.text = position.text;
  line.text_column = position.text_column;
  line.cut_before = position.cut_before;
  line.cut_after = position.cut_after;
  line.begin = position.column;
  // An input fault of unknown extent is one character, not the word that it is in.
  line.end = location.input_end_line == position.line ? location.input_end_column : position.column + 1;
  line.to_line_end = place.end_offset != Place::kNoOffset && location.input_end_line > position.line;
  return line;
}

std::string describe_input(const Location& location, const OwnedPlace& place) {
  std::string text(location.input_name);
  if (!location.input) {
    return text;
  }
  const bool show_line = place.syntax || location.input->ir_path.empty();
  if (show_line && location.input->line > 0) {
    text = with_line_and_column(text, location.input->line, location.input->column);
  }
  if (!location.input->ir_path.empty()) {
    text += show_line && location.input->line > 0 ? fmt::format(" ({})", location.input->ir_path)
                                                  : fmt::format(" {}", location.input->ir_path);
  }
  if (show_line && location.input->line < 1) {
    text += fmt::format(" (byte {})", place.offset);
  }
  return text;
}

}  // namespace

Location resolve(const OwnedPlace& place, SourceProvider& sources, bool with_excerpt) {
  Location location;
  if (place.nowhere() && !place.syntax) {
    return location;
  }
  if (place.has_offset() || place.syntax) {
    location.input_name = sources.input_name();
  }
  if (place.has_offset()) {
    location.input = sources.locate(place.offset);
    if (place.end_offset != Place::kNoOffset) {
      const InputPosition end = sources.locate(place.end_offset);
      location.input_end_line = end.line;
      location.input_end_column = end.column;
    }
  }
  if (place.has_origin()) {
    location.file = place.filename;
    location.line = place.begin_line;
    location.column = place.begin_column;
    location.in_origin = true;
    if (with_excerpt) {
      location.excerpt = origin_excerpt(place, sources);
    }
    return location;
  }
  location.file = location.input_name;
  if (location.input) {
    location.line = location.input->line;
    location.column = location.input->column;
    if (with_excerpt && place.syntax) {
      location.excerpt = syntax_excerpt(location, place);
    }
  }
  return location;
}

std::string describe_briefly(const Location& location, const OwnedPlace& place) {
  return location.in_origin ? with_line_and_column(location.file, location.line, location.column)
                            : describe_input(location, place);
}

std::string describe(const Location& location, const OwnedPlace& place) {
  std::string text = describe_briefly(location, place);
  if (location.in_origin && !location.input_name.empty()) {
    text += fmt::format(" ({})", describe_input(location, place));
  }
  return text;
}

}  // namespace pyptoc::diag
