// SPDX-License-Identifier: Apache-2.0
#include "passes/nested_rewriter.h"

namespace pyptoc::passes {

using namespace ir;

const Stmt* NestedRewriter::inside(const Stmt* s) {
  around_.push_back({s, false});
  const IfStmt* branch = as<IfStmt>(s);
  const Stmt* now = branch != nullptr ? branches(branch) : rebuild(s);
  around_.pop_back();
  return now;
}

const Stmt* NestedRewriter::branches(const IfStmt* s) {
  IfStmt draft = *s;
  draft.then_body = stmt(s->then_body);
  around_.back().in_else = true;
  if (s->else_body != nullptr) draft.else_body = stmt(s->else_body);
  return draft.then_body == s->then_body && draft.else_body == s->else_body ? s : context().make(draft);
}

}  // namespace pyptoc::passes
