// SPDX-License-Identifier: Apache-2.0
// Turns statements that leave a region early into branches; what break, continue and early returns have in common.
#pragma once

#include "ir/rewriter.h"

namespace pyptoc::passes {

// A region is the body of a function, or one iteration of a loop. What follows a statement that may leave the region
// moves into the branch that stays; where both branches may stay, it is guarded by a flag:
//
//     if a:                       if a:
//         EXIT                        ...
//     rest                 ->     else:
//                                     rest
//
// The output is linear in the input: nothing is copied.
class ExitLowering : public ir::Rewriter {
 public:
  explicit ExitLowering(ir::Context& context) : Rewriter(context, true) {}

 protected:
  enum class Flow : uint8_t { Falls, May, Exits };  // through to the next statement; exits on some paths; on all

  // What surrounds the statements that are being lowered.
  struct Region {
    const ir::Var* left = nullptr;  // true once the region was left; made on demand
    bool made_left = false;         // here: it becomes false where the region begins and true at each exit
  };

  virtual bool is_exit(const ir::Stmt* s) const = 0;
  // Appends what an exit does, apart from leaving.
  virtual void replace_exit(const ir::Stmt* exit, std::vector<const ir::Stmt*>& out) = 0;
  // Called for a scope that an exit would leave; false when that cannot be, after reporting it.
  virtual bool may_leave(const ir::ScopeStmt* scope, const ir::Stmt* exit) = 0;

  Flow flow(const ir::Stmt* s);
  // The body of a region, its yield made assignments of `targets` (kept when there are none).
  std::vector<const ir::Stmt*> lower_region(const ir::Stmt* body, ir::List<const ir::Var*> targets, Region& region);
  const ir::Stmt* assign_bool(const ir::Var* var, bool value, const ir::Span* span);
  const ir::Expr* negated(const ir::Expr* e, const ir::Span* span);
  const ir::Stmt* guarded(const ir::Expr* condition, std::vector<const ir::Stmt*> body, const ir::Span* span);

 private:
  // The statements that are still to do: some of a list, then those behind it.
  struct Rest {
    ir::List<const ir::Stmt*> stmts;
    ir::List<const ir::Var*> targets;
    const Rest* next = nullptr;
  };

  void lower(const Rest* rest, std::vector<const ir::Stmt*>& out);
  bool lower_one(const ir::Stmt* s, ir::List<const ir::Var*> targets, const Rest* tail,
                 std::vector<const ir::Stmt*>& out);
  void lower_if(const ir::IfStmt* s, const Rest* tail, std::vector<const ir::Stmt*>& out);
  const ir::Stmt* lower_branch(const ir::Stmt* body, ir::List<const ir::Var*> targets, const Rest* tail,
                               const ir::Span* span);
  void lower_scope(const ir::ScopeStmt* s, ir::List<const ir::Var*> targets, std::vector<const ir::Stmt*>& out);
  void skip_unless_left(const Rest* tail, const ir::Span* span, std::vector<const ir::Stmt*>& out);
  static bool is_empty(const Rest* rest);
  const ir::Stmt* first_exit(const ir::Stmt* s);

  ir::NodeMap<Flow> flows_;
  Region* region_ = nullptr;
  int nesting_ = 0;
};

}  // namespace pyptoc::passes
