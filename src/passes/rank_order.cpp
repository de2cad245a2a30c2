// SPDX-License-Identifier: Apache-2.0
// Runs on some numbers of devices and with every outcome of what is not known, each played to its end.
#include "passes/rank_order.h"

#include <fmt/format.h>

#include <algorithm>

#include "diag/codes_host.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

constexpr int kMostRuns = 256;        // for one number of devices
constexpr int64_t kMoreDevices = 2;   // than needed; further ones behave like these
constexpr size_t kMostBranches = 16;  // that become checks

// A rank that never goes on, and one that it waits for.
struct Stuck {
  int64_t device = 0;
  MeetingPoint point;
  int64_t other = 0;
  std::optional<MeetingPoint> other_point;  // nothing: it is done
};

// Every rank goes on from a round when those that it waits for have come to theirs of the same number.
class Play {
 public:
  Play(const std::vector<std::vector<Round>>& traces, const NodeSet& open, const HostDomains& domains)
      : domains_(domains) {
    for (const std::vector<Round>& trace : traces) {
      devices_.emplace_back();
      for (const Round& round : trace)
        if (!open.contains(round.slot)) devices_.back().rounds.push_back(&round);
    }
    for (const Device& device : devices_)
      for (const Round* round : device.rounds)
        if (!ranks_.contains(round->slot)) ranks_[round->slot] = ranks_of(round->slot);
    for (Device& device : devices_) enter(device);
  }

  std::optional<Stuck> to_the_end() {
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t d = 0; d < devices_.size(); ++d)
        for (; !done(d) && !waits_for(d); moved = true) {
          ++devices_[d].at;
          enter(devices_[d]);
        }
    }
    for (size_t d = 0; d < devices_.size(); ++d) {
      if (done(d)) continue;
      const size_t other = *waits_for(d);
      Stuck out{static_cast<int64_t>(d), devices_[d].rounds[devices_[d].at]->point, static_cast<int64_t>(other), {}};
      if (!done(other)) out.other_point = devices_[other].rounds[devices_[other].at]->point;
      return out;
    }
    return std::nullopt;
  }

 private:
  struct Device {
    std::vector<const Round*> rounds;
    size_t at = 0;
    NodeMap<int> entered;  // by slot
  };

  static void enter(Device& device) {
    if (device.at < device.rounds.size()) ++device.entered[device.rounds[device.at]->slot];
  }
  bool done(size_t d) const { return devices_[d].at >= devices_[d].rounds.size(); }

  // One that has not come to the round that `d` is in.
  std::optional<size_t> waits_for(size_t d) const {
    const Round& round = *devices_[d].rounds[devices_[d].at];
    const int number = *devices_[d].entered.find(round.slot);
    const std::vector<int64_t>& ranks = *ranks_.find(round.slot);
    const size_t own =
        static_cast<size_t>(std::lower_bound(ranks.begin(), ranks.end(), static_cast<int64_t>(d)) - ranks.begin());
    for (size_t rank = 0; rank < ranks.size(); ++rank) {
      const size_t apart = rank > own ? rank - own : own - rank;
      const bool neighbour = apart == 1 || apart + 1 == ranks.size();
      if (apart == 0 || (round.point.info->id == Collective::AllreduceRing && !neighbour)) continue;
      const int* entered = devices_[static_cast<size_t>(ranks[rank])].entered.find(round.slot);
      if (entered == nullptr || *entered < number) return static_cast<size_t>(ranks[rank]);
    }
    return std::nullopt;
  }
  std::vector<int64_t> ranks_of(const Var* slot) const {
    const DeviceSet& domain = *domains_.devices_at(slot);
    return domain.is_every() ? DeviceSet::range(0, static_cast<int64_t>(devices_.size())).devices() : domain.devices();
  }

  const HostDomains& domains_;
  std::vector<Device> devices_;
  NodeMap<std::vector<int64_t>> ranks_;  // by slot
};

// The branches of a run, and whether ranks get stuck in every run that takes them.
using Branches = std::vector<std::pair<std::vector<const Expr*>, int>>;
struct Outcome {
  Branches branches;
  bool can_be_checked = true;  // at the start
  std::optional<Stuck> stuck;
};

class Order {
 public:
  Order(RankTraces& traces, const HostDomains& domains, HostChecks& checks, diag::Engine& diags)
      : traces_(traces), domains_(domains), checks_(checks), diags_(diags) {}

  void check(DeviceCount count) {
    std::vector<std::vector<Outcome>> by_count;
    for (int64_t more = 0; more <= kMoreDevices; ++more) {
      std::optional<std::vector<Outcome>> found = outcomes(count.least + more);
      if (!found) return;
      by_count.push_back(std::move(*found));
      if (count.exact || !traces_.uses_world()) break;
    }
    if (any(by_count.front(), true) && !any(by_count.front(), false)) {
      if (std::all_of(by_count.begin(), by_count.end(), [](const auto& one) { return !any(one, false); }))
        report(first_stuck(by_count.front()));
      return;
    }
    if (by_count.size() == 1 || any(by_count.front(), true)) {
      if (alike(by_count, 0)) require(by_count.front(), std::nullopt);
    } else if (alike(by_count, 1)) {
      require(by_count.back(), count.least);
    }
  }

 private:
  static bool any(const std::vector<Outcome>& outcomes, bool stuck) {
    return std::any_of(outcomes.begin(), outcomes.end(),
                       [&](const Outcome& one) { return one.stuck.has_value() == stuck; });
  }
  static const Stuck& first_stuck(const std::vector<Outcome>& outcomes) {
    return *std::find_if(outcomes.begin(), outcomes.end(), [](const Outcome& one) {
              return one.stuck.has_value();
            })->stuck;
  }
  // Whether the same branches lead to the same from the `first` number of devices on.
  static bool alike(const std::vector<std::vector<Outcome>>& by_count, size_t first) {
    for (size_t i = first + 1; i < by_count.size(); ++i) {
      const bool same = std::equal(by_count[i].begin(), by_count[i].end(), by_count[first].begin(),
                                   by_count[first].end(), [](const Outcome& a, const Outcome& b) {
                                     return a.branches == b.branches && a.stuck.has_value() == b.stuck.has_value();
                                   });
      if (!same) return false;
    }
    return true;
  }

  // Nothing where some run cannot be told, or there are too many.
  std::optional<std::vector<Outcome>> outcomes(int64_t world) {
    size_t open = traces_.open().size();
    std::vector<Outcome> out;
    std::vector<RunChoice> choices;
    for (int runs = 0; runs < kMostRuns; ++runs) {
      if (!traces_.run(world, choices)) return std::nullopt;
      if (traces_.open().size() != open) {  // from the beginning, without these
        open = traces_.open().size();
        out.clear();
        choices.clear();
        continue;
      }
      note(choices, Play(traces_.rounds(), traces_.open(), domains_).to_the_end(), out);
      while (!choices.empty() && choices.back().value + 1 == choices.back().count) choices.pop_back();
      if (choices.empty()) return out;
      ++choices.back().value;
    }
    return std::nullopt;
  }

  static void note(const std::vector<RunChoice>& choices, std::optional<Stuck> stuck, std::vector<Outcome>& out) {
    Outcome outcome;
    for (const RunChoice& choice : choices) {
      outcome.can_be_checked &= choice.is_branch && choice.fixed;  // a loop may not run at all
      if (choice.is_branch) outcome.branches.emplace_back(choice.about, choice.value);
    }
    auto known = std::find_if(out.begin(), out.end(), [&](const Outcome& o) { return o.branches == outcome.branches; });
    if (known == out.end()) {
      outcome.stuck = std::move(stuck);
      out.push_back(std::move(outcome));
    } else if (!stuck) {  // some number of iterations makes it right
      known->stuck.reset();
    }
  }

  static std::string name(const MeetingPoint& point) { return fmt::format("`{}`", point.info->public_name); }
  static std::string other_text(const Stuck& stuck) {
    return stuck.other_point ? fmt::format("waits in {}", name(*stuck.other_point)) : "runs it less often";
  }

  void report(const Stuck& stuck) {
    auto report = diags_.report(diag::codes::ranks_wait_for_ever, place_of(stuck.point.at), stuck.device,
                                stuck.point.info->public_name, stuck.other, other_text(stuck));
    if (stuck.point.on_chip != nullptr)
      report.note(fmt::format("device {} waits here", stuck.device), place_of(stuck.point.on_chip));
    if (!stuck.other_point) return;
    report.note(fmt::format("device {} waits in what is dispatched here", stuck.other),
                place_of(stuck.other_point->at));
    if (stuck.other_point->on_chip != nullptr)
      report.note(fmt::format("device {} waits here", stuck.other), place_of(stuck.other_point->on_chip));
  }

  // `devices`: on so many or fewer all is well.
  void require(const std::vector<Outcome>& outcomes, std::optional<int64_t> devices) {
    for (const Outcome& outcome : outcomes) {
      if (!outcome.stuck) continue;
      if (!outcome.can_be_checked || outcome.branches.size() > kMostBranches) return;
    }
    for (const Outcome& outcome : outcomes) {
      if (!outcome.stuck) continue;
      const Expr* good = nullptr;
      auto either = [&](const Expr* e) { good = good == nullptr ? e : checks_.either(good, e); };
      if (devices) either(checks_.condition(NodeKind::Le, checks_.world_size(), checks_.number(*devices)));
      for (const auto& [about, value] : outcome.branches)
        either(value != 0 ? checks_.inverse(about.front()) : about.front());
      const Stuck& stuck = *outcome.stuck;
      checks_.require(good,
                      fmt::format("{} would wait for ever: device {} in it for device {}, which {}", name(stuck.point),
                                  stuck.device, stuck.other, other_text(stuck)),
                      stuck.point.at->span);
    }
  }

  RankTraces& traces_;
  const HostDomains& domains_;
  HostChecks& checks_;
  diag::Engine& diags_;
};

}  // namespace

void check_rank_order(RankTraces& traces, const HostDomains& domains, DeviceCount count, HostChecks& checks,
                      diag::Engine& diags) {
  Order(traces, domains, checks, diags).check(count);
}

}  // namespace pyptoc::passes
