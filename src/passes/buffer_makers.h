// SPDX-License-Identifier: Apache-2.0
// Which buffers of a function each call makes.
#pragma once

#include <vector>

#include "passes/buffer_roots.h"

namespace pyptoc::passes {

class BufferMakers {
 public:
  explicit BufferMakers(const FunctionRoots& roots) : next_(roots.size(), 0) {
    first_.reserve(roots.size());
    for (size_t i = roots.size(); i-- > 0;) {
      const Root& root = roots.root(static_cast<int>(i));
      if (root.kind == Root::Kind::Param) continue;
      int& first = first_[root.node];
      next_[i] = first;
      first = static_cast<int>(i) + 1;
    }
  }

  // Calls use(root number) for each root of what `call` makes, in order.
  template <class Use>
  void for_each_made_by(const ir::Expr* call, Use use) const {
    const int* first = first_.find(call);
    for (int root = first != nullptr ? *first : 0; root > 0; root = next_[static_cast<size_t>(root - 1)])
      use(static_cast<size_t>(root - 1));
  }

 private:
  ir::NodeMap<int> first_;  // of what a call makes: number of a root plus 1
  std::vector<int> next_;   // by root: another one of the same call, plus 1; 0 for none
};

}  // namespace pyptoc::passes
