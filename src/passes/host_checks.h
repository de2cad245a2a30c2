// SPDX-License-Identifier: Apache-2.0
// Checks that only run time can make, as operations of a HOST function: system.require(condition, text) at its
// beginning, before anything is allocated or dispatched.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ir/context.h"
#include "passes/simplify_bounds.h"
#include "passes/start_values.h"

namespace pyptoc::passes {

enum class Truth : uint8_t { No, Unknown, Yes };

class HostChecks {
 public:
  HostChecks(const ir::Function* function, ir::Context& context);

  const ir::Expr* world_size();
  const ir::Expr* number(int64_t value);
  // `left kind right` over integers, with variables that stand for pld.world_size() or a constant replaced by it.
  const ir::Expr* condition(ir::NodeKind kind, const ir::Expr* left, const ir::Expr* right);
  // Whether a comparison Ge, Gt, Le, Lt or Eq holds whatever the unknown values are.
  Truth known(const ir::Expr* condition);

  // Adds a check unless the condition is known to hold, or the same check is there. Null when it was added or is not
  // needed, otherwise a variable in the condition that has no value at the beginning.
  const ir::Var* require(const ir::Expr* condition, const std::string& text, const ir::Span* span);
  const ir::Var* require(ir::NodeKind kind, const ir::Expr* left, const ir::Expr* right, const std::string& text,
                         const ir::Span* span) {
    return require(condition(kind, left, right), text, span);
  }
  // The definitions that `e` needs move to the beginning as well. Requires that they can.
  void need(const ir::Expr* e) { start_.need(e); }
  const StartValues& start() const { return start_; }

  // The function given, which may be another version of the constructor's with the same definitions, with all checks at
  // its beginning.
  const ir::Function* insert_into(const ir::Function* function) const;

 private:
  const ir::Expr* plain(const ir::Expr* e);

  ir::Context& context_;
  StartValues start_;
  Bounds bounds_;
  const ir::Expr* world_size_ = nullptr;
  std::unordered_map<std::string, std::vector<const ir::Expr*>> by_text_;
  std::vector<const ir::Stmt*> checks_;
};

}  // namespace pyptoc::passes
