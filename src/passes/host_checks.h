// SPDX-License-Identifier: Apache-2.0
// Checks that only run time can make, as operations of a HOST function: system.require(condition, text) at its
// beginning, before anything is allocated or dispatched.
//
// A check of a statement inside of branches and loops stands in the same branches, and in the same loops where the
// condition depends on their variables:
//     for i in pl.range(n):                                          for i in pl.range(n):
//         if n > 1:                                                      if n > 1:
//             all_to_all_v(..., i + 1)   -> at the beginning:                pl.system.require(i + 1 <= 8, ...)
// Of other loops only whether they run counts; a while loop is taken to run.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ir/context.h"
#include "passes/simplify_bounds.h"
#include "passes/start_values.h"

namespace pyptoc::passes {

enum class Truth : uint8_t { No, Unknown, Yes };

// A statement around the one that a check is for.
struct Around {
  const ir::Stmt* stmt = nullptr;  // if, for or while
  bool in_else = false;

  bool operator==(const Around&) const = default;
};

class HostChecks {
 public:
  HostChecks(const ir::Function* function, ir::Context& context);

  const ir::Expr* world_size();
  const ir::Expr* number(int64_t value);
  // `left kind right` over integers, with variables that stand for pld.world_size() or a constant replaced by it.
  const ir::Expr* condition(ir::NodeKind kind, const ir::Expr* left, const ir::Expr* right);
  // `condition`, or anything where `guard` does not hold.
  const ir::Expr* unless(const ir::Expr* guard, const ir::Expr* condition);
  const ir::Expr* either(const ir::Expr* one, const ir::Expr* other);
  const ir::Expr* inverse(const ir::Expr* condition);
  // 2 * `count` - 1, the steps of a ring.
  const ir::Expr* twice_less_one(const ir::Expr* count);
  // Whether a comparison Ge, Gt, Le, Lt or Eq holds whatever the unknown values are.
  Truth known(const ir::Expr* condition);

  // Adds a check unless the condition is known to hold, or the same check is there. `around`, outermost first, is what
  // the statement stands in. Each `{}` of the text stands for the next of `values`. Null when it was added or is not
  // needed, otherwise a variable in the condition whose value the beginning cannot know.
  const ir::Var* require(const ir::Expr* condition, const std::string& text, const ir::Span* span,
                         const std::vector<Around>& around = {}, const std::vector<const ir::Expr*>& values = {});
  // The definitions that `e` needs move to the beginning as well. Requires that they can.
  void need(const ir::Expr* e) { start_.need(e); }
  const StartValues& start() const { return start_; }

  // The function given, which may be another version of the constructor's with the same definitions, with all checks at
  // its beginning.
  const ir::Function* insert_into(const ir::Function* function) const;

 private:
  struct Known {
    const ir::Expr* condition;
    Around innermost;
  };
  const ir::Expr* plain(const ir::Expr* e);
  // `e` in terms of what is known at the beginning and of the variables of `loops`; null when it cannot be, and then
  // `unknown` is a variable that is neither.
  const ir::Expr* expanded(const ir::Expr* e, const ir::NodeSet& loops, const ir::Var*& unknown);
  const ir::Stmt* inside(const ir::Stmt* check, const std::vector<Around>& around, const ir::NodeSet& loops,
                         const ir::Var*& unknown);
  const ir::Stmt* guarded(const ir::Expr* condition, const ir::Stmt* check);
  const ir::Stmt* repeated(const ir::ForStmt* loop, const ir::Stmt* check, const ir::NodeSet& loops,
                           const ir::Var*& unknown);

  ir::Context& context_;
  StartValues start_;
  Bounds bounds_;
  const ir::Expr* world_size_ = nullptr;
  std::unordered_map<std::string, std::vector<Known>> by_text_;
  std::vector<const ir::Stmt*> checks_;
};

}  // namespace pyptoc::passes
