// SPDX-License-Identifier: Apache-2.0
// Collectives, and what each leaves on every rank.
#include <fmt/format.h>

#include <algorithm>

#include "random_generator.h"

namespace chip_tests::random {

void Generator::collective(Block& out) {
  const int kind = below(9);
  switch (reduces() || kind > 4 ? kind : 2 + kind % 2) {
    case 0:
    case 1:
      return allreduce(out);
    case 2:
      return barrier(out);
    case 3:
      return broadcast(out);
    case 4:
      return reduce_scatter(out);
    case 5:
      return allgather(out);
    case 6:
      return all_to_all(out);
    case 7:
      return all_to_all_v(out);
    default:
      return look_at_neighbour(out);
  }
}

namespace {

using Reduce = int32_t (*)(int32_t, int32_t);
struct Operator {
  const char* name;
  Reduce reduce;
};
const Operator kOperators[] = {
    {"Sum",
     [](int32_t a, int32_t b) { return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b)); }},
    {"Max", [](int32_t a, int32_t b) { return std::max(a, b); }},
    {"Min", [](int32_t a, int32_t b) { return std::min(a, b); }},
};

}  // namespace

// A width between 1 and 4: a constant, or one that the host computes when the program starts.
std::string Generator::core_num() {
  switch (below(knows_k_ ? 8 : 7)) {
    case 0:
      return "w";
    case 1:
      return "5 - w";
    case 2:
      return "(w + 1) // 2 + 1";
    case 3:
      return "min(n, w)";
    case 7:
      return "k + 1";
    default:
      return std::to_string(1 + below(4));
  }
}

// The index of an operator. On the host nothing would make the sum of floats small again.
int Generator::reduction(bool on_chip) {
  return is_float(type()) && !on_chip ? 1 + below(2) : below(3);
}

// What a sum left in floats.
void Generator::keep_small(Block& out, const Name& name) {
  const std::vector<Name> others = names(is_whole, name.buffer);
  line(out, as_call(task_text(any(others), name, true, {"1", [](Machine&) { return int64_t{1}; }}, out.actions)));
}

void Generator::allreduce(Block& out) {
  const std::vector<Name> windows = names(is_window);
  const Name to = any(windows);
  const bool on_chip = names_.size() > 3;
  const bool ring = (on_chip || !is_float(type())) && chance(25);
  const Operator& op = kOperators[ring ? 0 : reduction(on_chip)];
  std::string how = ", mode=\"ring\"";
  std::string cells = "g";
  if (!ring) {
    const bool wide = chance(50);
    cells = signal(wide);
    how = wide ? ", core_num=" + std::to_string(1 + below(4)) : "";
  }
  line(out,
       result(to.text, "pld.tensor.allreduce(" + to.text + ", " + cells + ", op=pld.ReduceOp." + op.name + how + ")"));
  const Reduce reduce = op.reduce;
  out.actions.push_back([to, reduce](Machine& m) {
    Machine::Buffer sum = m.at(0, to.buffer);
    for (size_t r = 1; r < m.ranks.size(); ++r) {
      for (size_t i = 0; i < sum.size(); ++i) sum[i] = reduce(sum[i], m.at(r, to.buffer)[i]);
    }
    for (size_t r = 0; r < m.ranks.size(); ++r) m.at(r, to.buffer) = sum;
  });
  if (is_float(type()) && &op == kOperators) keep_small(out, to);
}

void Generator::barrier(Block& out) {
  const std::string cells = signal(false);
  line(out, result(cells, "pld.tensor.barrier(" + cells + ")"));
}

void Generator::broadcast(Block& out) {
  const std::vector<Name> windows = names(is_window);
  const Name to = any(windows);
  const int root = below(ranks());
  line(out, result(to.text,
                   "pld.tensor.broadcast(" + to.text + ", " + signal(false) + ", root=" + std::to_string(root) + ")"));
  out.actions.push_back([to, root](Machine& m) {
    const Machine::Buffer from = m.at(static_cast<size_t>(root), to.buffer);
    for (size_t r = 0; r < m.ranks.size(); ++r) m.at(r, to.buffer) = from;
  });
}

void Generator::reduce_scatter(Block& out) {
  const std::vector<Name> windows = names(is_known_window);
  const Name to = any(windows);
  const Operator& op = kOperators[reduction(names_.size() > 3)];
  line(out, result(to.text, "pld.tensor.reduce_scatter(" + to.text + ", " + signal(false) + ", op=pld.ReduceOp." +
                                op.name + ")"));
  const Reduce reduce = op.reduce;
  out.actions.push_back([to, reduce](Machine& m) {
    std::vector<Machine::Buffer> before;
    for (size_t r = 0; r < m.ranks.size(); ++r) before.push_back(m.at(r, to.buffer));
    for (size_t r = 0; r < m.ranks.size(); ++r) {
      for (size_t i = r * kColumns; i < (r + 1) * kColumns; ++i) {
        int32_t value = before[0][i];
        for (size_t p = 1; p < before.size(); ++p) value = reduce(value, before[p][i]);
        m.at(r, to.buffer)[i] = value;
      }
    }
  });
  if (is_float(type()) && &op == kOperators) keep_small(out, to);
}

Name Generator::row_of(Block& out, Name name) {
  const int at = below(ranks());
  const std::string of = name.text;
  name.text = fresh("row");
  name.row = [at](Machine&) { return int64_t{at}; };
  name.rows = 1;
  name.whole = name.window = false;
  line(out, fmt::format("{} = pl.tensor.slice({}, [1, {}], [{}, 0])", name.text, of, kColumns, at));
  names_.push_back(name);
  return name;
}

Name Generator::own_row(Block& out, const Name& from) {
  Name made;
  made.text = fresh("own");
  made.rows = 1;
  made.own = true;
  made.whole = false;
  create(out, made);
  line(out, as_call(task_text(from, made, false, number(), out.actions)));
  return made;
}

void Generator::allgather(Block& out) {
  const std::vector<Name> windows = names(is_known_window);
  const Name to = any(windows);
  std::vector<Name> rows = names(symbolic_ ? is_own_row : is_row, to.buffer);
  if (rows.empty()) {
    const std::vector<Name> whole = names(is_whole, to.buffer);
    rows.push_back(row_of(out, any(whole)));
    if (symbolic_) rows[0] = own_row(out, rows[0]);
  }
  const Name from = any(rows);
  line(out, result(to.text, "pld.tensor.allgather(" + from.text + ", " + to.text + ", " + signal(false) + ")"));
  out.actions.push_back([from, to](Machine& m) {
    for (size_t r = 0; r < m.ranks.size(); ++r) {
      for (size_t p = 0; p < m.ranks.size(); ++p) {
        for (int i = 0; i < kColumns; ++i)
          m.at(r, to.buffer)[p * kColumns + static_cast<size_t>(i)] = m.at(p, from.buffer)[from.element(m, i)];
      }
    }
  });
}

void Generator::all_to_all(Block& out) {
  const std::vector<Name> windows = names(is_known_window);
  const Name to = any(windows);
  const std::vector<Name> inputs = names(is_known, to.buffer);
  const Name from = any(inputs);
  line(out, result(to.text, "pld.tensor.all_to_all(" + from.text + ", " + to.text + ", " + signal(false) + ")"));
  out.actions.push_back([from, to](Machine& m) {
    for (size_t r = 0; r < m.ranks.size(); ++r) {
      for (size_t p = 0; p < m.ranks.size(); ++p) {
        for (size_t i = 0; i < kColumns; ++i)
          m.at(r, to.buffer)[p * kColumns + i] = m.at(p, from.buffer)[r * kColumns + i];
      }
    }
  });
}

// Counts from one tensor, rows from another to v, what did not come is cleared, v to a third.
void Generator::all_to_all_v(Block& out) {
  const std::vector<Name> whole = names(is_whole);
  const Name counted = any(whole);
  const Name from = any(whole);
  const Name to = any(whole);
  const std::string tall = fresh("tall");
  line(out, result("q", "self.count_" + kind(counted) + "(" + counted.text + ", q)"));
  line(out, fmt::format("{} = pl.tensor.reshape({}, [{}, {}])", tall, from.text, ranks() * kRows, kColumns / kRows));
  const std::string blocks = core_num();
  const std::string width =
      blocks.size() == 1 && blocks != "w" ? "core_num=" + blocks : blocks;  // no constant: operand
  line(out, result("v", "pld.tensor.all_to_all_v(" + tall + ", v, u, q, e, " + width + ")"));
  out.actions.push_back([counted, from](Machine& m) {
    constexpr size_t kRow = kColumns / kRows;
    const size_t ranks = m.ranks.size();
    for (size_t r = 0; r < ranks; ++r) {
      m.at(r, kV).assign(ranks * kColumns, 0);
      for (size_t p = 0; p < ranks; ++p) {
        const auto first = static_cast<uint32_t>(m.at(p, counted.buffer)[r * kColumns]);
        const int rows = std::clamp(static_cast<int>(first % 4) - 1, 0, kRows);
        for (size_t i = 0; i < static_cast<size_t>(rows) * kRow; ++i)
          m.at(r, kV)[p * kColumns + i] = m.at(p, from.buffer)[r * kColumns + i];
      }
    }
  });
  if (chance(40)) task(out);
  line(out, result("v", "self.mask(e, v)"));
  const std::string take = "self.take_" + kind(to) + "(v, " + to.text + ")";
  line(out, binds(to) ? result(to.text, take) : take);
  out.actions.push_back([to](Machine& m) {
    for (size_t r = 0; r < m.ranks.size(); ++r) m.at(r, to.buffer) = m.at(r, kV);
  });
}

void Generator::look_at_neighbour(Block& out) {
  const std::vector<Name> windows = names(is_window);
  const Name from = any(windows);
  std::vector<Name> plain;
  for (const Name& n : names_) {
    if (n.whole && !n.window && n.buffer != from.buffer) plain.push_back(n);
  }
  const Name to = any(plain);
  barrier(out);
  const std::string near = "self.near(" + from.text + ", " + to.text + ")";
  line(out, binds(to) ? result(to.text, near) : near);
  barrier(out);
  out.actions.push_back([from, to](Machine& m) {
    for (size_t r = 0; r < m.ranks.size(); ++r) m.at(r, to.buffer) = m.at((r + 1) % m.ranks.size(), from.buffer);
  });
}

}  // namespace chip_tests::random
