// SPDX-License-Identifier: Apache-2.0
// Base of passes that change the IR: rebuilds what changed, returns everything else as it is.
#pragma once

#include <vector>

#include "ir/context.h"
#include "ir/depth_guard.h"
#include "ir/epoch_map.h"
#include "ir/node_map.h"

namespace pyptoc::ir {

// A subclass overrides rewrite() for the nodes it cares about and calls rebuild() for the rest. Expressions shared by
// several parents are rewritten once for each statement that uses them, and the results are shared again.
//
// Variables: a use goes through the substitutions; a definition (the fields marked `defines`) goes through define(),
// which by default keeps the variable, or makes a new one and records the substitution where its own parts changed (an
// IterArg's initial value; the type, if types_too; then also the size of a window, which types name).
class Rewriter {
 public:
  explicit Rewriter(Context& context, bool types_too = false) : context_(context), types_too_(types_too) {}
  virtual ~Rewriter() = default;
  Rewriter(const Rewriter&) = delete;
  Rewriter& operator=(const Rewriter&) = delete;

  // Never null.
  const Expr* expr(const Expr* e);
  // Never null: a statement that rewrites to nothing becomes an empty SeqStmts.
  const Stmt* stmt(const Stmt* s);
  const Type* type(const Type* t);
  virtual const Function* function(const Function* f);
  virtual const Program* program(const Program* p);

  // From here on, uses of `from` become `to`. A definition of `from` becomes one of `to` where that is a variable.
  void substitute(const Var* from, const Expr* to);
  const Expr* substitution(const Var* var) const;  // null when there is none

 protected:
  virtual const Expr* rewrite(const Expr* e) { return rebuild(e); }
  // Null removes the statement; a SeqStmts is spliced into the list that held the old statement.
  virtual const Stmt* rewrite(const Stmt* s) { return rebuild(s); }
  virtual const Var* define(const Var* var);

  // The node with its parts rewritten; the same node when none changed. Of a list that one statement is left of, that
  // statement.
  const Expr* rebuild(const Expr* e);
  const Stmt* rebuild(const Stmt* s);
  List<const Stmt*> stmts(List<const Stmt*> list);
  // In place; true when something changed.
  bool rewrite_attrs(List<Attr>& attrs);

  Context& context() { return context_; }

 private:
  const Node* rebuild_node(const Node* node);
  template <class S>
  bool rewrite_fields(S& draft, bool defining_only, bool using_only);
  template <class V>
  bool rewrite_value(V& value, bool defines);
  const Var* var_use(const Var* var);

  Context& context_;
  bool types_too_;
  int depth_ = 0;
  EpochMap<const Expr*> memo_;  // results of expr() hold within one statement and one set of substitutions
  NodeMap<const Expr*> substitutions_;
};

}  // namespace pyptoc::ir
