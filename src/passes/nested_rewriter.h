// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ir/rewriter.h"
#include "passes/host_checks.h"

namespace pyptoc::passes {

// A rewriter that knows which ifs and loops are around the statement under way, as HostChecks wants them.
class NestedRewriter : public ir::Rewriter {
 protected:
  using Rewriter::Rewriter;

  static bool nests(const ir::Stmt* s) {
    return s->kind == ir::NodeKind::IfStmt || s->kind == ir::NodeKind::ForStmt || s->kind == ir::NodeKind::WhileStmt;
  }
  // What rebuild() makes of a statement that nests; for an if, of its branches only.
  const ir::Stmt* inside(const ir::Stmt* s);
  // Outermost first.
  const std::vector<Around>& around() const { return around_; }

 private:
  const ir::Stmt* branches(const ir::IfStmt* s);

  std::vector<Around> around_;
};

}  // namespace pyptoc::passes
