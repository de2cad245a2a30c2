// SPDX-License-Identifier: Apache-2.0
#include "passes/device_scalars.h"

#include <fmt/format.h>

#include "ir/describe.h"
#include "ir/equal.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// Dispatches of one chip function in one block, by device.
struct Group {
  const Function* chip;
  std::vector<Around> around;
  std::map<int64_t, std::vector<size_t>> by_device;
};

// What stands around a dispatch but the loop over its devices.
std::vector<Around> rounds_of(const Dispatch& dispatch, const StartValues& values) {
  const Expr* device = dispatch_device(dispatch.call);
  std::vector<Around> out;
  for (const Around& one : dispatch.around) {
    const ForStmt* loop = as<ForStmt>(one.stmt);
    if (loop == nullptr || device == nullptr || loop->loop_var != values.resolve(device)) out.push_back(one);
  }
  return out;
}

}  // namespace

DeviceScalars::DeviceScalars(const std::vector<Dispatch>& dispatches, const StartValues& values) {
  std::vector<Group> groups;
  std::map<std::pair<const Function*, const Stmt*>, std::vector<size_t>> known;  // by the innermost statement around
  for (size_t i = 0; i < dispatches.size(); ++i) {
    const Dispatch& dispatch = dispatches[i];
    if (!dispatch.devices || dispatch.devices->is_every()) continue;
    std::vector<Around> around = rounds_of(dispatch, values);
    const Stmt* inner = around.empty() ? nullptr : around.back().stmt;
    std::vector<size_t>& candidates = known[{dispatch.chip, inner}];  // two at most: the sides of a branch
    Group* group = nullptr;
    for (size_t at : candidates)
      if (groups[at].around == around) group = &groups[at];
    if (group == nullptr) {
      candidates.push_back(groups.size());
      groups.push_back({dispatch.chip, std::move(around), {}});
      group = &groups.back();
    }
    for (int64_t device : dispatch.devices->devices()) group->by_device[device].push_back(i);
  }
  for (const Group& group : groups) {
    if (group.by_device.empty()) continue;
    const std::vector<size_t>& first = group.by_device.begin()->second;
    for (const auto& [device, own] : group.by_device)
      for (size_t k = 0; k < own.size() && k < first.size(); ++k)
        if (own[k] != first[k]) compare(dispatches, first[k], own[k], values);
  }
}

void DeviceScalars::compare(const std::vector<Dispatch>& dispatches, size_t one, size_t other,
                            const StartValues& values) {
  List<const Expr*> a = call_args(dispatches[one].call);
  List<const Expr*> b = call_args(dispatches[other].call);
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (as_tensor(a[i]->type) != nullptr || expr_equal(values.resolve(a[i]), values.resolve(b[i]))) continue;
    const Variation found = {fmt::format("the device: a dispatch passes `{}` where one to another device passes `{}`",
                                         describe(values.resolve(b[i])), describe(values.resolve(a[i]))),
                             dispatches[other].call};
    differing_.try_emplace({other, i}, found);
  }
}

std::optional<Variation> DeviceScalars::differs(size_t dispatch, size_t argument) const {
  auto found = differing_.find({dispatch, argument});
  return found != differing_.end() ? std::optional(found->second) : std::nullopt;
}

}  // namespace pyptoc::passes
