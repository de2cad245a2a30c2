// SPDX-License-Identifier: Apache-2.0
// Names that are assigned values of several types. A name stands for one variable for each type; which of them it means
// depends on the assignment before. In a loop that may be the assignment of the iteration before, and in an `else` it
// is none of the `then`.
#pragma once

#include <unordered_map>
#include <vector>

#include "ir/expr.h"
#include "ir/node_map.h"
#include "text/token.h"

namespace pyptoc::text {

class Rebindings {
 public:
  // An assignment that made `name` stand for another variable.
  struct Change {
    NameId name = 0;
    const ir::Var* before = nullptr;
    const ir::Var* after = nullptr;
    uint32_t at = 0;  // token
  };
  // The loop uses `change.before` before it assigns it, and its end has made the name mean another variable.
  struct Conflict {
    Change change;
    uint32_t used_at = 0;
  };

  void begin_function();
  void use(const ir::Var* var, uint32_t at);
  void assign(const ir::Var* var);
  void change(const Change& change);
  // The variable of that type that the name stood for before, or null. Only the last few are looked at.
  const ir::Var* former(NameId name, const ir::Type* type) const;

  void begin_block(bool loop);
  void end_block();
  // What the open block changed so far, for each name from its beginning to now.
  std::vector<Change> changes() const;
  // Of the open loop, for each such name.
  std::vector<Conflict> conflicts() const;
  // Both branches of an if have been left: what each of them assigned is assigned behind it.
  void join(const std::vector<const ir::Var*>& in_then, const std::vector<const ir::Var*>& in_else);
  std::vector<const ir::Var*> assigned() const { return blocks_.back().list; }

 private:
  struct Block {
    bool loop = false;
    size_t mark = 0;  // in log_
    ir::NodeSet assigned;
    std::vector<const ir::Var*> list;
    ir::NodeMap<uint32_t> exposed;  // loops: where a variable is used that the iteration may not have assigned
  };
  std::vector<Block> blocks_;
  std::vector<Change> log_;
  std::unordered_map<NameId, std::vector<const ir::Var*>> former_;  // of the function
};

}  // namespace pyptoc::text
