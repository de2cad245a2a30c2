// SPDX-License-Identifier: Apache-2.0
// Integer scalars of an orchestration as polynomials over variables whose range may be known.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ir/node_map.h"
#include "ir/program.h"
#include "passes/task_bounds.h"

namespace pyptoc::passes {

// A constant plus products of one or two variables with a coefficient that is not 0. Two variables are enough for what
// offsets are made of: the number of a part times an extent that is known at run time.
struct Linear {
  struct Term {
    const ir::Var* first;
    const ir::Var* second;  // null, or not older than `first`
    int64_t factor;
    bool operator==(const Term&) const = default;
  };
  std::vector<Term> terms;  // in order of age of their variables
  int64_t constant = 0;

  bool operator==(const Linear&) const = default;
  bool is_constant() const { return terms.empty(); }
};
// Nothing on overflow, and for more terms than anybody writes.
std::optional<Linear> add(const Linear& a, const Linear& b, int64_t factor);
std::optional<Linear> multiply(const Linear& a, const Linear& b);

// Both ends included; nothing is no bound.
struct Range {
  std::optional<int64_t> low;
  std::optional<int64_t> high;
};

// Loops are numbered by who uses this; a loop lies in itself and in the loops around it.
class LoopTree {
 public:
  int add(int parent) {
    parents_.push_back(parent);
    return static_cast<int>(parents_.size()) - 1;
  }
  int parent(int loop) const { return parents_[static_cast<size_t>(loop)]; }
  bool lies_in(int loop, int outer) const {
    while (loop > outer) loop = parent(loop);
    return loop == outer;
  }

 private:
  std::vector<int> parents_;  // -1 outside of all; always less than the loop itself
};

class Scalars {
 public:
  Scalars(const LoopTree& loops, const ir::Function* function) : loops_(loops) { least_.extents(function); }

  // The variable gets a value that is not looked into, in a loop (-1: none).
  void define(const ir::Var* var, int loop, Range range = {}, int64_t step = 0);
  // An assignment; other than by sums and products of integers it is like define(), with a lower bound where one is
  // known.
  void assign(const ir::Var* var, const ir::Expr* value, int loop);
  // Nothing where the value is no linear form. A variable that was never defined counts as defined outside of all
  // loops.
  std::optional<Linear> linear(const ir::Expr* e);

  // The values that later - earlier can have. The forms belong to two points of a run: to the same iteration of all
  // loops that both are in; or, with `crossing`, `earlier` to an earlier iteration of that loop than `later`, and to
  // the same one of the loops around it.
  Range difference(const Linear& later, const Linear& earlier, int crossing) const;

 private:
  struct Symbol {
    int loop = -1;
    Range range;
    int64_t step = 0;  // of the variable of a loop; 0 when unknown, or no such variable
  };
  // A product of at most two variables, with its factors in the later and in the earlier form.
  struct Pair {
    const ir::Var* first;
    const ir::Var* second;
    int64_t later;
    int64_t earlier;
  };
  std::optional<Linear> linear_binary(const ir::BinaryExpr* e, int depth);
  std::optional<Linear> linear(const ir::Expr* e, int depth);
  Symbol symbol(const ir::Var* var) const;
  bool is_steady(const Symbol& symbol, int crossing) const {
    return crossing < 0 || !loops_.lies_in(symbol.loop, crossing);
  }
  // The same value in both forms, and at least 0.
  bool is_scale(const ir::Var* var, int crossing) const;
  Range of_pair(const Pair& pair, int crossing) const;

  const LoopTree& loops_;
  ir::NodeMap<Symbol> symbols_;
  ir::NodeMap<Linear> values_;
  LeastValues least_;
};

}  // namespace pyptoc::passes
