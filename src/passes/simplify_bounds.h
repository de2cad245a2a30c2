// SPDX-License-Identifier: Apache-2.0
// What is known of integer values at one place of a function: intervals, and differences of linear expressions.
#pragma once

#include <vector>

#include "ir/expr.h"
#include "ir/node_map.h"

namespace pyptoc::passes {

// Both ends included; the ends of the 64-bit range stand for no bound.
struct Interval {
  int64_t low;
  int64_t high;

  bool is_single() const { return low == high; }
};
Interval everything();
Interval single(int64_t value);

class Bounds {
 public:
  // Of an integer expression; everything() for others.
  Interval of(const ir::Expr* e);
  // Of `left - right`, where equal parts cancel; computed as if nothing overflowed, which is an error elsewhere.
  Interval of_difference(const ir::Expr* left, const ir::Expr* right);

  // `var` is `value` under another name, wherever it is seen: what is known of one is known of the other.
  void is_copy(const ir::Var* var, const ir::Var* value) { copies_[var] = source(value); }
  // From here on until forgotten, `var` lies in `interval` too.
  void restrict_to(const ir::Var* var, Interval interval);
  // From here on until forgotten, `condition` has the value `truth`.
  void assume(const ir::Expr* condition, bool truth);
  size_t mark() const { return log_.size(); }
  void forget_since(size_t mark);

 private:
  struct Term {
    const ir::Expr* atom;
    int64_t factor;
  };
  struct Linear {
    std::vector<Term> terms = {};  // distinct atoms, no zero factors
    int64_t constant = 0;
    int steps = 0;
    bool valid = true;  // within the limits of size and range
  };
  struct Memo {
    uint32_t epoch = 0;
    Interval interval = {0, 0};
  };

  template <class E>
  const E* source(const E* e) const {
    const ir::Var* const* found = copies_.find(e);
    return found != nullptr ? *found : e;
  }
  Interval compute_of(const ir::Expr* e);
  Interval of_binary(const ir::BinaryExpr* e);
  void add(Linear& out, const ir::Expr* e, int64_t factor);
  void add_term(Linear& out, const ir::Expr* atom, int64_t factor);
  Linear difference(const ir::Expr* left, const ir::Expr* right);
  void assume_comparison(ir::NodeKind kind, const ir::Expr* left, const ir::Expr* right);

  ir::NodeMap<const ir::Var*> copies_;
  ir::NodeMap<Interval> vars_;
  ir::NodeMap<Memo> memo_;
  uint32_t epoch_ = 1;
  int depth_ = 0;
  std::vector<std::pair<const ir::Var*, Interval>> log_;
};

// Operators on intervals; exact ends or none.
Interval intersect(Interval a, Interval b);

}  // namespace pyptoc::passes
