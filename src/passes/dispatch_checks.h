// SPDX-License-Identifier: Apache-2.0
// Judges the collectives that one dispatch leads to. Internal to check_window_provenance.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "passes/call_graph.h"
#include "passes/host_collective_checks.h"
#include "passes/window_flow.h"

namespace pyptoc::passes {

// A call of a chip function in a HOST function, with what stands around it.
struct Dispatch {
  const ir::Expr* call = nullptr;
  const ir::Function* chip = nullptr;
  std::optional<Variation> control_varies;  // a condition around the dispatch
  std::vector<Around> around;               // what it stands in, outermost first
  std::optional<DeviceSet> devices;         // that it is for
};

// Which collectives use a signal, over all dispatches of a HOST function.
class SignalUses {
 public:
  void note(const ir::Var* slot, const ir::Expr* call, bool ring, bool on_chip);
  // Those that a chip function takes part in; the others are checked with the HOST collectives.
  void report(diag::Engine& diags) const;

 private:
  struct Use {
    const ir::Var* slot = nullptr;
    const ir::Expr* ring = nullptr;
    const ir::Expr* other = nullptr;
    bool on_chip = false;
  };
  std::vector<Use> uses_;
  ir::NodeMap<size_t> by_slot_;
};

// On which devices each collective runs, over all dispatches of a HOST function: all of the domain's must take part.
class Participants {
 public:
  void note(const CollectiveUse& use, const std::vector<const ir::Var*>& slots, const Dispatch& dispatch,
            const DeviceSet& domain);
  // The number of devices that a check asks for.
  std::optional<int64_t> check(HostChecks& checks, diag::Engine& diags) const;

 private:
  struct Entry {
    DeviceSet devices;
    DeviceSet domain;
    const ir::Expr* call = nullptr;  // the first use, and its dispatch
    const ir::Expr* dispatch = nullptr;
    std::string_view name;
  };
  std::map<std::string, size_t> by_key_;
  std::vector<Entry> entries_;
};

class DispatchChecks : public WindowFlowClient {
 public:
  DispatchChecks(const Dispatch& dispatch, const HostDomains& domains, HostChecks& checks, SignalUses& signals,
                 Participants& participants, diag::Engine& diags)
      : dispatch_(dispatch),
        domains_(domains),
        checks_(checks),
        signals_(signals),
        participants_(participants),
        diags_(diags) {}

  void collective(const CollectiveUse& use) override;
  void require(const RequireUse& use) override;
  void too_many_paths(const ir::Stmt* at) override;

 private:
  // What is passed for the parameter of that number.
  const ir::Expr* passed(int place) const { return call_args(dispatch_.call)[static_cast<size_t>(place)]; }
  void distinct(const CollectiveUse& use);
  bool one_domain(const CollectiveUse& use);
  void ranks(const CollectiveUse& use);
  void rows(const CollectiveUse& use, size_t operand, ir::NodeKind kind, const ir::Expr* needed);
  void agreed(const CollectiveUse& use);
  void check(const ir::Expr* condition, const std::vector<const ir::Expr*>& values, const std::string& text,
             const ir::Node* at, std::string_view collective);
  diag::Engine::Builder with_dispatch(diag::Engine::Builder builder) const;

  const Dispatch& dispatch_;
  const HostDomains& domains_;
  HostChecks& checks_;
  SignalUses& signals_;
  Participants& participants_;
  diag::Engine& diags_;
};

}  // namespace pyptoc::passes
