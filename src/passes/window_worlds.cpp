// SPDX-License-Identifier: Apache-2.0
#include "passes/window_worlds.h"

#include <algorithm>

namespace pyptoc::passes {

using namespace ir;

void WindowWorlds::define(const Var* var, const std::vector<int>& places) {
  if (const size_t* column = columns_.find(var); column != nullptr && *column != 0) {
    for (size_t row = 0; row < places.size(); ++row) state_.rows[row][*column - 1] = places[row];
    return;
  }
  const bool one = std::all_of(places.begin(), places.end(), [&](int place) { return place == places.front(); });
  if (one) {
    base_[var] = places.front();
    return;
  }
  state_.keys.push_back(var);
  columns_[var] = state_.keys.size();
  for (size_t row = 0; row < places.size(); ++row) state_.rows[row].push_back(places[row]);
}

void WindowWorlds::set_keys(std::vector<const Var*> keys) {
  for (const Var* key : state_.keys) columns_[key] = 0;
  state_.keys = std::move(keys);
  for (size_t i = 0; i < state_.keys.size(); ++i) columns_[state_.keys[i]] = i + 1;
}

void WindowWorlds::restore(State state) {
  set_keys(std::move(state.keys));
  state_.rows = std::move(state.rows);
}

std::vector<WindowWorlds::Row> WindowWorlds::extended(size_t kept, const std::vector<Row>& more) const {
  std::vector<Row> out;
  for (size_t row = 0; row < state_.rows.size(); ++row) {
    Row one(state_.rows[row].begin(), state_.rows[row].begin() + static_cast<std::ptrdiff_t>(kept));
    one.insert(one.end(), more[row].begin(), more[row].end());
    out.push_back(std::move(one));
  }
  return out;
}

bool WindowWorlds::replace(size_t kept, const std::vector<const Var*>& more, std::vector<Row> rows) {
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const bool fits = rows.size() <= kMaxRows;
  if (!fits) rows.resize(kMaxRows);
  std::vector<const Var*> keys(state_.keys.begin(), state_.keys.begin() + static_cast<std::ptrdiff_t>(kept));
  keys.insert(keys.end(), more.begin(), more.end());
  // A column with one value is no matter of the path.
  std::vector<size_t> columns;
  for (size_t c = 0; c < keys.size(); ++c) {
    const bool one = std::all_of(rows.begin(), rows.end(), [&](const Row& row) { return row[c] == rows.front()[c]; });
    if (one && c >= kept)
      base_[keys[c]] = rows.front()[c];
    else
      columns.push_back(c);
  }
  std::vector<const Var*> varying;
  for (size_t c : columns) varying.push_back(keys[c]);
  for (Row& row : rows) {
    Row out;
    for (size_t c : columns) out.push_back(row[c]);
    row = std::move(out);
  }
  set_keys(std::move(varying));
  state_.rows = std::move(rows);
  return fits;
}

}  // namespace pyptoc::passes
