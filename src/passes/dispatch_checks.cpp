// SPDX-License-Identifier: Apache-2.0
#include "passes/dispatch_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "diag/codes_host.h"
#include "ir/describe.h"
#include "ir/op_table.h"
#include "passes/call_graph.h"
#include "passes/collective_launch.h"
#include "passes/integer_arithmetic.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

bool is_window_operand(const CollectiveInfo& info, size_t operand) {
  return op_info(info.op).operands[operand].kind == OperandKind::Window;
}

std::string operand_of(const CollectiveUse& use, size_t operand) {
  return operand_text(collective_info(use.variant.id), operand, call_args(use.call)[operand]);
}

// The truth of a condition over constants.
std::optional<bool> constant_truth(const Expr* e) {
  const BinaryExpr* both = as<BinaryExpr>(e);
  if (both != nullptr && (both->kind == NodeKind::And || both->kind == NodeKind::Or)) {
    std::optional<bool> left = constant_truth(both->left);
    std::optional<bool> right = constant_truth(both->right);
    const bool decides = both->kind == NodeKind::Or;
    if (left == decides || right == decides) return decides;
    return left && right ? std::optional<bool>(!decides) : std::nullopt;
  }
  if (both != nullptr && is_comparison(both->kind)) {
    std::optional<int64_t> left = constant_value(both->left);
    std::optional<int64_t> right = constant_value(both->right);
    return left && right ? std::optional<bool>(compare(both->kind, *left, *right)) : std::nullopt;
  }
  const UnaryExpr* inverse = as<UnaryExpr>(e);
  if (inverse == nullptr || inverse->kind != NodeKind::Not) return std::nullopt;
  std::optional<bool> operand = constant_truth(inverse->operand);
  return operand ? std::optional<bool>(!*operand) : std::nullopt;
}

// The text of a check with its values in place.
std::string filled(std::string_view text, const std::vector<const Expr*>& values) {
  std::string out;
  size_t next = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at, 2) != "{}") {
      out += text[at];
      continue;
    }
    std::optional<int64_t> value = next < values.size() ? constant_value(values[next]) : std::nullopt;
    out += value ? std::to_string(*value) : next < values.size() ? describe(values[next]) : std::string("another one");
    ++next;
    ++at;
  }
  return out;
}

}  // namespace

void SignalUses::note(const Var* slot, const Expr* call, bool ring, bool on_chip) {
  if (!by_slot_.contains(slot)) {
    by_slot_[slot] = uses_.size();
    uses_.push_back({slot, nullptr, nullptr, false});
  }
  Use& use = uses_[*by_slot_.find(slot)];
  const Expr*& place = ring ? use.ring : use.other;
  if (place == nullptr) place = call;
  use.on_chip |= on_chip;
}

void SignalUses::report(diag::Engine& diags) const {
  for (const Use& use : uses_) {
    if (use.ring == nullptr || use.other == nullptr || !use.on_chip) continue;
    diags.report(diag::codes::collective_ring_signal, place_of(use.other), use.slot->name_hint)
        .note("the ring is here", place_of(use.ring))
        .note(fmt::format("`{}` is allocated here", use.slot->name_hint), place_of(use.slot));
  }
}

void Participants::note(const CollectiveUse& use, const std::vector<const Var*>& slots, const Dispatch& dispatch,
                        const DeviceSet& domain) {
  if (!dispatch.devices) return;
  std::string key = variant_name(use.variant);
  for (const Var* slot : slots) key += fmt::format(" {}", slot->serial);
  auto [at, is_new] = by_key_.try_emplace(key, entries_.size());
  if (is_new) {
    Entry entry;
    entry.domain = domain;
    entry.call = use.call;
    entry.dispatch = dispatch.call;
    entry.name = collective_info(use.variant.id).public_name;
    entries_.push_back(entry);
  }
  entries_[at->second].devices.merge(*dispatch.devices);
}

// Where every device is a rank, a constant number of them takes part in a program on that many.
std::optional<int64_t> Participants::check(HostChecks& checks, diag::Engine& diags) const {
  std::optional<int64_t> asked;
  for (const Entry& entry : entries_) {
    if (entry.devices == entry.domain) continue;
    const int64_t count = static_cast<int64_t>(entry.devices.devices().size());
    if (entry.domain.is_every() && entry.devices == DeviceSet::range(0, count)) {
      const Expr* all = checks.condition(NodeKind::Eq, checks.world_size(), checks.number(count));
      checks.require(all, fmt::format("{} is dispatched on {} devices, the program runs on {{}}", entry.name, count),
                     entry.dispatch->span, {}, {checks.world_size()});
      asked = count;
      continue;
    }
    diags
        .report(diag::codes::collective_control_varies, place_of(entry.call), entry.name,
                fmt::format("the device: it is dispatched on {}, its windows lie on {}", entry.devices.text(),
                            entry.domain.text()))
        .note("a dispatch is here", place_of(entry.dispatch));
  }
  return asked;
}

diag::Engine::Builder DispatchChecks::with_dispatch(diag::Engine::Builder builder) const {
  builder.note(fmt::format("`{}` is dispatched here", dispatch_.chip->name), place_of(dispatch_.call));
  return builder;
}

void DispatchChecks::collective(const CollectiveUse& use) {
  const CollectiveInfo& info = collective_info(use.variant.id);
  agreed(use);
  for (size_t i = 0; i < use.places.size(); ++i) {
    if (!is_window_operand(info, i)) continue;
    if (use.places[i] >= 0 && domains_.devices_of(passed(use.places[i])) != nullptr) continue;
    with_dispatch(diags_.report(diag::codes::collective_window_unknown, place_of(use.call), operand_of(use, i),
                                info.public_name));
    return;
  }
  distinct(use);
  if (!one_domain(use)) return;
  ranks(use);
  std::vector<const Var*> slots;
  for (size_t i = 0; i < use.places.size(); ++i)
    if (is_window_operand(info, i)) slots.push_back(slot_of(passed(use.places[i])));
  participants_.note(use, slots, dispatch_, *domains_.devices_of(passed(use.places[info.signal_operand])));
  signals_.note(slot_of(passed(use.places[info.signal_operand])), use.call, use.variant.id == Collective::AllreduceRing,
                true);
}

void DispatchChecks::agreed(const CollectiveUse& use) {
  std::string_view name = collective_info(use.variant.id).public_name;
  const std::optional<Variation>& control = dispatch_.control_varies ? dispatch_.control_varies : use.control_varies;
  if (control) {
    auto report =
        with_dispatch(diags_.report(diag::codes::collective_control_varies, place_of(use.call), name, control->text));
    if (control->at != nullptr) report.note("it gets its value here", place_of(control->at));
  }
  if (use.width_varies) {
    auto report = with_dispatch(
        diags_.report(diag::codes::collective_width_varies, place_of(use.call), name, use.width_varies->text));
    if (use.width_varies->at != nullptr) report.note("it gets its value here", place_of(use.width_varies->at));
  }
}

void DispatchChecks::distinct(const CollectiveUse& use) {
  const CollectiveInfo& info = collective_info(use.variant.id);
  for (size_t i = 0; i < use.places.size(); ++i) {
    for (size_t j = i + 1; j < use.places.size(); ++j) {
      if (use.places[i] < 0 || use.places[j] < 0) continue;
      const Expr* a = passed(use.places[i]);
      const Expr* b = passed(use.places[j]);
      const bool one_slot = slot_of(a) != nullptr && slot_of(a) == slot_of(b);
      if (use.places[i] != use.places[j] && !one_slot) continue;
      const std::string what = one_slot ? fmt::format("views of one window allocation `{}`", slot_of(a)->name_hint)
                                        : fmt::format("one tensor, `{}`", describe(a));
      auto report = with_dispatch(diags_.report(diag::codes::collective_operands_alias, place_of(use.call),
                                                info.public_name, operand_of(use, i), operand_of(use, j), what));
      report.note(fmt::format("`{}` is made here", describe(a)), place_of(a));
      if (a != b) report.note(fmt::format("`{}` is made here", describe(b)), place_of(b));
      if (one_slot) report.note(fmt::format("`{}` is allocated here", slot_of(a)->name_hint), place_of(slot_of(a)));
    }
  }
}

// Operands that only their own rank reads may lie anywhere.
bool DispatchChecks::one_domain(const CollectiveUse& use) {
  const CollectiveInfo& info = collective_info(use.variant.id);
  const Expr* signal = passed(use.places[info.signal_operand]);
  bool good = true;
  for (size_t i = 0; i < use.places.size(); ++i) {
    if (!is_window_operand(info, i) || i == info.signal_operand) continue;
    const Expr* other = passed(use.places[i]);
    if (domains_.same(signal, other)) continue;
    good = false;
    with_dispatch(diags_.report(diag::codes::collective_two_domains, place_of(use.call), info.public_name,
                                operand_of(use, i), operand_of(use, info.signal_operand),
                                domains_.devices_of(other)->text(), domains_.devices_of(signal)->text()))
        .note(fmt::format("`{}` is made here", describe(other)), place_of(other))
        .note(fmt::format("`{}` is made here", describe(signal)), place_of(signal));
  }
  return good;
}

void DispatchChecks::ranks(const CollectiveUse& use) {
  const CollectiveInfo& info = collective_info(use.variant.id);
  const DeviceSet* devices = domains_.devices_of(passed(use.places[info.signal_operand]));
  const Expr* count =
      devices->is_every() ? checks_.world_size() : checks_.number(static_cast<int64_t>(devices->devices().size()));
  switch (use.variant.id) {
    case Collective::AllToAllV:
    case Collective::IndexedAllToAllV:
      rows(use, info.signal_operand, NodeKind::Eq, count);
      return;
    case Collective::AllreduceRing: {
      const int64_t known = static_cast<int64_t>(devices->devices().size());
      const Expr* steps = devices->is_every() ? checks_.twice_less_one(count) : checks_.number(2 * known - 1);
      rows(use, info.signal_operand, NodeKind::Ge, steps);
      return;
    }
    case Collective::Broadcast: {
      const Expr* in_range = checks_.condition(NodeKind::Gt, count, checks_.number(use.variant.root));
      if (checks_.known(in_range) == Truth::No)
        with_dispatch(diags_.report(diag::codes::root_out_of_range, place_of(use.call), info.public_name,
                                    use.variant.root, static_cast<int64_t>(devices->devices().size())));
      else
        check(in_range, {count}, fmt::format("root is {}, the program runs on {{}} devices", use.variant.root),
              use.call, info.public_name);
      break;
    }
    case Collective::ReduceScatter:
      rows(use, 0, NodeKind::Ge, count);
      break;
    case Collective::Allgather:
      rows(use, 1, NodeKind::Ge, count);
      break;
    case Collective::AllToAll:
      rows(use, 0, NodeKind::Ge, count);
      rows(use, 1, NodeKind::Ge, count);
      break;
    default:
      break;
  }
  rows(use, info.signal_operand, NodeKind::Ge, count);
}

// The first extent of an operand against the number of ranks, or what follows from it.
void DispatchChecks::rows(const CollectiveUse& use, size_t operand, NodeKind kind, const Expr* needed) {
  const CollectiveInfo& info = collective_info(use.variant.id);
  const Expr* have = use.extents[operand].empty() ? nullptr : use.extents[operand].front().host;
  const std::string_view due = kind == NodeKind::Eq ? "exactly" : "at least";
  if (have == nullptr) {
    with_dispatch(diags_.report(diag::codes::collective_check_not_on_host, place_of(use.call), info.public_name,
                                fmt::format("the rows of {}", operand_of(use, operand))));
    return;
  }
  const Expr* fits = checks_.condition(kind, have, needed);
  const BinaryExpr* both = as<BinaryExpr>(fits);
  if (checks_.known(fits) == Truth::No) {
    auto report =
        with_dispatch(diags_.report(diag::codes::collective_rows, place_of(use.call), operand_of(use, operand),
                                    info.public_name, due, describe(both->right), describe(both->left)));
    const Expr* made = use.places[operand] >= 0 ? passed(use.places[operand]) : nullptr;
    if (made != nullptr) report.note(fmt::format("`{}` is made here", describe(made)), place_of(made));
    return;
  }
  const Var* var = as<Var>(call_args(use.call)[operand]);
  check(fits, {both->right, both->left},
        fmt::format("operand {} ('{}') must have {} {{}} rows, it has {{}}", op_info(info.op).operands[operand].name,
                    var != nullptr ? var->name_hint : "?", due),
        use.call, info.public_name);
}

void DispatchChecks::require(const RequireUse& use) {
  const AttrValue* attr = find_attr(use.call->kwargs, "text");
  std::string text(attr != nullptr && attr->kind() == AttrKind::String ? attr->as_string() : std::string_view("check"));
  const std::string_view name = std::string_view(text).substr(0, text.find(':'));
  if (use.varies) {
    auto report =
        with_dispatch(diags_.report(diag::codes::collective_width_varies, place_of(use.call), name, use.varies->text));
    if (use.varies->at != nullptr) report.note("it gets its value here", place_of(use.varies->at));
    return;
  }
  if (use.condition == nullptr) {
    with_dispatch(diags_.report(diag::codes::collective_check_not_on_host, place_of(use.call), name, "`core_num`"));
    return;
  }
  // Of the conditions around it those that the host can tell: where only others would leave the check out, it is made
  // for nothing.
  const Expr* condition = use.condition;
  for (const Expr* one : use.path) condition = checks_.unless(one, condition);
  const size_t rest = text.find(": ");
  check(condition, use.values, rest != std::string::npos ? text.substr(rest + 2) : text, use.call, name);
}

void DispatchChecks::check(const Expr* condition, const std::vector<const Expr*>& values, const std::string& text,
                           const Node* at, std::string_view collective) {
  if (std::optional<bool> truth = constant_truth(condition)) {
    if (!*truth)
      with_dispatch(diags_.report(diag::codes::collective_check_fails, place_of(at), collective, filled(text, values)));
    return;
  }
  const Var* later = checks_.require(
      condition,
      fmt::format("{} in {}: {}", collective, dispatch_.chip->name, values.empty() ? filled(text, {}) : text),
      dispatch_.call->span, dispatch_.around, values);
  if (later == nullptr) return;
  with_dispatch(diags_.report(diag::codes::collective_check_not_on_host, place_of(at), collective,
                              fmt::format("`{}`", later->name_hint)))
      .note(fmt::format("`{}` gets its value here", later->name_hint), place_of(later));
}

void DispatchChecks::too_many_paths(const Stmt* at) {
  with_dispatch(diags_.report(diag::codes::collective_too_many_paths, place_of(at), dispatch_.chip->name));
}

}  // namespace pyptoc::passes
