// SPDX-License-Identifier: Apache-2.0
// The generator of random programs. Internal to random_program.h.
//
// A chip program has plain tensors x, y, z [P, 128], windows a, b, c of that shape, a window v [P * 2, 64] for
// exchanges with counts, counts q and received counts e, and signals s, t [P, 1], u [P, 4] and g for rings.
// Temporaries, views and other names for what is there come on top.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "random_program.h"

namespace chip_tests::random {

inline constexpr int kColumns = 128;  // half of them are a cache line in every type
inline constexpr int kRows = 2;       // of an exchange with counts, for each peer

// A view of a buffer: `rows` rows from row `row(machine)` on and the columns [column, column + columns).
struct Name {
  std::string text;
  int buffer = 0;
  bool window = false;  // the DSL's type
  bool whole = true;
  std::function<int64_t(Machine&)> row;  // empty: 0
  int rows = 0;
  int column = 0;
  int columns = kColumns;
  bool fixed_row = true;  // a literal
  bool own = false;       // created
  bool known = true;      // its extents, to the compiler

  size_t element(Machine& m, int i) const {
    const int64_t first = row ? row(m) : 0;
    return static_cast<size_t>((first + i / columns) * kColumns + column + i % columns);
  }
  int volume() const { return rows * columns; }
};

struct Number {
  std::string text;
  std::function<int64_t(Machine&)> value;
  int element = -1;  // buffer whose first element is added: what differs from rank to rank

  int64_t on(Machine& m, size_t rank) const { return value(m) + (element < 0 ? 0 : m.at(rank, element)[0]); }
};

struct Element {
  std::string name;
  int buffer;
};

enum Buffers { kX, kY, kZ, kQ, kA, kB, kC, kV, kE, kFixedBuffers };
inline constexpr const char* kHostNames[] = {"xs", "ys", "zs", "", "a", "b", "c"};
inline constexpr int kParameters[] = {kX, kY, kZ, kA, kB, kC};

// Of what task_text gives; `width` is empty or a number of blocks.
std::string as_call(std::string text, const std::string& width = "");
std::string as_submit(std::string text, const std::string& deps, const std::string& width = "");

// What a task stores.
int32_t in_range(int64_t value, ElementType type);

// `actions` of a function whose parameters kParameters are these buffers.
std::function<void(Machine&)> on_arguments(const Actions& actions, const std::vector<int>& arguments, const Number& k);

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed * 7919 + 13) {
    program_.ranks = 2 + below(3);
    program_.n = 1 + below(3);
    program_.width = 1 + below(4);
    symbolic_ = chance(40);
    if (chance(50)) program_.type = static_cast<ElementType>(below(kElementTypes));
    manual_ = chance(50);
  }

  RandomProgram run();

 private:
  struct Block {
    std::string text;
    Actions actions;
  };

  int below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  int ranks() const { return program_.ranks; }
  ElementType type() const { return program_.type; }
  bool has_elements() const { return !manual_ && type() != ElementType::kHalf && type() != ElementType::kBfloat; }
  bool reduces() const { return type() != ElementType::kInt8 && type() != ElementType::kInt16; }
  std::string fresh(const char* prefix) { return prefix + std::to_string(count_++); }

  void line(Block& out, const std::string& text) const {
    out.text += std::string(static_cast<size_t>(depth_) * 4, ' ') + text + "\n";
  }

  Number scalar();
  Number number();
  const Name& any(const std::vector<Name>& names) {
    return names[static_cast<size_t>(below(static_cast<int>(names.size())))];
  }
  std::vector<Name> names(bool (*fits)(const Name&), int not_buffer = -1) const;
  std::string signal(bool wide) { return wide ? "u" : (chance(70) ? "s" : "t"); }
  std::string result(const std::string& name, const std::string& call);
  // What a kernel of symbolic extents returns cannot be carried on by a loop.
  bool binds(const Name& to) const {
    return (nesting_ == 0 && !(symbolic_ && to.whole)) ||
           (!symbolic_ && to.rows * to.columns == ranks() * kColumns && to.columns == kColumns);
  }
  static std::string kind(const Name& name) { return name.window ? "w" : "t"; }

  // Statements
  void statements(Block& out, int count);
  void statement(Block& out);
  void task(Block& out);
  std::string task_text(const Name& from, const Name& to, bool mix, const Number& k, Actions& actions);
  std::string launched(Actions& actions);
  void create(Block& out, Name& made);
  void read_element(Block& out);
  void write_element(Block& out);
  void call_inlined(Block& out);
  void temporary(Block& out);
  void view(Block& out);
  void alias(Block& out);
  void loop(Block& out);
  void branch(Block& out);
  void scope(Block& out);
  void manual(Block& out);
  void collective(Block& out);
  std::string core_num();
  int reduction(bool on_chip);
  void keep_small(Block& out, const Name& name);
  void allreduce(Block& out);
  void barrier(Block& out);
  void broadcast(Block& out);
  void reduce_scatter(Block& out);
  Name row_of(Block& out, Name name);
  Name own_row(Block& out, const Name& from);
  void allgather(Block& out);
  void all_to_all(Block& out);
  void all_to_all_v(Block& out);
  void look_at_neighbour(Block& out);

  Block chip(const std::string& name, bool inlined);
  Block inlined_;
  Block host();
  std::string functions() const;

  std::mt19937_64 random_;
  RandomProgram program_;
  std::vector<Name> names_;
  std::vector<Number> scalars_;
  std::vector<Element> elements_;
  std::vector<std::string> ids_;
  bool knows_k_ = false;  // k is a scalar of the host, or not
  int depth_ = 2;
  int nesting_ = 0;
  int count_ = 0;
  int buffers_ = kFixedBuffers;
  bool manual_ = false;    // manual scopes, or else elements that the orchestration accesses itself (W0523)
  bool symbolic_ = false;  // whole tensors lose their constant extents on the way through kernels
};

// Kinds of names.
inline bool is_whole(const Name& n) {
  return n.whole;
}
inline bool is_window(const Name& n) {
  return n.whole && n.window;
}
inline bool is_known_window(const Name& n) {
  return n.whole && n.window && n.known;
}
inline bool is_known(const Name& n) {
  return n.whole && n.known;
}
inline bool is_part(const Name& n) {
  return !n.whole;
}
inline bool is_own_row(const Name& n) {
  return n.rows == 1 && n.own;
}
inline bool is_row(const Name& n) {
  return n.rows == 1 && n.columns == kColumns && n.fixed_row;
}

}  // namespace chip_tests::random
