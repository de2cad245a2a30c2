// SPDX-License-Identifier: Apache-2.0
// What each device meets of collectives, in order, in one run of a HOST function. Internal to check_window_provenance.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "passes/chip_rounds.h"
#include "passes/host_collective_checks.h"
#include "passes/start_values.h"

namespace pyptoc::passes {

// Where a rank waits for others.
struct MeetingPoint {
  const ir::Expr* at = nullptr;  // the dispatch, or the collective of the HOST function
  const ir::CollectiveInfo* info = nullptr;
  const ir::Expr* on_chip = nullptr;  // the collective of the chip function
};

struct Round {
  const ir::Var* slot;  // of the signal
  MeetingPoint point;
};

// How a branch goes or how often a loop runs, where only run time can tell.
struct RunChoice {
  std::vector<const ir::Expr*> about;  // a condition, or start, stop and step
  bool is_branch = false;
  bool fixed = false;  // by what is known when the program starts, so that it goes so wherever it stands
  int value = 0;
  int count = 0;  // values are below
};

// Takes one run after the other through the function, so that all choices are met.
class RankTraces {
 public:
  RankTraces(const ir::Function* host, const ir::Program* program, const HostDomains& domains,
             const StartValues& values, BufferRoots& roots)
      : host_(host), program_(program), domains_(domains), values_(values), roots_(roots) {}

  // The rounds of each device in a run with these choices on so many devices; choices that the run meets are added.
  // False when the run cannot be told.
  bool run(int64_t world, std::vector<RunChoice>& choices);
  const std::vector<std::vector<Round>>& rounds() const { return traces_; }
  // Slots whose rounds are not all known. A run may add some; what was seen before is then void.
  const ir::NodeSet& open() const { return open_; }
  // Whether the number of devices had a say.
  bool uses_world() const { return uses_world_; }

 private:
  void stmt(const ir::Stmt* s);
  void branch(const ir::IfStmt* s);
  void for_loop(const ir::ForStmt* s);
  void some_iterations(const ir::Stmt* body, std::vector<const ir::Expr*> about);
  void evaluate(const ir::Expr* e);
  void dispatch(const ir::Expr* e, const ir::Function* chip);
  void collective(const ir::Call* call, const ir::CollectiveInfo& info);
  void meet(int64_t device, const ir::Var* slot, const MeetingPoint& point);
  void must_be_even(const std::vector<size_t>& before);
  void open(const ir::Expr* window);
  bool meets_others(const ir::Stmt* s);
  int choose(std::vector<const ir::Expr*> about, bool is_branch, int count);
  bool fixed(const std::vector<const ir::Expr*>& about) const;
  std::optional<int64_t> value(const ir::Expr* e);
  std::optional<int64_t> value_inside(const ir::Expr* e);
  std::optional<int64_t> value_of_both(const ir::BinaryExpr* e);
  const ChipRounds& rounds_in(const ir::Function* chip);

  const ir::Function* host_;
  const ir::Program* program_;
  const HostDomains& domains_;
  const StartValues& values_;
  BufferRoots& roots_;
  ir::NodeMap<std::shared_ptr<ChipRounds>> chips_;
  ir::NodeMap<bool> meets_;  // of loops and branches
  ir::NodeSet open_;
  size_t steps_ = 0;
  // Of the run.
  std::vector<RunChoice>* choices_ = nullptr;
  size_t fresh_ = 0;  // the next choice that is not fixed
  int64_t world_ = 0;
  std::vector<std::vector<Round>> traces_;  // by device
  ir::NodeMap<int64_t> counters_;           // of loops
  bool lost_ = false;
  bool uses_world_ = false;
  int depth_ = 0;
  int value_depth_ = 0;
};

}  // namespace pyptoc::passes
