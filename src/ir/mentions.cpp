// SPDX-License-Identifier: Apache-2.0
#include "ir/mentions.h"

#include <algorithm>

#include "ir/walker.h"

namespace pyptoc::ir {

namespace {

class Mentions : public Walker {
 public:
  explicit Mentions(List<const Var*> vars) : vars_(vars) {}
  bool found = false;

 protected:
  void visit(const Node* node) override {
    found = found || std::ranges::find(vars_, node) != vars_.end();
    if (!found) children(node);
  }

 private:
  List<const Var*> vars_;
};

}  // namespace

bool mentions(const Node* node, List<const Var*> vars) {
  Mentions walk(vars);
  walk.walk(node);
  return walk.found;
}

bool mentions(const Node* node, const Var* var) {
  return mentions(node, List<const Var*>(&var, 1));
}

}  // namespace pyptoc::ir
