// SPDX-License-Identifier: Apache-2.0
// Searches: whether something occurs in a piece of a program. They stop at the first node that is found.
#pragma once

#include "ir/walker.h"

namespace pyptoc::ir {

template <class Holds>
class Search : public Walker {
 public:
  Search(Holds holds, bool statements_only) : holds_(holds), statements_only_(statements_only) {}
  bool found() const { return found_; }

 protected:
  void visit(const Node* node) override {
    if (found_ || (statements_only_ && !is_stmt(node->kind))) return;
    found_ = holds_(node);
    if (!found_) children(node);
  }

 private:
  Holds holds_;
  bool statements_only_;
  bool found_ = false;
};

// Whether `holds(node)` for a node at or below `root`, in the order and with the limit of a Walker. `root` may be null.
template <class Holds>
bool contains(const Node* root, Holds holds) {
  Search search(holds, false);
  search.walk(root);
  return search.found();
}

// The same of statements; expressions are not looked at.
template <class Holds>
bool contains_statement(const Node* root, Holds holds) {
  Search search(holds, true);
  search.walk(root);
  return search.found();
}

// Whether the variable occurs, definitions included.
inline bool mentions(const Node* root, const Var* var) {
  return contains(root, [&](const Node* node) { return node == var; });
}

}  // namespace pyptoc::ir
