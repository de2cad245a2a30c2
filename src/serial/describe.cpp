// SPDX-License-Identifier: Apache-2.0
// What the graph builder says about values that it cannot take.
#include <fmt/format.h>

#include "serial/graph_builder.h"

namespace pyptoc::serial {
namespace {

namespace codes = diag::codes;

constexpr std::size_t kShownText = 40;  // bytes of a string that a message shows

std::string shortened(std::string_view text) {
  if (text.size() <= kShownText) return std::string(text);
  std::size_t end = kShownText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return fmt::format("{}…", text.substr(0, end));
}

}  // namespace

std::string_view article(std::string_view noun) {
  return std::string_view("AEIOUaeiou").find(noun[0]) == std::string_view::npos ? "a" : "an";
}

std::string Where::words() const {
  return key.empty() ? "at the top" : fmt::format("{} `{}` of `{}`", element ? "in" : "as", key, owner);
}

diag::Place GraphBuilder::place(uint32_t value) const {
  diag::Place place = origin_ != nullptr ? origin_->place() : diag::Place();
  place.offset = tree_[value].offset;
  return place;
}

bool GraphBuilder::wrong_kind(uint32_t value, std::string_view what, const Where& where) {
  if (tree_[value].kind == ValueKind::Faulty) return false;
  diagnostics_.report(codes::wrong_kind, place(value), what, where.words(), describe(value));
  return false;
}

bool GraphBuilder::out_of_range(uint32_t value, int64_t from, int64_t to) {
  const Value& found = tree_[value];
  diagnostics_.report(
      codes::integer_out_of_range, place(value), std::to_string(from), std::to_string(to),
      found.kind == ValueKind::BigInt ? std::to_string(found.big_integer) : std::to_string(found.integer));
  return false;
}

void GraphBuilder::missing(std::string_view key, std::string_view owner, uint32_t map) {
  diagnostics_.report(codes::missing_field, place(map), key, owner);
}

std::string GraphBuilder::describe(uint32_t value) const {
  const Value& found = tree_[value];
  switch (found.kind) {
    case ValueKind::Null:
      return "null";
    case ValueKind::Bool:
      return found.boolean ? "true" : "false";
    case ValueKind::Int:
      return fmt::format("the integer {}", found.integer);
    case ValueKind::BigInt:
      return fmt::format("the integer {}", found.big_integer);
    case ValueKind::Float:
      return fmt::format("the number {}", found.real);
    case ValueKind::Text:
    case ValueKind::DecodedText:
      return fmt::format("the string `{}`", shortened(tree_.text(value)));
    case ValueKind::List:
      return found.count == 0 ? "an empty list" : "a list";
    case ValueKind::Map:
      return describe_map(value);
    case ValueKind::Span:
      return "a span";
    case ValueKind::Faulty:
      break;
  }
  return "a faulty value";
}

std::string GraphBuilder::describe_map(uint32_t map) const {
  if (tree_[map].next == map + 1) return "an empty map";
  if (tree_.find(map, key_id("ref")) != 0) return "a ref";
  for (KeyId key : {key_id("type"), key_id("type_kind")}) {
    uint32_t name = tree_.find(map, key);
    if (name == 0 || !tree_.is_text(name) || tree_.text(name).empty()) continue;
    std::string_view text = tree_.text(name);
    std::string shown = shortened(text);
    if (key == key_id("type_kind")) return fmt::format("the type `{}`", shown);
    if (tree_.find(map, key_id("fields")) != 0) return fmt::format("{} `{}` node", article(text), shown);
    return fmt::format("{} `{}` value", article(text), shown);
  }
  return "a map";
}

}  // namespace pyptoc::serial
