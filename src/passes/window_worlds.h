// SPDX-License-Identifier: Apache-2.0
// Places of tensor variables on several paths at once. Internal to window_flow.
#pragma once

#include <vector>

#include "ir/expr.h"
#include "ir/node_map.h"

namespace pyptoc::passes {

// A row is one way in which the tensors of a function can be bound at a statement: a place for each variable whose
// place depends on the path. Variables with one place whatever the path are kept apart. Rows are distinct and sorted.
class WindowWorlds {
 public:
  using Row = std::vector<int>;
  static constexpr size_t kMaxRows = 64;

  struct State {
    std::vector<const ir::Var*> keys;
    std::vector<Row> rows;
  };

  WindowWorlds() { state_.rows.push_back({}); }

  size_t count() const { return state_.rows.size(); }
  int place(const ir::Var* var, size_t row) const {
    if (const size_t* column = columns_.find(var); column != nullptr && *column != 0)
      return state_.rows[row][*column - 1];
    const int* place = base_.find(var);
    return place != nullptr ? *place : -1;
  }
  // `places` for each row.
  void define(const ir::Var* var, const std::vector<int>& places);

  const State& state() const { return state_; }
  // The rows become `rows`, whose first entries are the first `kept` keys of the state now, followed by one for each of
  // `more`. Rows are made distinct. False when there are more than kMaxRows, of which only so many are kept.
  bool replace(size_t kept, const std::vector<const ir::Var*>& more, std::vector<Row> rows);
  void restore(State state);

  // The first `kept` entries of each row, with the row's own entries of `more` behind.
  std::vector<Row> extended(size_t kept, const std::vector<Row>& more) const;

 private:
  void set_keys(std::vector<const ir::Var*> keys);

  State state_;
  ir::NodeMap<int> base_;
  ir::NodeMap<size_t> columns_;  // column + 1; 0 for none
};

}  // namespace pyptoc::passes
