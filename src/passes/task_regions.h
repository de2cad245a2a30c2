// SPDX-License-Identifier: Apache-2.0
// Which part of its storage a tensor value of an orchestration shows, and whether two values meet.
#pragma once

#include <deque>

#include "passes/buffer_roots.h"
#include "passes/task_linear.h"

namespace pyptoc::passes {

// A box in the frame of a root: its shape, or the shape that a reshape of all of it has.
struct Region {
  struct Axis {
    bool whole = true;
    Linear begin;  // neither counts when whole
    Linear end;
  };

  int root = -1;  // -1: several or unknown
  // False: the value lies somewhere in the box, and may be as small as one element.
  bool exact = false;
  ir::List<const ir::Expr*> frame;
  std::vector<Axis> axes;          // one for each axis of the frame; empty: all of it
  std::vector<int8_t> frame_axis;  // for each axis of the value the axis of the frame; empty: they do not match

  bool is_whole() const;
};

// How a value meets one that was used earlier. What is not known is the careful answer.
struct Meeting {
  bool may = true;      // some element can be in both
  bool must = false;    // some element is in both, unless one of them is empty
  bool covers = false;  // the later one holds all of the earlier one
};
// `crossing` as in Scalars::difference.
Meeting meet(const Region& later, const Region& earlier, const Scalars& scalars, int crossing);

// The regions of all tensor values of one function.
class FunctionRegions {
 public:
  FunctionRegions(const ir::Function* function, BufferRoots& roots);

  const Region& of(const ir::Expr* value) const;
  // One element of a tensor, as tensor.read and tensor.write name it.
  Region element(const ir::Expr* tensor, const ir::Expr* indices);
  const FunctionRoots& roots() const { return roots_; }
  const Scalars& scalars() const { return scalars_; }
  // The number of a for or while statement of the function, in order of their beginning.
  const LoopTree& loops() const { return loops_; }

 private:
  friend class RegionFinder;
  void cut(Region& region, size_t axis, const ir::Expr* offset, const ir::Expr* extent);

  const FunctionRoots& roots_;
  LoopTree loops_;
  Scalars scalars_;
  ir::NodeMap<const Region*> values_;
  std::deque<Region> regions_;
  Region unknown_;
};

}  // namespace pyptoc::passes
