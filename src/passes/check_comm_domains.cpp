// SPDX-License-Identifier: Apache-2.0
#include "passes/check_comm_domains.h"

#include <fmt/format.h>

#include <algorithm>

#include "diag/codes_host.h"
#include "ir/collectives.h"
#include "ir/node_map.h"
#include "ir/walker.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

class DomainCheck : public Walker {
 public:
  DomainCheck(const Function* function, const HostWindows& windows, diag::Engine& diags)
      : windows_(windows), diags_(diags) {
    for (size_t i = 0; i < windows.all().size(); ++i) by_base_[windows.all()[i].at->var] = i;
    domain_of_.resize(windows.all().size());
    slot_of_.resize(windows.all().size());
    walk(function->body);
    for (size_t i = 0; i < windows.all().size(); ++i)
      if (domain_of_[i] == nullptr)
        diags.report(diag::codes::comm_domain_misfit, place_of(windows.all()[i].at),
                     fmt::format("window allocation `{}` lies in no communication domain", windows.all()[i].name));
  }

  // After the walk: the domain of each allocation.
  const std::vector<const CommDomainScopeStmt*>& domains() const { return domain_of_; }

 protected:
  void visit(const Node* node) override {
    if (const CommDomainScopeStmt* domain = as<CommDomainScopeStmt>(node)) return enter(domain);
    if (const AssignStmt* assign = as<AssignStmt>(node)) at_ = assign;
    if (const EvalStmt* eval = as<EvalStmt>(node)) at_ = eval;
    if (const Expr* e = is_expr(node->kind) ? static_cast<const Expr*>(node) : nullptr;
        e != nullptr && is_var(e->kind) && is_window(e))
      window(as<Var>(e));
    children(node);
  }

 private:
  void enter(const CommDomainScopeStmt* domain) {
    devices(domain);
    for (const Var* slot : domain->slots) add_slot(domain, as<WindowBuffer>(slot));
    for (const Var* slot : domain->slots) open_.push_back(slot);
    walk(domain->body);
    open_.resize(open_.size() - domain->slots.size());
  }

  void devices(const CommDomainScopeStmt* domain) {
    std::vector<int64_t> sorted(domain->devices.begin(), domain->devices.end());
    std::sort(sorted.begin(), sorted.end());
    if (!sorted.empty() && sorted.front() < 0)
      misfit(domain, fmt::format("communication domain `{}` has device {}, but devices count from 0", domain->name_hint,
                                 sorted.front()));
    if (auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
      misfit(domain, fmt::format("communication domain `{}` has device {} twice", domain->name_hint, *twice));
    else if (!std::is_sorted(domain->devices.begin(), domain->devices.end()))
      misfit(domain,
             fmt::format("the devices of communication domain `{}` are not in ascending order", domain->name_hint));
    if (static_cast<int64_t>(sorted.size()) > kMaxRanks)
      misfit(domain, fmt::format("communication domain `{}` has {} devices, more than {}", domain->name_hint,
                                 sorted.size(), kMaxRanks));
  }

  void add_slot(const CommDomainScopeStmt* domain, const WindowBuffer* slot) {
    const size_t* number = slot != nullptr ? by_base_.find(slot->base) : nullptr;
    if (number == nullptr)
      return misfit(domain, fmt::format("slot `{}` of communication domain `{}` stands for no window allocation",
                                        slot != nullptr ? slot->name_hint : "", domain->name_hint));
    if (domain_of_[*number] != nullptr)
      return misfit(domain, fmt::format("window allocation `{}` has two slots", windows_.all()[*number].name));
    domain_of_[*number] = domain;
    slot_of_[*number] = slot;
  }

  void window(const Var* var) {
    if (reported_.contains(var)) return;
    const Var* slot = as_tensor(var->type)->window_buffer;
    std::optional<size_t> allocation = windows_.single(var);
    if (!allocation) return;  // its uses are reported
    std::string_view name = windows_.all()[*allocation].name;
    bool unnamed = slot == nullptr || slot != slot_of_[*allocation];
    bool outside = std::find(open_.begin(), open_.end(), slot) == open_.end();
    if (!unnamed && !outside) return;
    reported_.insert(var);
    if (unnamed)
      misfit(at_, fmt::format("the type of `{}` does not name the slot of its allocation `{}`", var->name_hint, name));
    else
      misfit(at_, fmt::format("`{}` is used outside of the communication domain of `{}`", var->name_hint, name));
  }

  void misfit(const Node* at, const std::string& text) {
    diags_.report(diag::codes::comm_domain_misfit, place_of(at), text);
  }

  const HostWindows& windows_;
  diag::Engine& diags_;
  NodeMap<size_t> by_base_;
  std::vector<const CommDomainScopeStmt*> domain_of_;
  std::vector<const Var*> slot_of_;
  std::vector<const Var*> open_;
  NodeSet reported_;
  const Node* at_ = nullptr;
};

bool covers(const CommDomainScopeStmt* domain, const DeviceSet& used) {
  if (domain->devices.empty()) return true;
  if (used.is_every()) return false;
  return std::all_of(used.devices().begin(), used.devices().end(), [&](int64_t device) {
    return std::find(domain->devices.begin(), domain->devices.end(), device) != domain->devices.end();
  });
}

}  // namespace

void check_comm_domains(const Function* function, const Program* program, const HostWindows& windows,
                        diag::Engine& diags) {
  size_t errors = diags.error_count();
  std::vector<DeviceSet> coverage = device_coverage(function, program, windows, diags);
  DomainCheck check(function, windows, diags);
  if (diags.error_count() != errors) return;
  for (size_t i = 0; i < coverage.size(); ++i) {
    const CommDomainScopeStmt* domain = check.domains()[i];
    if (covers(domain, coverage[i])) continue;
    DeviceSet own;
    for (int64_t device : domain->devices) own.merge(DeviceSet::range(device, device + 1));
    diags.report(diag::codes::comm_domain_misfit, place_of(domain),
                 fmt::format("communication domain `{}` lies on {}, but dispatches for {} get windows of `{}`",
                             domain->name_hint, own.text(), coverage[i].text(), windows.all()[i].name));
  }
}

}  // namespace pyptoc::passes
