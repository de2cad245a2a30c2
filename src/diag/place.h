// SPDX-License-Identifier: Apache-2.0
// Where in the user's sources or in the input file a diagnostic points.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace pyptoc::diag {

// Borrowed form, cheap to make from an IR node. The Python origin has 1-based lines and 1-based columns counted in
// characters; the end column is the one after the last character; -1 is unknown, and some know only their beginning.
struct Place {
  static constexpr std::uint32_t kNoOffset = std::numeric_limits<std::uint32_t>::max();

  std::string_view filename = {};  // empty: the origin is unknown
  std::int32_t begin_line = -1;
  std::int32_t begin_column = -1;
  std::int32_t end_line = -1;
  std::int32_t end_column = -1;
  std::uint32_t offset = kNoOffset;  // byte offset in the input file of the node or of the syntax fault
  bool syntax = false;               // the offset itself is the place: show its line and column in the input file
  std::uint32_t end_offset = kNoOffset;
};

// A diagnostic about no place at all, such as one about the command line.
inline constexpr Place kNowhere{};

// The same with its own copy of the name, because diagnostics outlive the arena of the IR.
struct OwnedPlace {
  std::string filename;
  std::int32_t begin_line = -1;
  std::int32_t begin_column = -1;
  std::int32_t end_line = -1;
  std::int32_t end_column = -1;
  std::uint32_t offset = Place::kNoOffset;
  bool syntax = false;
  std::uint32_t end_offset = Place::kNoOffset;

  OwnedPlace() = default;
  explicit OwnedPlace(const Place& place)
      : filename(place.filename),
        begin_line(place.begin_line),
        begin_column(place.begin_column),
        end_line(place.end_line),
        end_column(place.end_column),
        offset(place.offset),
        syntax(place.syntax),
        end_offset(place.end_offset) {}

  bool operator==(const OwnedPlace&) const = default;

  bool has_offset() const { return offset != Place::kNoOffset; }
  bool has_origin() const { return !syntax && !filename.empty(); }
  bool nowhere() const { return !has_offset() && filename.empty(); }
};

}  // namespace pyptoc::diag
