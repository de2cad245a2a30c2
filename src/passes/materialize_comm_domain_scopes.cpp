// SPDX-License-Identifier: Apache-2.0
#include "passes/materialize_comm_domain_scopes.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "diag/codes_host.h"
#include "ir/collectives.h"
#include "ir/contains.h"
#include "ir/map_functions.h"
#include "ir/rewriter.h"
#include "passes/check_comm_domains.h"
#include "passes/host_checks.h"
#include "passes/host_windows.h"
#include "passes/start_values.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

struct Domain {
  DeviceSet devices;
  std::vector<size_t> allocations;
};

// Every window variable gets the slot of its allocation into its type; calls do not, since storage is given to
// variables.
class WindowTypes : public Rewriter {
 public:
  WindowTypes(Context& context, const HostWindows& windows, const std::vector<const Var*>& slots)
      : Rewriter(context), windows_(windows), slots_(slots) {}

 protected:
  const Var* define(const Var* var) override {
    const Var* now = Rewriter::define(var);  // an IterArg with another initial value is a new one
    const Type* type = is_window(var) ? type_of(var) : var->type;
    if (type == now->type) return now;
    const Var* made = nullptr;
    if (const IterArg* arg = as<IterArg>(now)) {
      IterArg draft = *arg;
      draft.type = type;
      made = context().make(draft);
    } else {
      Var draft = *now;
      draft.type = type;
      made = context().make(draft);
    }
    substitute(var, made);
    return made;
  }

 private:
  const Type* type_of(const Expr* e) {
    std::optional<size_t> allocation = windows_.single(e);
    const TensorType* type = as_tensor(e->type);
    if (!allocation || type->window_buffer == slots_[*allocation]) return type;
    TensorType draft = *type;
    draft.window_buffer = slots_[*allocation];
    return context().copy(draft);
  }

  const HostWindows& windows_;
  const std::vector<const Var*>& slots_;
};

class Materializer {
 public:
  Materializer(const Program* program, PassContext& context, BufferRoots& roots)
      : program_(program), context_(context), roots_(roots) {}

  const Function* run(const Function* f) {
    HostWindows windows(f, roots_.of(f));
    if (windows.all().empty()) return f;
    size_t errors = context_.diags.error_count();
    std::vector<DeviceSet> coverage = device_coverage(f, program_, windows, context_.diags);
    check_allocations(f, windows);
    if (context_.diags.error_count() != errors) return f;
    std::vector<Domain> domains = cluster(coverage);
    check_names(windows, domains);
    std::vector<const Var*> slots = make_slots(windows);
    HostChecks checks(f, context_.ir);
    for (const WindowAllocation& allocation : windows.all()) checks.need(allocation.call()->args[0]);
    for (const Domain& domain : domains) require_devices(domain, windows, checks);
    Function draft = *f;
    draft.body = WindowTypes(context_.ir, windows, slots).stmt(f->body);
    for (size_t i = domains.size(); i-- > 0;) draft.body = scope(domains[i], i, slots, draft.body);
    return checks.insert_into(context_.ir.make(draft));
  }

 private:
  void check_allocations(const Function* f, const HostWindows& windows) {
    StartValues start(f);
    for (const WindowAllocation& allocation : windows.all()) {
      if (!allocation.inside.empty())
        context_.diags.report(diag::codes::window_allocated_inside, place_of(allocation.at), allocation.name,
                              allocation.inside);
      else if (const Var* unknown = start.unknown_in(allocation.call()->args[0]))
        context_.diags
            .report(diag::codes::window_size_not_known, place_of(allocation.at), allocation.name, unknown->name_hint)
            .note(fmt::format("`{}` gets its value here", unknown->name_hint), place_of(unknown));
    }
  }

  static std::vector<Domain> cluster(const std::vector<DeviceSet>& coverage) {
    std::vector<Domain> out;
    std::map<DeviceSet, size_t> known;
    for (size_t i = 0; i < coverage.size(); ++i) {
      auto [at, is_new] = known.emplace(coverage[i], out.size());
      if (is_new) out.push_back({coverage[i], {}});
      out[at->second].allocations.push_back(i);
    }
    return out;
  }

  void check_names(const HostWindows& windows, const std::vector<Domain>& domains) {
    for (const Domain& domain : domains) {
      std::map<std::string_view, size_t> names;
      for (size_t i : domain.allocations) {
        const WindowAllocation& allocation = windows.all()[i];
        auto [at, is_new] = names.emplace(allocation.name, i);
        if (!is_new)
          context_.diags.report(diag::codes::window_name_twice, place_of(allocation.at), allocation.name)
              .note("the other one is here", place_of(windows.all()[at->second].at));
      }
    }
  }

  std::vector<const Var*> make_slots(const HostWindows& windows) {
    std::vector<const Var*> out;
    for (const WindowAllocation& allocation : windows.all()) {
      WindowBuffer draft;
      draft.kind = NodeKind::WindowBuffer;
      draft.span = allocation.at->span;
      draft.type = context_.ir.plain_type(TypeKind::WindowBufferType);
      draft.name_hint = context_.ir.intern(allocation.name);
      draft.base = allocation.at->var;
      draft.size = allocation.call()->args[0];
      out.push_back(context_.ir.make(draft));
    }
    return out;
  }

  // A program that is started with another number of devices than its domains need does not begin.
  void require_devices(const Domain& domain, const HostWindows& windows, HostChecks& checks) {
    std::string_view name = windows.all()[domain.allocations.front()].name;
    const Span* span = windows.all()[domain.allocations.front()].at->span;
    if (domain.devices.is_every())
      checks.require(
          checks.condition(NodeKind::Le, checks.world_size(), checks.number(kMaxRanks)),
          fmt::format("window `{}` lies on every device, at most {} can share a window, and the program runs on {{}}",
                      name, kMaxRanks),
          span, {}, {checks.world_size()});
    else
      checks.require(
          checks.condition(NodeKind::Gt, checks.world_size(), checks.number(domain.devices.devices().back())),
          fmt::format("window `{}` lies on device {}, and the program runs on {{}} devices", name,
                      domain.devices.devices().back()),
          span, {}, {checks.world_size()});
  }

  const Stmt* scope(const Domain& domain, size_t number, const std::vector<const Var*>& slots, const Stmt* body) {
    CommDomainScopeStmt draft;
    draft.kind = NodeKind::CommDomainScopeStmt;
    draft.span = body->span;
    draft.name_hint = context_.ir.intern(fmt::format("comm_d{}", number));
    draft.body = body;
    draft.devices = context_.ir.list(domain.devices.devices());
    std::vector<const Var*> own;
    for (size_t i : domain.allocations) own.push_back(slots[i]);
    draft.slots = context_.ir.list(own);
    return context_.ir.make(draft);
  }

  const Program* program_;
  PassContext& context_;
  BufferRoots& roots_;
};

}  // namespace

const Program* materialize_comm_domain_scopes(const Program* program, PassContext& context) {
  BufferRoots roots(program, context.roots);
  return map_functions(program, context.ir, [&](const Function* f) {
    if (!is_host_orchestrator(f)) return f;
    const auto is_domain = [](const Node* node) { return node->kind == NodeKind::CommDomainScopeStmt; };
    if (!contains_statement(f->body, is_domain)) return Materializer(program, context, roots).run(f);
    check_comm_domains(f, program, HostWindows(f, roots.of(f)), context.diags);
    return f;
  });
}

}  // namespace pyptoc::passes
