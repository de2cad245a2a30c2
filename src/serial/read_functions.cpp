// SPDX-License-Identifier: Apache-2.0
// Functions: level and role as their type implies them, and the table of the program.
#include <fmt/format.h>

#include "serial/read_parts.h"

namespace pyptoc::serial {
namespace {

namespace codes = diag::codes;

struct Implied {
  ir::FunctionType type;
  ir::Level level;
  ir::Role role;
};
constexpr Implied kImplied[] = {
    {ir::FunctionType::Orchestration, ir::Level::Chip, ir::Role::Orchestrator},
    {ir::FunctionType::Graph, ir::Level::Chip, ir::Role::Orchestrator},
    {ir::FunctionType::InCore, ir::Level::ChipDie, ir::Role::SubWorker},
    {ir::FunctionType::Aiv, ir::Level::Aiv, ir::Role::SubWorker},
    {ir::FunctionType::Aic, ir::Level::Aic, ir::Role::SubWorker},
    {ir::FunctionType::Group, ir::Level::CoreGroup, ir::Role::SubWorker},
};

constexpr std::size_t slot_of(std::string_view key) {
  constexpr auto kKeys = keys_of<NodeLayout<ir::Function>>();
  return static_cast<std::size_t>(std::find(kKeys.begin(), kKeys.end(), key) - kKeys.begin());
}

// Whether reading the value succeeded.
template <ir::IrEnum E>
bool is_member(const ValueTree& tree, uint32_t value) {
  if (tree.is_text(value)) return ir::enum_from_name<E>(tree.text(value)).has_value();
  return tree[value].kind == ValueKind::Int && ir::enum_from_number<E>(tree[value].integer).has_value();
}

constexpr KeySet<2> kEntryKeys(std::array<std::string_view, 2>{"key", "value"});

}  // namespace

bool GraphBuilder::complete_function(ir::Function& function, uint32_t map, const uint32_t* slots, bool all) {
  // After other faults the lists may be empty only because they could not be read.
  const std::size_t directions = slot_of("param_directions");
  if (all && function.params.size() != function.param_directions.size()) {
    std::size_t params = function.params.size();
    diagnostics_.report(codes::wrong_length, place(slots[directions]),
                        fmt::format("{} direction{}", params, params == 1 ? "" : "s"), "param_directions", "Function",
                        function.param_directions.size());
    all = false;
  }
  uint32_t type = slots[slot_of("func_type")];
  if (type == kAbsent || type == kMisspelt || !is_member<ir::FunctionType>(tree_, type)) return all;
  const auto* implied = std::find_if(std::begin(kImplied), std::end(kImplied),
                                     [&](const Implied& row) { return row.type == function.func_type; });
  auto complete = [&]<class E>(std::optional<E>& member, std::string_view key, E wanted) {
    uint32_t slot = slots[slot_of(key)];
    if (slot == kMisspelt) return;
    if (implied == std::end(kImplied)) {
      if (slot == kAbsent) {
        missing(key, "Function", map);
        all = false;
      }
    } else if (!member) {
      member = wanted;
    } else if (*member != wanted) {
      diagnostics_.report(codes::contradictory_level, place(slot), key, ir::name_of(wanted),
                          ir::name_of(function.func_type), ir::name_of(*member));
      all = false;
    }
  };
  const Implied& row = implied == std::end(kImplied) ? kImplied[0] : *implied;
  complete(function.level, "level", row.level);
  complete(function.role, "role", row.role);
  return all;
}

bool GraphBuilder::read(uint32_t value, const Where& where, ir::List<const ir::Function*>& out) {
  const Value& list = tree_[value];
  if (list.kind != ValueKind::List) return wrong_kind(value, "a list", where);
  struct Entry {
    const ir::Function* function;
    uint32_t value;
  };
  std::vector<Entry> entries;
  entries.reserve(list.count);
  bool all = true;
  for (uint32_t entry = value + 1; entry < list.next; entry = tree_[entry].next) {
    const ir::Function* function = function_entry(entry, where.entry());
    if (function != nullptr)
      entries.push_back({function, entry});
    else
      all = false;
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.function->name < b.function->name; });
  std::vector<const ir::Function*> functions;
  functions.reserve(entries.size());
  for (const Entry& entry : entries) {
    if (!functions.empty() && functions.back()->name == entry.function->name) {
      diagnostics_.report(codes::function_listed_twice, place(entry.value), entry.function->name)
          .note("the other one is here", ir::place_of(functions.back()));
      all = false;
    }
    functions.push_back(entry.function);
  }
  if (all) out = context_.list(functions);
  return all;
}

const ir::Function* GraphBuilder::function_entry(uint32_t value, const Where& where) {
  if (!expect_map(value, "a map of `key` and `value`", where)) return nullptr;
  uint32_t slots[2];
  bool all = gather_all(value, kEntryKeys.view(), "functions", slots);
  const ir::Op* key = nullptr;
  if (slots[0] != kAbsent) all = read(slots[0], {"key", "functions"}, key) && all;
  if (slots[1] == kAbsent) return nullptr;
  const ir::Function* function = nullptr;
  if (!read(slots[1], {"value", "functions"}, function) || key == nullptr) return nullptr;
  if (key->name != function->name || !key->is_global_var) {
    diagnostics_.report(codes::function_key_mismatch, place(slots[0]), function->name,
                        key->is_global_var ? std::string(key->name) : fmt::format("operator {}", key->name));
    return nullptr;
  }
  return all ? function : nullptr;
}

}  // namespace pyptoc::serial
