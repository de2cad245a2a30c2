// SPDX-License-Identifier: Apache-2.0
// TaskIds that stand for several tasks.
#pragma once

#include "ir/node_map.h"
#include "ir/program.h"

namespace pyptoc::passes {

// Who depends on what a Parallel loop of a manual scope carries depends on the tasks of all iterations. Such a TaskId
// is an array of ids, and so is what it becomes: the result of a branch, the carry of another loop, a Parallel loop
// around with the ids of all its iterations.
//
//   for i, (a,) in pl.parallel(2, init_values=(none,)):       outer: 2 * 4 ids
//     for j, (b,) in pl.parallel(4, init_values=(a,)):        inner: 4 ids
//       x, t = pl.submit(self.k, x, deps=[b])
//       inner = pl.yield_(t)
//     outer = pl.yield_(inner)
//
// Every slot of an array holds an id; an id that stands for one task only is in all of them.
class IdArrays {
 public:
  static constexpr int64_t kMost = 4096;  // ids of one array; it lies on a stack

  explicit IdArrays(const ir::Function* function);
  // How many ids the value has; 0 for a single one.
  int64_t extent(const ir::Expr* id) const;
  // A carry whose number of ids has no bound below kMost; null when there is none.
  const ir::Var* too_many() const { return too_many_; }

 private:
  friend class IdArrayFinder;
  ir::NodeMap<int64_t> extents_;
  const ir::Var* too_many_ = nullptr;
};

}  // namespace pyptoc::passes
