// SPDX-License-Identifier: Apache-2.0
// Numbers, texts, members of enumerations, operators and spans, each with its kind and range checked.
#include <fmt/format.h>

#include "serial/read_parts.h"
#include "support/edit_distance.h"

namespace pyptoc::serial {
namespace {

namespace codes = diag::codes;

constexpr std::size_t kLongestInterned = 80;  // bytes; longer texts hardly ever occur twice

constexpr KeySet<2> kFloatKeys(std::array<std::string_view, 2>{"type", "value"});
constexpr KeySet<2> kOpKeys(std::array<std::string_view, 2>{"is_global_var", "name"});

}  // namespace

bool GraphBuilder::read_integer(uint32_t value, int64_t from, int64_t to, int64_t& out, const Where& where) {
  const Value& found = tree_[value];
  if (found.kind == ValueKind::BigInt) return out_of_range(value, from, to);
  if (found.kind != ValueKind::Int) return wrong_kind(value, "an integer", where);
  if (found.integer < from || found.integer > to) return out_of_range(value, from, to);
  out = found.integer;
  return true;
}

bool GraphBuilder::read(uint32_t value, const Where& where, int64_t& out) {
  return read_integer(value, minimum_of(where.key), std::numeric_limits<int64_t>::max(), out, where);
}

// A line or column of a span.
bool GraphBuilder::read(uint32_t value, const Where& where, int32_t& out) {
  int64_t number = 0;
  if (!read_integer(value, -1, std::numeric_limits<int32_t>::max(), number, where)) return false;
  out = static_cast<int32_t>(number);
  return true;
}

bool GraphBuilder::read(uint32_t value, const Where& where, bool& out) {
  if (tree_[value].kind != ValueKind::Bool) return wrong_kind(value, "true or false", where);
  out = tree_[value].boolean;
  return true;
}

bool GraphBuilder::read(uint32_t value, const Where& where, double& out) {
  const Value& found = tree_[value];
  if (found.kind == ValueKind::Float) {
    out = found.real;
  } else if (found.kind == ValueKind::Int) {
    out = static_cast<double>(found.integer);
  } else if (found.kind == ValueKind::BigInt) {
    out = static_cast<double>(found.big_integer);
  } else if (found.kind == ValueKind::Map) {
    return read_special_float(value, where, out);
  } else {
    return wrong_kind(value, "a number", where);
  }
  return true;
}

bool GraphBuilder::read_special_float(uint32_t map, const Where& where, double& out) {
  uint32_t tag = tree_.find(map, key_id("type"));
  if (tag == kAbsent || !tree_.is_text(tag) || tree_.text(tag) != "Float") return wrong_kind(map, "a number", where);
  uint32_t slots[2];
  bool all = gather_all(map, kFloatKeys.view(), "Float", slots);
  if (slots[1] == kAbsent) return false;
  std::string_view name = tree_.is_text(slots[1]) ? tree_.text(slots[1]) : std::string_view();
  if (name == "nan") {
    out = std::numeric_limits<double>::quiet_NaN();
  } else if (name == "inf") {
    out = std::numeric_limits<double>::infinity();
  } else if (name == "-inf") {
    out = -std::numeric_limits<double>::infinity();
  } else {
    return wrong_kind(slots[1], "`nan`, `inf` or `-inf`", {"value", "Float"});
  }
  return all;
}

bool GraphBuilder::read(uint32_t value, const Where& where, std::string_view& out) {
  if (!tree_.is_text(value)) return wrong_kind(value, "a string", where);
  std::string_view text = tree_.text(value);
  out = text.size() <= kLongestInterned ? context_.intern(text) : context_.copy_string(text);
  return true;
}

bool GraphBuilder::read(uint32_t value, const Where& where, const ir::Op*& out) {
  if (!expect_map(value, "an operator", where)) return false;
  uint32_t slots[2];
  bool all = gather_all(value, kOpKeys.view(), "op", slots);
  bool global = false;
  if (slots[0] != kAbsent) all = read(slots[0], {"is_global_var", "op"}, global) && all;
  if (slots[1] != kAbsent && !tree_.is_text(slots[1])) all = wrong_kind(slots[1], "a string", {"name", "op"});
  if (all) out = context_.op(tree_.text(slots[1]), global);
  return all;
}

bool GraphBuilder::read_span(uint32_t value, uint32_t node, const ir::Span*& out) {
  ir::Span made;
  made.offset = tree_[node].offset;
  bool read_well = true;
  if (value == kMisspelt) {
    read_well = false;
  } else if (value != kAbsent && tree_[value].kind == ValueKind::Span) {
    SpanValue span = tree_.span(value);
    std::string_view filename = tree_.input_text(span.filename);
    made.filename = origin_ != nullptr && origin_->filename == filename ? origin_->filename : context_.intern(filename);
    made.begin_line = span.begin_line;
    made.begin_column = span.begin_column;
    made.end_line = span.end_line;
    made.end_column = span.end_column;
  } else if (value != kAbsent) {
    uint32_t slots[kPartCount<SpanLayout>];
    if (!expect_map(value, "a map", {"span", "node"})) {
      read_well = false;
    } else {
      read_well = gather(value, MapKeysOf<SpanLayout>::kValue, "span", slots);
      read_well = read_parts<SpanLayout>(made, slots, "span", value) && read_well;
    }
  }
  out = context_.span(made);
  return read_well;
}

bool GraphBuilder::read_member(uint32_t value, std::span<const ir::EnumRow> rows, std::string_view what, bool by_name,
                               const Where& where, int64_t& out) {
  const Value& found = tree_[value];
  if (found.kind == ValueKind::Int && !by_name) {
    for (const ir::EnumRow& row : rows) {
      if (row.number != found.integer) continue;
      out = row.number;
      return true;
    }
  } else if (tree_.is_text(value)) {
    std::string_view text = tree_.text(value);
    for (const ir::EnumRow& row : rows) {
      if (row.name != text) continue;
      out = row.number;
      return true;
    }
  } else if (found.kind != ValueKind::BigInt) {
    return wrong_kind(value, fmt::format("the {} of {} {}", by_name ? "name" : "number or name", article(what), what),
                      where);
  }
  return unknown_member(value, rows, what, by_name);
}

bool GraphBuilder::unknown_member(uint32_t value, std::span<const ir::EnumRow> rows, std::string_view what,
                                  bool by_name) {
  constexpr std::size_t kListed = 10;  // members that a help can show
  const Value& found = tree_[value];
  std::string name = tree_.is_text(value)              ? std::string(tree_.text(value))
                     : found.kind == ValueKind::BigInt ? std::to_string(found.big_integer)
                                                       : std::to_string(found.integer);
  auto report = diagnostics_.report(codes::unknown_enum_value, place(value), what, name);
  std::vector<std::string_view> names;
  for (const ir::EnumRow& row : rows) names.push_back(row.name);
  if (auto meant = tree_.is_text(value) ? support::closest(name, names) : std::nullopt) {
    report.help(fmt::format("did you mean `{}`?", *meant));
  } else if (rows.size() <= kListed) {
    std::string list;
    for (const ir::EnumRow& row : rows)
      list += fmt::format("{}{}", list.empty() ? "" : ", ",
                          by_name ? fmt::format("`{}`", row.name) : fmt::format("{} `{}`", row.number, row.name));
    report.help(fmt::format("there are {}", list));
  }
  return false;
}

}  // namespace pyptoc::serial
