// SPDX-License-Identifier: Apache-2.0
// Keyword arguments and attributes: keys are free, the kinds of values are not.
#include <fmt/format.h>

#include <algorithm>

#include "ir/op_table.h"
#include "serial/read_parts.h"
#include "support/edit_distance.h"

namespace pyptoc::serial {
namespace {

namespace codes = diag::codes;

constexpr std::array kTagNames = {
#define PYPTOC_KIND(K) std::string_view(#K),
    PYPTOC_ATTR_TAGS(PYPTOC_KIND)
#undef PYPTOC_KIND
        std::string_view("Float")};

constexpr ir::AttrKind kind_of_tag(std::size_t index) {
  return index + 1 == kTagNames.size()
             ? ir::AttrKind::Float
             : static_cast<ir::AttrKind>(index + static_cast<std::size_t>(ir::AttrKind::DataType));
}

constexpr KeySet<2> kEntryKeys(std::array<std::string_view, 2>{"key", "value"});
constexpr KeySet<2> kTaggedKeys(std::array<std::string_view, 2>{"type", "value"});
constexpr KeySet<2> kDataTypeKeys(std::array<std::string_view, 2>{"type", "code"});

constexpr std::string_view kPlainOrTagged = "an integer, true, false, a float, a string or a tagged map";

}  // namespace

bool GraphBuilder::read(uint32_t value, const Where& where, ir::List<ir::Attr>& out) {
  const Value& list = tree_[value];
  if (list.kind != ValueKind::List) return wrong_kind(value, "a list", where);
  std::vector<ir::Attr> attrs;
  attrs.reserve(list.count);
  bool all = true;
  for (uint32_t entry = value + 1; entry < list.next; entry = tree_[entry].next)
    all = read_attr(entry, where.entry(), attrs.emplace_back()) && all;
  if (all) out = context_.list(attrs);
  return all;
}

bool GraphBuilder::read_attr(uint32_t value, const Where& where, ir::Attr& out) {
  if (!expect_map(value, "a map of `key` and `value`", where)) return false;
  uint32_t slots[2];
  bool all = gather_all(value, kEntryKeys.view(), where.key, slots);
  if (slots[0] != kAbsent) all = read(slots[0], {"key", where.key}, out.key) && all;
  if (slots[1] == kAbsent) return false;
  Where inside{out.key.empty() ? std::string_view("value") : out.key, where.key};
  return read_attr_value(slots[1], inside, out.value) && all;
}

bool GraphBuilder::read_attr_value(uint32_t value, const Where& where, ir::AttrValue& out) {
  const Value& found = tree_[value];
  switch (found.kind) {
    case ValueKind::Int:
      out = ir::AttrValue::of_int(found.integer);
      return true;
    case ValueKind::BigInt: {
      // The front end has no such integers; it writes floats that are whole numbers this way.
      auto real = static_cast<double>(found.big_integer);
      if (real >= 0x1p64 || static_cast<uint64_t>(real) != found.big_integer)
        return out_of_range(value, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max());
      out = ir::AttrValue::of_float(real);
      return true;
    }
    case ValueKind::Float:
      out = ir::AttrValue::of_float(found.real);
      return true;
    case ValueKind::Bool:
      out = ir::AttrValue::of_bool(found.boolean);
      return true;
    case ValueKind::Text:
    case ValueKind::DecodedText: {
      std::string_view text;
      if (!read(value, where, text)) return false;
      out = ir::AttrValue::of_string(text);
      return true;
    }
    case ValueKind::Map:
      break;
    default:
      return wrong_kind(value, kPlainOrTagged, where);
  }
  uint32_t tag = tree_.find(value, key_id("type"));
  if (tag == kAbsent || tree_.find(value, key_id("fields")) != kAbsent) {
    wrong_kind(value, kPlainOrTagged, where);
    return false;
  }
  return read_tagged(value, tag, where, out);
}

ir::List<ir::Attr> GraphBuilder::with_due_floats(const ir::Op* op, ir::List<ir::Attr> kwargs) {
  auto is_due = [&](const ir::Attr& attr) {
    const ir::Keyword* keyword =
        attr.value.kind() == ir::AttrKind::Int ? ir::op_info(op->id).keyword(attr.key) : nullptr;
    return keyword != nullptr && keyword->kind == ir::KeywordKind::Float;
  };
  if (std::none_of(kwargs.begin(), kwargs.end(), is_due)) return kwargs;
  std::vector<ir::Attr> out(kwargs.begin(), kwargs.end());
  for (ir::Attr& attr : out)
    if (is_due(attr)) attr.value = ir::AttrValue::of_float(static_cast<double>(attr.value.as_int()));
  return context_.list(out);
}

bool GraphBuilder::read_tagged(uint32_t value, uint32_t tag, const Where& where, ir::AttrValue& out) {
  if (!tree_.is_text(tag)) return wrong_kind(tag, "a string", {"type", where.key});
  std::string_view name = tree_.text(tag);
  const auto* found = std::find(kTagNames.begin(), kTagNames.end(), name);
  if (found == kTagNames.end()) {
    auto report = diagnostics_.report(codes::unknown_tag, place(tag), name);
    auto meant = support::closest(name, kTagNames);
    report.help(meant ? fmt::format("did you mean `{}`?", *meant)
                      : fmt::format("there are `{}`", fmt::join(kTagNames, "`, `")));
    return false;
  }
  ir::AttrKind kind = kind_of_tag(static_cast<std::size_t>(found - kTagNames.begin()));
  const KeySet<2>& keys = kind == ir::AttrKind::DataType ? kDataTypeKeys : kTaggedKeys;
  uint32_t slots[2];
  if (kind == ir::AttrKind::Float) {
    double real = 0;
    if (!read_special_float(value, where, real)) return false;
    out = ir::AttrValue::of_float(real);
    return true;
  }
  bool all = gather_all(value, keys.view(), *found, slots);
  if (slots[1] == kAbsent) return false;
  return read_tagged_content(kind, slots[1], {keys.names[1], *found}, out) && all;
}

bool GraphBuilder::read_tagged_content(ir::AttrKind kind, uint32_t content, const Where& where, ir::AttrValue& out) {
  auto member = [&]<class E>(E number) {
    if (!read(content, where, number)) return false;
    out = ir::AttrValue::of_enum(kind, static_cast<int64_t>(number));
    return true;
  };
  bool null = tree_[content].kind == ValueKind::Null;
  switch (kind) {
    case ir::AttrKind::DataType:
      return member(ir::DType());
    case ir::AttrKind::MemorySpace:
      return member(ir::MemorySpace());
    case ir::AttrKind::TensorLayout:
      return member(ir::TensorLayout());
    case ir::AttrKind::TileLayout:
      return member(ir::TileLayout());
    case ir::AttrKind::PadValue:
      return member(ir::PadValue());
    case ir::AttrKind::ArgDirection:
      return member(ir::ArgDirection());
    case ir::AttrKind::ArgDirectionVector:
    case ir::AttrKind::Int32Vector:
      return read_numbers(kind, content, where, out);
    case ir::AttrKind::Var: {
      const ir::Var* var = nullptr;
      if (!null && !read(content, where, var)) return false;
      out = ir::AttrValue::of_var(var);
      return true;
    }
    case ir::AttrKind::Expr: {
      const ir::Expr* expr = nullptr;
      if (!null && !read(content, where, expr)) return false;
      out = ir::AttrValue::of_expr(expr);
      return true;
    }
    case ir::AttrKind::VarList:
      return read_var_list(content, where, out);
    default:
      PYPTOC_UNREACHABLE("a tag of plain values");
  }
}

bool GraphBuilder::read_numbers(ir::AttrKind kind, uint32_t content, const Where& where, ir::AttrValue& out) {
  const Value& list = tree_[content];
  if (list.kind != ValueKind::List) return wrong_kind(content, "a list", where);
  std::vector<int32_t> numbers;
  numbers.reserve(list.count);
  bool all = true;
  for (uint32_t entry = content + 1; entry < list.next; entry = tree_[entry].next) {
    int64_t number = 0;
    if (kind == ir::AttrKind::ArgDirectionVector) {
      ir::ArgDirection direction{};
      all = read(entry, where.entry(), direction) && all;
      number = static_cast<int64_t>(direction);
    } else {
      constexpr int64_t kLeast = std::numeric_limits<int32_t>::min();
      all = read_integer(entry, kLeast, std::numeric_limits<int32_t>::max(), number, where.entry()) && all;
    }
    numbers.push_back(static_cast<int32_t>(number));
  }
  if (all) out = ir::AttrValue::of_ints(kind, context_.list(numbers));
  return all;
}

// The one list whose entries may be null; they keep their places.
bool GraphBuilder::read_var_list(uint32_t content, const Where& where, ir::AttrValue& out) {
  const Value& list = tree_[content];
  if (list.kind != ValueKind::List) return wrong_kind(content, "a list", where);
  std::vector<const ir::Var*> vars;
  vars.reserve(list.count);
  bool all = true;
  for (uint32_t entry = content + 1; entry < list.next; entry = tree_[entry].next) {
    const ir::Var* var = nullptr;
    if (tree_[entry].kind != ValueKind::Null) all = read(entry, where.entry(), var) && all;
    vars.push_back(var);
  }
  if (all) out = ir::AttrValue::of_vars(context_.list(vars));
  return all;
}

}  // namespace pyptoc::serial
