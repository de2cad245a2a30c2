// SPDX-License-Identifier: Apache-2.0
// Types and their parts.
#include <fmt/format.h>

#include "serial/read_parts.h"
#include "support/edit_distance.h"

namespace pyptoc::serial {
namespace {

namespace codes = diag::codes;

constexpr std::array kTypeNames = {
#define PYPTOC_KIND(K) std::string_view(#K),
    PYPTOC_TYPE_KINDS(PYPTOC_KIND)
#undef PYPTOC_KIND
};

const ir::Type* keep(ir::Context& context, const ir::Type& draft) {
  return context.plain_type(draft.kind);
}
const ir::Type* keep(ir::Context& context, const ir::ScalarType& draft) {
  return context.scalar_type(draft.dtype);
}
template <class S>
const ir::Type* keep(ir::Context& context, const S& draft) {
  return context.copy(draft);
}

}  // namespace

bool GraphBuilder::read(uint32_t value, const Where& where, const ir::Type*& out) {
  if (!expect_map(value, "a type", where)) return false;
  uint32_t name = tree_.find(value, key_id("type_kind"));
  if (name == kAbsent) {
    if (tree_.find(value, key_id("ref")) != kAbsent || tree_.find(value, key_id("fields")) != kAbsent)
      return wrong_kind(value, "a type", where);
    missing("type_kind", "type", value);
    return false;
  }
  if (!tree_.is_text(name)) return wrong_kind(name, "a string", {"type_kind", "type"});
  const auto* found = std::find(kTypeNames.begin(), kTypeNames.end(), tree_.text(name));
  if (found == kTypeNames.end()) {
    auto report = diagnostics_.report(codes::unknown_type_kind, place(name), tree_.text(name));
    if (auto meant = support::closest(tree_.text(name), kTypeNames))
      report.help(fmt::format("did you mean `{}`?", *meant));
    return false;
  }
  auto kind = static_cast<ir::TypeKind>(found - kTypeNames.begin());
  return with_type_layout(kind, [&]<class L>() {
    uint32_t slots[kPartCount<L>];
    typename L::Struct draft;
    draft.kind = kind;
    bool all = gather(value, MapKeysOf<L>::kValue, *found, slots);
    all = read_parts<L, 1>(draft, slots, *found, value) && all;
    if constexpr (std::is_same_v<typename L::Struct, ir::ArrayType>) {
      if (all && draft.shape.size() != 1) {
        diagnostics_.report(codes::wrong_length, place(slots[2]), "one extent", "shape", *found, draft.shape.size());
        all = false;
      }
    }
    if (all) out = keep(context_, draft);
    return all;
  });
}

bool GraphBuilder::read(uint32_t value, const Where& where, const ir::MemRefInfo*& out) {
  using Layout = DetailLayout<ir::MemRefInfo>;
  if (!expect_map(value, "a map", where)) return false;
  uint32_t slots[kPartCount<Layout>];
  ir::MemRefInfo draft;
  bool all = gather(value, MapKeysOf<Layout>::kValue, Layout::kName, slots);
  all = read_parts<Layout>(draft, slots, Layout::kName, value) && all;
  if (!all) return false;
  if (tree_.text(slots[0]) != draft.base_node->name_hint) {
    diagnostics_.report(codes::memref_base_mismatch, place(slots[0]), draft.base_node->name_hint, tree_.text(slots[0]));
    return false;
  }
  out = context_.copy(draft);
  return true;
}

bool GraphBuilder::read(uint32_t value, const Where& where, const ir::TensorView*& out) {
  using Layout = DetailLayout<ir::TensorView>;
  if (!expect_map(value, "a map", where)) return false;
  uint32_t slots[kPartCount<Layout>];
  ir::TensorView draft;
  bool all = gather(value, MapKeysOf<Layout>::kValue, Layout::kName, slots);
  all = read_parts<Layout>(draft, slots, Layout::kName, value) && all;
  if (all) out = context_.copy(draft);
  return all;
}

bool GraphBuilder::read(uint32_t value, const Where& where, const ir::TileView*& out) {
  using Layout = DetailLayout<ir::TileView>;
  if (!expect_map(value, "a map", where)) return false;
  uint32_t slots[kPartCount<Layout>];
  ir::TileView draft;
  bool all = gather(value, MapKeysOf<Layout>::kValue, Layout::kName, slots);
  all = read_parts<Layout>(draft, slots, Layout::kName, value) && all;
  if (all) out = context_.copy(draft);
  return all;
}

}  // namespace pyptoc::serial
