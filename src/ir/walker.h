// SPDX-License-Identifier: Apache-2.0
// Base of analyses: visits every node once in canonical order, with a checked depth.
#pragma once

#include "ir/depth_guard.h"
#include "ir/epoch_map.h"
#include "ir/node_map.h"
#include "ir/reflect.h"

namespace pyptoc::ir {

// A subclass overrides visit() for the kinds it cares about and calls children() to go on below. A node that several
// parents share is visited at each of them, except expressions other than variables, which are visited once for each
// statement that uses them.
class Walker {
 public:
  Walker() = default;
  virtual ~Walker() = default;
  Walker(const Walker&) = delete;
  Walker& operator=(const Walker&) = delete;

  void walk(const Node* node) {
    if (node == nullptr) return;
    DepthGuard guard(depth_);
    if (is_stmt(node->kind)) seen_.forget();
    if (is_expr(node->kind) && !is_var(node->kind) && !is_const(node->kind) && !seen_.insert(node, true)) return;
    visit(node);
  }

 protected:
  virtual void visit(const Node* node) { children(node); }
  // The direct children. A variable has none here: an IterArg's initial value is walked where the loop defines it.
  void children(const Node* node) {
    if (is_var(node->kind)) return;
    for_each_child(node, [&](const Node* child) {
      walk(child);
      if (const IterArg* arg = as<IterArg>(child); arg != nullptr && is_loop(node)) walk(arg->init_value);
    });
  }

 private:
  static bool is_loop(const Node* node) { return node->kind == NodeKind::ForStmt || node->kind == NodeKind::WhileStmt; }
  int depth_ = 0;
  EpochMap<bool> seen_;  // in this statement
};

}  // namespace pyptoc::ir
