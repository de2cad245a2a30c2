// SPDX-License-Identifier: Apache-2.0
// Nodes: refs, depth, and one draft after another through the field descriptions.
#include <fmt/format.h>

#include "serial/read_parts.h"
#include "support/edit_distance.h"

namespace pyptoc::serial {
namespace {

namespace codes = diag::codes;

constexpr std::array kNodeNames = {
#define PYPTOC_KIND(K, S) std::string_view(#K),
    PYPTOC_NODE_KINDS(PYPTOC_KIND)
#undef PYPTOC_KIND
};

struct NamedKind {
  std::string_view name;
  ir::NodeKind kind;
};
constexpr auto kKindsByName = [] {
  std::array<NamedKind, kNodeNames.size()> rows{};
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = {kNodeNames[i], static_cast<ir::NodeKind>(i)};
  std::sort(rows.begin(), rows.end(), [](const NamedKind& a, const NamedKind& b) { return a.name < b.name; });
  return rows;
}();

const NamedKind* find_kind(std::string_view name) {
  const auto* row = std::lower_bound(kKindsByName.begin(), kKindsByName.end(), name,
                                     [](const NamedKind& a, std::string_view wanted) { return a.name < wanted; });
  return row != kKindsByName.end() && row->name == name ? row : nullptr;
}

constexpr KeySet<3> kNodeKeys(std::array<std::string_view, 3>{"fields", "id", "type"});
constexpr KeySet<1> kRefKeys(std::array<std::string_view, 1>{"ref"});

std::string_view words_of(Category category) {
  switch (category) {
    case Category::Expr:
      return "an expression";
    case Category::Var:
      return "a variable";
    case Category::IterArg:
      return "an `IterArg`";
    case Category::WindowBuffer:
      return "a `WindowBuffer`";
    case Category::Stmt:
      return "a statement";
    case Category::Function:
      return "a `Function`";
    case Category::Program:
      return "a `Program`";
  }
  return "a node";
}

bool fits(Category category, ir::NodeKind kind) {
  switch (category) {
    case Category::Expr:
      return ir::is_expr(kind);
    case Category::Var:
      return ir::is_var(kind);
    case Category::IterArg:
      return kind == ir::NodeKind::IterArg;
    case Category::WindowBuffer:
      return kind == ir::NodeKind::WindowBuffer;
    case Category::Stmt:
      return ir::is_stmt(kind);
    case Category::Function:
      return kind == ir::NodeKind::Function;
    case Category::Program:
      return kind == ir::NodeKind::Program;
  }
  return false;
}

}  // namespace

void GraphBuilder::index_ids(std::vector<IdEntry> ids) {
  by_id_.assign(ids.size() * 2 + 64, 0);
  for (const IdEntry& entry : ids) {
    bool near = entry.id >= 0 && static_cast<uint64_t>(entry.id) < by_id_.size();
    uint32_t& slot = near ? by_id_[static_cast<std::size_t>(entry.id)] : by_far_id_[entry.id];
    if (slot == 0) {
      slot = entry.map + 1;
      continue;
    }
    if (gave_up()) return;
    uint32_t first = std::min(slot - 1, entry.map);
    uint32_t second = std::max(slot - 1, entry.map);
    diagnostics_.report(codes::duplicate_id, place(second), entry.id).note("the other one is here", place(first));
  }
}

const ir::Program* GraphBuilder::build() {
  return static_cast<const ir::Program*>(node(0, Category::Program, {}));
}

const ir::Node* GraphBuilder::node(uint32_t value, Category category, const Where& where) {
  if (gave_up()) return nullptr;
  if (tree_[value].kind != ValueKind::Map) {
    wrong_kind(value, words_of(category), where);
    return nullptr;
  }
  uint32_t ref = tree_.find(value, key_id("ref"));
  const ir::Node* found = ref != kAbsent ? referred(value, ref) : full_node(value);
  if (found == nullptr || fits(category, found->kind)) return found;
  diagnostics_.report(codes::wrong_kind, place(value), words_of(category), where.words(),
                      fmt::format("{}{} `{}` node", ref != kAbsent ? "a ref to " : "",
                                  article(ir::name_of(found->kind)), ir::name_of(found->kind)));
  return nullptr;
}

bool GraphBuilder::read_id(uint32_t value, std::string_view owner, int64_t& out) {
  return read_integer(value, 0, std::numeric_limits<int64_t>::max(), out, {owner == "ref" ? "ref" : "id", owner});
}

const ir::Node* GraphBuilder::referred(uint32_t map, uint32_t ref) {
  uint32_t slot = kAbsent;
  bool known = gather(map, kRefKeys.view(), "ref", &slot);
  int64_t id = 0;
  if (!read_id(ref, "ref", id) || !known) return nullptr;
  uint32_t target = 0;
  if (static_cast<uint64_t>(id) < by_id_.size()) {
    target = by_id_[static_cast<std::size_t>(id)];
  } else if (auto far = by_far_id_.find(id); far != by_far_id_.end()) {
    target = far->second;
  }
  if (target == 0) {
    diagnostics_.report(codes::ref_to_nothing, place(map), id);
    return nullptr;
  }
  if (tree_[target - 1].state == NodeState::InWork) {
    diagnostics_.report(codes::node_cycle, place(map), id).note("the node is here", place(target - 1));
    return nullptr;
  }
  return full_node(target - 1);
}

const ir::Node* GraphBuilder::full_node(uint32_t map) {
  Value& value = tree_[map];
  if (value.state == NodeState::Made) {
    height_ = std::max<uint32_t>(height_, value.height);
    return value.node;
  }
  if (value.state == NodeState::Failed) return nullptr;
  bool too_deep = depth_ == options_.max_nesting;
  const ir::Node* made = nullptr;
  uint32_t height = 0;
  if (!too_deep) {
    value.state = NodeState::InWork;
    const ir::Span* outer_origin = origin_;
    uint32_t outer_height = height_;
    height_ = 0;
    ++depth_;
    made = make_node(map);
    --depth_;
    origin_ = outer_origin;
    height = height_ + 1;
    height_ = std::max(outer_height, height);
    // Nodes made earlier and referred to are not in work, so that the depth alone does not bound the way down.
    too_deep = made != nullptr && height > options_.max_nesting;
  }
  if (too_deep) {
    diagnostics_.report(codes::graph_too_deep, place(map), std::uint64_t{options_.max_nesting});
    made = nullptr;
  }
  value.state = made != nullptr ? NodeState::Made : NodeState::Failed;
  value.height = static_cast<uint16_t>(std::min<uint32_t>(height, std::numeric_limits<uint16_t>::max()));
  value.node = made;
  return made;
}

const ir::Node* GraphBuilder::make_node(uint32_t map) {
  uint32_t slots[3];
  bool all = gather(map, kNodeKeys.view(), "node", slots);
  uint32_t fields = slots[0];
  uint32_t type = slots[2];
  int64_t id = 0;
  if (slots[1] != kAbsent && slots[1] != kMisspelt) all = read_id(slots[1], "node", id) && all;
  if (type == kMisspelt) return nullptr;
  if (type == kAbsent) return missing("type", "node", map), nullptr;
  if (!tree_.is_text(type)) return wrong_kind(type, "a string", {"type", "node"}), nullptr;
  const NamedKind* row = find_kind(tree_.text(type));
  if (row == nullptr) {
    auto report = diagnostics_.report(codes::unknown_node_type, place(type), tree_.text(type));
    if (auto meant = support::closest(tree_.text(type), kNodeNames))
      report.help(fmt::format("did you mean `{}`?", *meant));
    return nullptr;
  }
  if (fields == kMisspelt) return nullptr;
  if (fields == kAbsent) return missing("fields", row->name, map), nullptr;
  if (!expect_map(fields, "a map", {"fields", row->name})) return nullptr;
  const ir::Node* made = nullptr;
  switch (row->kind) {
#define PYPTOC_KIND(K, S)                                    \
  case ir::NodeKind::K:                                      \
    made = make_struct<ir::S>(map, fields, ir::NodeKind::K); \
    break;
    PYPTOC_NODE_KINDS(PYPTOC_KIND)
#undef PYPTOC_KIND
  }
  return all ? made : nullptr;
}

// Not inlined: the frame of make_node, which recursion goes through, would hold the drafts of all kinds.
template <class S>
[[gnu::noinline]] const ir::Node* GraphBuilder::make_struct(uint32_t map, uint32_t fields, ir::NodeKind kind) {
  using Layout = NodeLayout<S>;
  constexpr const MapKeys& kKeys = MapKeysOf<Layout>::kValue;
  static_assert(kKeys.names[0] == "span");
  std::string_view owner = ir::name_of(kind);
  uint32_t slots[kPartCount<Layout>];
  S draft;
  draft.kind = kind;
  bool known = sort_entries(fields, kKeys, slots);
  // The span first, because every other report of this node shows it.
  bool all = read_span(slots[0], map, draft.span) && known;
  origin_ = draft.span;
  if (!known) report_unknown(fields, kKeys, owner, slots);
  all = read_parts<Layout, 1>(draft, slots, owner, map) && all;
  if constexpr (std::is_same_v<S, ir::Call>)
    if (all) draft.kwargs = with_due_floats(draft.op, draft.kwargs);
  if constexpr (std::is_same_v<S, ir::Function>) all = complete_function(draft, map, slots, all);
  return all ? context_.make(draft) : nullptr;
}

const ir::Expr* GraphBuilder::extent(uint32_t value) {
  ir::Span span;
  span.offset = tree_[value].offset;
  height_ = std::max<uint32_t>(height_, 1);
  return context_.const_int(tree_[value].integer, ir::DType::Index, context_.span(span));
}

}  // namespace pyptoc::serial
